import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundle, collection, feature, names, ring, square, placeFiles } from './place-files.fixture.ts';
import { readPlaces } from './read-places.ts';
import { writePlace } from './write-place.ts';

const files = placeFiles();

describe('readPlaces with good files', () => {
  it('reads files that writePlace wrote', async () => {
    await writePlace(join(files.dir, 'deep/er'), bundle);
    expect(await readPlaces(files.dir)).toMatchObject({ bundles: [bundle], problems: [] });
  });

  it('reads underscores in names as blanks', async () => {
    const spelled = { state: 'West_Aland', district: '_B__land', tehsil: 'C  land_' };
    await files.put('one.geojson', feature(spelled));
    const { bundles, problems } = await readPlaces(files.dir);
    expect(problems).toEqual([]);
    expect(bundles).toMatchObject([{ state: 'West Aland', district: 'B land', tehsil: 'C land' }]);
  });

  it('returns nothing for a missing folder', async () => {
    expect(await readPlaces(join(files.dir, 'nowhere'))).toMatchObject({ bundles: [], problems: [] });
  });

  it('reads a file with several tehsils, property aliases in any case, heights, a leading BOM and the old crs member', async () => {
    const tall = {
      type: 'MultiPolygon',
      coordinates: [square(0, 0).coordinates.map((r) => r.map((p) => [...p, 250]))],
    };
    const content = {
      ...collection(
        feature({ STATE: 'Aland', District: 'Bland', TEHSIL: 'Cland' }, tall),
        feature({ STATE: 'Aland', District: 'Bland', block: 'CLAND', uid: '12_1' }, square(0, 0)),
        feature({ STATE: 'Aland', District: 'Bland', block_name: 'Dland', vill_ID: '42', vill_name: 'Gaon' }),
      ),
      crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:OGC:1.3:CRS84' } },
    };
    await files.put('all.geojson', `\uFEFF${JSON.stringify(content)}`);
    const { bundles, problems } = await readPlaces(files.dir);
    expect(problems).toEqual([]);
    expect(bundles.map((b) => [b.tehsil, b.mws.length, b.villages.map((v) => v.id)])).toEqual([
      ['Cland', 1, []],
      ['Dland', 0, [42]],
    ]);
    expect(bundles[0]?.geometry).toEqual(square(0, 0));
    expect(bundles[1]?.geometry).toBeNull();
  });

  it('joins boundary parts and village parts', async () => {
    await files.put('a/boundary.geojson', collection(feature(names), feature(names, square(80, 17))));
    const part = (west: number): object => feature({ vill_ID: 7, vill_name: 'Gaon' }, square(west, 17));
    await files.put('a/villages.geojson', collection(part(78), part(80), feature({ vill_ID: 0, vill_name: 'Wald' })));
    const { bundles } = await readPlaces(files.dir);
    expect(bundles[0]?.geometry).toMatchObject({ type: 'MultiPolygon', coordinates: { length: 2 } });
    expect(bundles[0]?.villages.map((v) => [v.id, v.geometry.type])).toEqual([
      [7, 'MultiPolygon'],
      [0, 'Polygon'],
    ]);
  });
});

