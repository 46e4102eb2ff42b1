import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GOOD, hostileBench, NAMES } from './hostile-files.fixture.ts';
import { box, features, geojson } from './import-files.fixture.ts';

const bench = hostileBench();

describe('an import of GeoJSON', () => {
  const one = JSON.stringify(features(GOOD)[0]);
  it.each([
    ['cut off', geojson(GOOD).slice(0, -9), /ends in the middle/],
    ['cut off in a text', '{"type":"FeatureCollection","features":[{"type":"Fea', /ends in the middle/],
    ['empty', '', /not JSON/],
    ['a list', `[${one}]`, /not a GeoJSON Feature/],
    ['no comma', `{"type":"FeatureCollection","features":[${one}${one}]}`, /something other than Features/],
    ['numbers', '{"type":"FeatureCollection","features":[1,2]}', /something other than Features/],
    ['a comma too many', `{"type":"FeatureCollection","features":[${one},]}`, /something other than Features/],
    ['NaN', geojson(GOOD).replace('78,', 'NaN,'), /feature 1 is not JSON/],
    ['an empty list of features', '{"type":"FeatureCollection","features":[]}', /has no feature/],
    ['another type', `{"type":"Topology","features":[${one}]}`, /not a GeoJSON/],
    [
      'a CRS in metres',
      geojson(GOOD).replace('{', '{"crs":{"type":"name","properties":{"name":"EPSG:3857"}},'),
      /ogr2ogr -t_srs/,
    ],
    ['endless nesting', `{"type":"FeatureCollection","features":[{"a":${'['.repeat(200_000)}`, /ends in the middle/],
  ])('refuses the file: %s', async (_, text, why) => {
    await bench.put('in.geojson', text);
    expect(await bench.refusal('in.geojson')).toMatch(why);
  });

  it('refuses half a gigabyte of zeros, and bytes that are not text', async () => {
    await bench.put('in.geojson', '');
    await truncate(join(bench.dir, 'in.geojson'), 2 ** 29);
    expect(await bench.refusal('in.geojson')).toMatch(/more than 64 MB outside of its features/);
    await bench.put('in.geojson', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]));
    expect(await bench.refusal('in.geojson')).toMatch(/not JSON/);
  });

  it('lists the errors of features and stores the other features', async () => {
    const [good] = features(GOOD);
    const named = (tehsil: string, coordinates: unknown): object => ({
      type: 'Feature',
      properties: { ...NAMES, tehsil },
      geometry: { type: 'Polygon', coordinates },
    });
    const wrong = [
      named('x'.repeat(10_000), [box(78, 17)]),
      named('../../etc/passwd', [box(78, 17)]),
      named("'; drop table headwater.tehsils; --", [box(78, 17)]),
      named('Far', [box(500_000, 2_000_000)]),
      named('Flat', [
        [
          [78, 17],
          [79, 17],
          [78, 17],
          [78, 17],
        ],
      ]),
      named('Short', [
        [
          [78, 17],
          [79, 17],
        ],
      ]),
      {
        type: 'Feature',
        properties: { ...NAMES, tehsil: 'Point' },
        geometry: { type: 'Point', coordinates: [78, 17] },
      },
      { type: 'Feature', properties: null, geometry: null },
      { type: 'Featur' },
      { __proto__: null, type: 'Feature', properties: [], geometry: [] },
    ];
    const text = JSON.stringify({ type: 'FeatureCollection', features: [good, ...wrong] });
    // The number is put into the text, because `JSON.stringify` cannot write an infinite number.
    const endless = JSON.stringify(named('Endless', [box(78, 17)])).replace('[78,17]', '[1e999,17]');
    await bench.put('in.geojson', text.replace(/\]\}$/, `,${endless}]}`));
    const report = await bench.run('places', 'in.geojson');
    expect([report.stored, report.refusedCount]).toEqual([1, wrong.length + 1]);
    expect(report.refused.map(({ row }) => row)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(report.refused.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/longer than 100/),
      expect.stringMatching(/must not be a path/),
      expect.stringMatching(/letters, digits/),
      expect.stringMatching(/ogr2ogr/),
      expect.stringMatching(/no area/),
      expect.stringMatching(/at least 4 positions/),
      expect.stringMatching(/Polygon/),
      expect.stringMatching(/Polygon/),
      expect.stringMatching(/not a GeoJSON Feature/),
      expect.stringMatching(/not a GeoJSON Feature/),
      expect.stringMatching(/finite/),
    ]);
    for (const { problem } of report.refused) expect(problem.length).toBeLessThan(400);
  });
});
