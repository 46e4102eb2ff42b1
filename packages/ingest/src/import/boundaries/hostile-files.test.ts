import { readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  box,
  dbf,
  features,
  geojson,
  importBench,
  type Sample,
  shapefileZip,
  shp,
  writeGpkg,
  zip,
} from './import-files.fixture.ts';

const bench = importBench();
const NAMES = { state: 'Aland', district: 'Bland', tehsil: 'Cland' };
const GOOD: readonly Sample[] = [{ properties: NAMES, rings: [box(78, 17)] }];

/** The message of a file that is refused as a whole; nothing of it may be stored or left behind. */
async function refusal(name: string): Promise<string> {
  const told = await bench.run('places', name).then(
    (report) => `accepted: ${JSON.stringify(report)}`,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  expect([await bench.stores.places.states(), await readdir(bench.scratch)]).toEqual([[], []]);
  return told;
}

describe('GeoJSON', () => {
  const one = JSON.stringify(features(GOOD)[0]);
  it.each([
    ['cut off', geojson(GOOD).slice(0, -9), /ends in the middle/],
    ['cut off in a text', '{"type":"FeatureCollection","features":[{"type":"Fea', /ends in the middle/],
    ['empty', '', /not JSON/],
    ['a list', `[${one}]`, /not a GeoJSON Feature/],
    ['no comma', `{"type":"FeatureCollection","features":[${one}${one}]}`, /something else than Features/],
    ['numbers', '{"type":"FeatureCollection","features":[1,2]}', /something else than Features/],
    ['a comma too many', `{"type":"FeatureCollection","features":[${one},]}`, /something else than Features/],
    ['NaN', geojson(GOOD).replace('78,', 'NaN,'), /feature 1 is not JSON/],
    ['nothing in it', '{"type":"FeatureCollection","features":[]}', /holds no feature/],
    ['another type', `{"type":"Topology","features":[${one}]}`, /not a GeoJSON/],
    [
      'metres',
      geojson(GOOD).replace('{', '{"crs":{"type":"name","properties":{"name":"EPSG:3857"}},'),
      /ogr2ogr -t_srs/,
    ],
    ['nested without end', `{"type":"FeatureCollection","features":[{"a":${'['.repeat(200_000)}`, /ends in the middle/],
  ])('%s', async (_, text, why) => {
    await bench.put('in.geojson', text);
    expect(await refusal('in.geojson')).toMatch(why);
  });

  it('half a gigabyte of nothing, and bytes that are no text', async () => {
    await bench.put('in.geojson', '');
    await truncate(join(bench.dir, 'in.geojson'), 2 ** 29);
    expect(await refusal('in.geojson')).toMatch(/more than 64 MB beside its features/);
    await bench.put('in.geojson', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]));
    expect(await refusal('in.geojson')).toMatch(/not JSON/);
  });

  it('lists what is wrong with a feature and takes the others', async () => {
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
    // No JavaScript value is written as a number beyond all bounds.
    const endless = JSON.stringify(named('Endless', [box(78, 17)])).replace('[78,17]', '[1e999,17]');
    await bench.put('in.geojson', text.replace(/\]\}$/, `,${endless}]}`));
    const report = await bench.run('places', 'in.geojson');
    expect([report.stored, report.refusedCount]).toEqual([1, wrong.length + 1]);
    expect(report.refused.map(({ row }) => row)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(report.refused.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/longer than 100/),
      expect.stringMatching(/is no path/),
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

describe('GeoPackage', () => {
  const at = (name: string): string => join(bench.dir, name);
  it.each([
    [
      'a view as the layer',
      `drop table "layer"; create view "layer" as select 1 as fid, null as geom;`,
      /view or a virtual table/,
    ],
    [
      'a view as the list of layers, which would never end',
      `drop table gpkg_contents; create view gpkg_contents as with recursive n(i) as (select 1 union all select i from n)
         select 'layer' as table_name, 'features' as data_type, i as srs_id from n;`,
      /view or a virtual table/,
    ],
    [
      'a virtual table',
      `drop table "layer"; create virtual table "layer" using fts5(geom);`,
      /view or a virtual table/,
    ],
    ['no layer', 'delete from gpkg_contents;', /no layer of features/],
    [
      'a layer that is not there',
      `update gpkg_contents set table_name = 'gone'; update gpkg_geometry_columns set table_name = 'gone';`,
      /no table "gone"/,
    ],
    [
      'a geometry column that is not there',
      `update gpkg_geometry_columns set column_name = 'shape';`,
      /no column "shape"/,
    ],
    ['other values in its lists', `update gpkg_geometry_columns set srs_id = 'x';`, /other values/],
    [
      'two layers',
      `create table two (fid integer, geom blob); insert into gpkg_contents values ('two', 'features', 4326);
       insert into gpkg_geometry_columns values ('two', 'geom', 4326);`,
      /holds 2 layers \(layer, two\).*ogr2ogr/,
    ],
  ])('%s', async (_, more, why) => {
    writeGpkg(at('in.gpkg'), GOOD, { more });
    expect(await refusal('in.gpkg')).toMatch(why);
  });

  it('triggers do not run, generated columns are not computed, and the file stays as it is', async () => {
    writeGpkg(at('in.gpkg'), GOOD, {
      more: `create table seen (n); create trigger spy after insert on "layer" begin insert into seen values (1); end;
        alter table "layer" add column uid generated always as (hex(zeroblob(900000000))) virtual;`,
    });
    expect(await bench.run('places', 'in.gpkg')).toMatchObject({ stored: 1, refusedCount: 0 });
  });

  it('a quoted name of a layer is a name', async () => {
    writeGpkg(at('in.gpkg'), GOOD, { table: 'a"; drop table gpkg_contents; --'.replaceAll('"', '') });
    expect(await bench.run('places', 'in.gpkg')).toMatchObject({ stored: 1 });
  });

  it('geometries that say more than they hold, and other blobs, are refused by themselves', async () => {
    writeGpkg(
      at('in.gpkg'),
      [...GOOD, ...['a', 'b', 'c', 'd'].map((tehsil) => ({ properties: { ...NAMES, tehsil }, rings: [box(79, 17)] }))],
      {
        more: `update layer set geom = x'4750000100000000' || x'0103000000ffffffff' where fid = 2; update layer set geom = 'text' where fid = 3;
        update layer set geom = zeroblob(100000000) where fid = 4; update layer set geom = x'475000' where fid = 5;`,
      },
    );
    const report = await bench.run('places', 'in.gpkg');
    expect([report.stored, report.refused.map(({ row }) => row)]).toEqual([1, [2, 3, 4, 5]]);
  });

  it.each([[0], [5000], [9000]])('cut off at %i bytes', async (size) => {
    const many = Array.from({ length: 200 }, (_, i) => ({
      properties: { ...NAMES, tehsil: `T ${i}` },
      rings: [box(78, 17)],
    }));
    writeGpkg(at('in.gpkg'), many);
    await truncate(at('in.gpkg'), size);
    expect(await refusal('in.gpkg')).toMatch(/no GeoPackage|cannot be read/);
  });

  it('one that another program has open', async () => {
    writeGpkg(at('in.gpkg'), GOOD);
    await writeFile(at('in.gpkg-wal'), 'x');
    expect(await refusal('in.gpkg')).toMatch(/another program has this GeoPackage open/);
  });
});

describe('zipped Shapefile', () => {
  const members = (samples = GOOD): { readonly shp: Buffer; readonly dbf: Buffer } => ({
    shp: shp(samples),
    dbf: dbf(samples),
  });
  const as = (parts: { readonly shp: Uint8Array; readonly dbf: Uint8Array }): Buffer =>
    zip([
      { name: 'in.shp', content: parts.shp },
      { name: 'in.dbf', content: parts.dbf },
    ]);
  const changed = (bytes: Buffer, change: (copy: Buffer) => void): Buffer => {
    const copy = Buffer.from(bytes);
    change(copy);
    return copy;
  };

  it.each([
    [
      'names that lead out',
      () => zip([{ name: '../../evil.shp', content: shp(GOOD) }]),
      /cannot be read|relative path/,
    ],
    ['an absolute name', () => zip([{ name: '/etc/evil.shp', content: shp(GOOD) }]), /absolute path/],
    [
      'nothing of a Shapefile, a zip file within',
      () => zip([{ name: 'in.zip', content: shapefileZip(GOOD) }]),
      /no \.shp/,
    ],
    ['no .dbf', () => zip([{ name: 'in.shp', content: shp(GOOD) }]), /in\.dbf, .* is not in the zip file/],
    ['no zip file', () => Buffer.from('PK is not enough'), /cannot be read/],
    ['half of it', () => shapefileZip(GOOD).subarray(0, 200), /cannot be read/],
    [
      'a bomb that says how large it is',
      () =>
        zip([
          { name: 'in.shp', content: shp(GOOD), claimed: 2 ** 32 - 2 },
          { name: 'in.dbf', content: dbf(GOOD) },
        ]),
      /cannot be read/,
    ],
    [
      'a bomb that says less than it unpacks to',
      () =>
        zip([
          { name: 'in.shp', content: Buffer.alloc(50_000_000), claimed: 100 },
          { name: 'in.dbf', content: dbf(GOOD) },
        ]),
      /cannot be read/,
    ],
    [
      'a .prj of megabytes',
      () =>
        zip([
          { name: 'in.shp', content: shp(GOOD) },
          { name: 'in.dbf', content: dbf(GOOD) },
          { name: 'in.prj', content: Buffer.alloc(1_000_000) },
        ]),
      /larger than/,
    ],
    [
      'more rows than shapes',
      () => as({ shp: members().shp, dbf: members([...GOOD, ...GOOD]).dbf }),
      /do not hold as many rows/,
    ],
    [
      'more shapes than rows',
      () => as({ shp: members([...GOOD, ...GOOD]).shp, dbf: members().dbf }),
      /do not hold as many rows/,
    ],
    [
      'a .shp that is cut off',
      () => as({ ...members(), shp: members().shp.subarray(0, 150) }),
      /in\.shp ends in the middle/,
    ],
    [
      'a .dbf that is cut off',
      () => as({ ...members(), dbf: members().dbf.subarray(0, 140) }),
      /in\.dbf ends in the middle/,
    ],
    [
      'a .dbf of rows without end',
      () => as({ ...members(), dbf: changed(members().dbf, (b) => b.writeUInt32LE(2 ** 32 - 1, 4)) }),
      /in the middle|as many rows/,
    ],
    [
      'a record of gigabytes',
      () => as({ ...members(), shp: changed(members().shp, (b) => b.writeInt32BE(2 ** 31 - 1, 104)) }),
      /says that it has/,
    ],
    [
      'points',
      () => as({ ...members(), shp: changed(members().shp, (b) => b.writeInt32LE(1, 32)) }),
      /holds no polygons/,
    ],
  ])('%s', async (_, make, why) => {
    await bench.put('in.zip', make());
    expect(await refusal('in.zip')).toMatch(why);
  });

  it('shapes whose numbers do not fit, or that are not finite, are refused by themselves', async () => {
    const samples = ['Cland', 'a', 'b', 'c'].map((tehsil) => ({
      properties: { ...NAMES, tehsil },
      rings: [box(78, 17)],
    }));
    const record = 8 + 48 + 16 * 5;
    const spoilt = changed(shp(samples), (bytes) => {
      bytes.writeInt32LE(2 ** 30, 100 + record + 8 + 36);
      bytes.writeInt32LE(-1, 100 + 2 * record + 8 + 40);
      bytes.writeDoubleLE(Number.NaN, 100 + 3 * record + 8 + 48);
    });
    await bench.put('in.zip', as({ shp: spoilt, dbf: dbf(samples) }));
    const report = await bench.run('places', 'in.zip');
    expect([report.stored, report.refused.map(({ row }) => row)]).toEqual([1, [2, 3, 4]]);
  });
});