const badMws: readonly (readonly [what: string, content: unknown, reason: RegExp])[] = [
  ['broken JSON', '{"type": "Feat', /not JSON/],
  ['an empty file', '', /not JSON/],
  ['other JSON', '[1, 2]', /not a GeoJSON Feature or FeatureCollection/],
  ['null', 'null', /not a GeoJSON/],
  ['no features', collection(), /has no feature/],
  ['a number as a feature', collection(7), /features\[0\].*not a GeoJSON Feature/],
  [
    'a projected crs',
    { ...collection(feature({ uid: '1_1' })), crs: { type: 'name', properties: { name: 'EPSG:32644' } } },
    /crs is "EPSG:32644".*ogr2ogr/,
  ],
  [
    'metres',
    collection(feature({ uid: '1_1' }, ring([500000, 17], [500100, 17], [500100, 18], [500000, 17]))),
    /metres.*ogr2ogr/,
  ],
  [
    'swapped axes',
    collection(feature({ uid: '1_1' }, ring([17, 100], [17, 101], [18, 101], [17, 100]))),
    /position 0: 17, 100 is not longitude/,
  ],
  ['a short ring', collection(feature({ uid: '1_1' }, ring([1, 1], [2, 1], [1, 1]))), /at least 4/],
  ['a flat ring', collection(feature({ uid: '1_1' }, ring([1, 1], [2, 2], [3, 3], [1, 1]))), /no area/],
  [
    'text coordinates',
    collection(feature({ uid: '1_1' }, ring(['1', '1'], [2, 1], [2, 2], ['1', '1']))),
    /two numbers/,
  ],
  [
    'NaN written as null',
    collection(feature({ uid: '1_1' }, ring([null, 1], [2, 1], [2, 2], [null, 1]))),
    /two numbers/,
  ],
  ['a point', collection(feature({ uid: '1_1' }, { type: 'Point', coordinates: [1, 1] })), /must be a Polygon/],
  ['no geometry', collection(feature({ uid: '1_1' }, null)), /must be a Polygon/],
  [
    'an empty geometry',
    collection(feature({ uid: '1_1' }, { type: 'MultiPolygon', coordinates: [] })),
    /geometry is empty/,
  ],
  [
    'no uid',
    collection(feature({ id: 3 })),
    /features\[0\]: property uid is missing: it is read from uid or mws_id; the feature has id$/,
  ],
  ['a fraction as uid', collection(feature({ uid: 12.5 })), /uid must be a whole number/],
  [
    'markup as uid',
    collection(feature({ uid: '<b>1_1</b>' })),
    /uid must be a whole number, or text of at most 64 characters/,
  ],
];

describe('readPlaces with bad files', () => {
  it.each(badMws)('reports a bad mws.geojson (%s) and leaves out its tehsil', async (_what, content, reason) => {
    await writePlace(join(files.dir, 'good'), { ...bundle, tehsil: 'Dland' });
    await files.put('bad/boundary.geojson', feature(names));
    await files.put('bad/mws.geojson', content);
    const { bundles, problems } = await readPlaces(files.dir);
    expect(bundles.map((b) => b.tehsil)).toEqual(['Dland']);
    expect(problems).toEqual([{ file: join('bad', 'mws.geojson'), reason: expect.stringMatching(reason) }]);
  });

  it.each([
    ['no boundary file', 'bad/mws.geojson', collection(feature({ uid: '1_1' })), 'bad', /boundary.geojson is missing/],
    [
      'no tehsil name',
      'bad/boundary.geojson',
      feature({ state: 'A', district: 'B' }),
      'bad/boundary.geojson',
      /property tehsil is missing/,
    ],
    ['an empty name', 'x.geojson', feature({ ...names, state: '  ' }), 'x.geojson', /property state is empty/],
    [
      'a name that is a path',
      'x.geojson',
      feature({ ...names, tehsil: '..\\up' }),
      'x.geojson',
      /property tehsil may have/,
    ],
    ['a name without a slug', 'x.geojson', feature({ ...names, tehsil: '()' }), 'x.geojson', /at least one letter a-z/],
    [
      'two tehsils in a boundary',
      'bad/boundary.geojson',
      collection(feature(names), feature({ ...names, tehsil: 'X' })),
      'bad/boundary.geojson',
      /two tehsils, Cland and X/,
    ],
    ['a village without name', 'x.geojson', feature({ ...names, vill_ID: 3 }), 'x.geojson', /vill_name is missing/],
    [
      'a fraction as village id',
      'x.geojson',
      feature({ ...names, vill_ID: 3.5, vill_name: 'G' }),
      'x.geojson',
      /vill_ID/,
    ],
  ] as const)('reports %s', async (...[, path, content, file, reason]) => {
    await files.put(path, content);
    const { bundles, problems } = await readPlaces(files.dir);
    expect(bundles).toEqual([]);
    expect(problems).toEqual([{ file: join(...file.split('/')), reason: expect.stringMatching(reason) }]);
  });

  it('reads a tehsil only once if its name has several spellings; reads the files of a folder before its subfolders', async () => {
    await writePlace(join(files.dir, 'a'), bundle);
    await files.put('b.geojson', feature({ ...names, tehsil: 'CLAND' }));
    const { bundles, problems } = await readPlaces(files.dir);
    expect(bundles).toHaveLength(1);
    expect(problems).toEqual([{ file: 'a', reason: expect.stringContaining('was read from b.geojson already') }]);
  });

  it('reports no problem for a file with a valid feature, even if an invalid feature was left out', async () => {
    await files.put('t/boundary.geojson', feature(names));
    await files.put(
      't/mws.geojson',
      collection(feature({ uid: '1_1' }), feature({ uid: '1_2' }, ring([1, 1], [2, 2], [1, 1]))),
    );
    expect((await readPlaces(files.dir)).problems).toEqual([]);
  });

  it('ignores symbolic links and hidden folders, and reads folders only to a depth of four', async () => {
    await writePlace(join(files.dir, '1/2/3/4/5'), bundle);
    await writePlace(join(files.dir, '.hidden'), bundle);
    await symlink(join(files.dir, '1/2/3/4/5'), join(files.dir, 'linked'));
    const { bundles, problems } = await readPlaces(files.dir);
    expect(bundles).toEqual([]);
    expect(problems).toEqual([
      { file: join('1', '2', '3', '4', '5'), reason: expect.stringContaining('to a depth of 4') },
    ]);
  });
});

describe('place.geojson', () => {
  it('is read as the boundary of a folder with micro-watersheds', async () => {
    await files.put('t/place.geojson', feature(names));
    await files.put('t/mws.geojson', collection(feature({ uid: '1_1' })));
    const { bundles, problems } = await readPlaces(files.dir);
    expect(problems).toEqual([]);
    expect(bundles).toMatchObject([{ ...names, geometry: square(78, 17), mws: [{ uid: '1_1' }] }]);
  });

  it('is read as a single file if its folder has no other file, or has a boundary file', async () => {
    await files.put('a/place.geojson', collection(feature(names), feature({ ...names, tehsil: 'Eland' })));
    await files.put('b/boundary.geojson', feature({ ...names, tehsil: 'Dland' }));
    await files.put('b/mws.geojson', collection(feature({ uid: '1_1' })));
    await files.put('b/place.geojson', feature({ ...names, tehsil: 'Fland' }));
    const { bundles, problems } = await readPlaces(files.dir);
    expect([bundles.map(({ tehsil }) => tehsil), problems]).toEqual([['Cland', 'Eland', 'Dland', 'Fland'], []]);
  });
});

describe('names in another script', () => {
  it('are transliterated, with the original name in brackets', async () => {
    const hindi = { state: 'राजस्थान', district: 'जयपुर', tehsil: 'आमेर' };
    await files.put('t/boundary.geojson', feature(hindi));
    await files.put('u.geojson', feature({ ...hindi, tehsil: 'सांगानेर', tehsil_slug: 'Sanganer', uid: '1_1' }));
    const { bundles, problems } = await readPlaces(files.dir);
    expect(problems).toEqual([]);
    expect(bundles.map(({ state, district, tehsil }) => [state, district, tehsil])).toEqual([
      ['Rajasthan (राजस्थान)', 'Jaypur (जयपुर)', 'Sanganer (सांगानेर)'],
      ['Rajasthan (राजस्थान)', 'Jaypur (जयपुर)', 'Amer (आमेर)'],
    ]);
  });

  it('with the same transliteration are distinguished by a slug; without a slug the second place is reported', async () => {
    const of = (tehsil: string, more: object = {}): object => feature({ ...names, tehsil, ...more });
    await files.put('a.geojson', of('कल'));
    await files.put('b.geojson', of('काल'));
    await files.put('c.geojson', of('काल', { block_slug: 'Kaal' }));
    const { bundles, problems } = await readPlaces(files.dir);
    expect(bundles.map(({ tehsil }) => tehsil)).toEqual(['Kal (कल)', 'Kaal (काल)']);
    expect(problems).toEqual([
      { file: 'b.geojson', reason: expect.stringMatching(/was read from a\.geojson already/) },
    ]);
  });

  it('that cannot be transliterated need a slug', async () => {
    await files.put('a.geojson', feature({ ...names, tehsil: 'لاہور' }));
    await files.put('b.geojson', feature({ ...names, tehsil: 'لاہور', tehsil_slug: '../Lahore' }));
    await files.put('c.geojson', feature({ ...names, tehsil: 'لاہور', tehsil_slug: 'Lahore' }));
    const { bundles, problems } = await readPlaces(files.dir);
    expect(bundles.map(({ tehsil }) => tehsil)).toEqual(['Lahore (لاہور)']);
    expect(problems.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/tehsil cannot be written in Latin letters.*add tehsil_slug/),
      expect.stringMatching(/tehsil_slug may have letters/),
    ]);
  });
});
