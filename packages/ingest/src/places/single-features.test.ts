import { join } from 'node:path';
import type { PlaceBundle } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import { collection, feature, names, ring, square, placeFiles } from './place-files.fixture.ts';
import { readPlaces } from './read-places.ts';

const files = placeFiles();

describe('features of a file', () => {
  const folder = async (mws: object, villages?: object, boundary: object = feature(names)) => {
    await files.put('t/boundary.geojson', boundary);
    await files.put('t/mws.geojson', mws);
    if (villages !== undefined) await files.put('t/villages.geojson', villages);
    const { bundles, problems, notes } = await readPlaces(files.dir);
    expect(problems).toEqual([]);
    expect(bundles).toHaveLength(1);
    return { bundle: bundles[0]!, notes };
  };
  const bad = ring([1, 1], [2, 2], [3, 3], [1, 1]);
  const uids = ({ mws }: PlaceBundle): readonly string[] => mws.map(({ uid }) => uid);

  it('are left out and listed if they are invalid; valid features are read', async () => {
    const { bundle: read, notes } = await folder(
      collection(
        feature({ uid: '1_1' }),
        feature({ uid: '1_2' }, bad),
        7,
        feature({ uid: 5.5 }),
        feature({ uid: '1_3' }),
      ),
      collection(feature({ vill_ID: 1, vill_name: 'Gaon' }), feature({ vill_ID: 2 }), feature({ vill_name: 'X' })),
    );
    expect(uids(read)).toEqual(['1_1', '1_3']);
    expect(read.villages.map(({ id }) => id)).toEqual([1]);
    const mws = join('t', 'mws.geojson');
    const villages = join('t', 'villages.geojson');
    expect(notes).toEqual([
      { file: mws, note: expect.stringMatching(/^features\[1\]: left out: polygon 0: ring 0: .*no area/) },
      { file: mws, note: expect.stringMatching(/^features\[2\]: left out: this is not a GeoJSON Feature/) },
      { file: mws, note: expect.stringMatching(/^features\[3\]: left out: property uid/) },
      { file: villages, note: expect.stringMatching(/^features\[1\]: left out: property vill_name is missing/) },
      { file: villages, note: expect.stringMatching(/^features\[2\]: left out: property vill_ID is missing/) },
    ]);
  });

  it('are left out, and reported with their distance, if they do not touch the boundary; features at, across or within the boundary remain', async () => {
    const box = (west: number, south: number, size = 0.1): object =>
      ring([west, south], [west + size, south], [west + size, south + size], [west, south + size], [west, south]);
    const { bundle: read, notes } = await folder(
      collection(
        feature({ uid: '1_1' }, box(78.4, 17.4)),
        feature({ uid: '1_2' }, box(78.95, 17.4)),
        feature({ uid: '1_3' }, box(79, 17.4)),
        feature({ uid: '1_4' }, box(81, 17.4)),
        feature({ uid: '1_5' }, box(70, 10, 20)),
      ),
      collection(
        feature({ vill_ID: 1, vill_name: 'Gaon' }),
        feature({ vill_ID: 2, vill_name: 'Par' }, box(78.5, 18.004)),
      ),
    );
    expect(uids(read)).toEqual(['1_1', '1_2', '1_3', '1_5']);
    expect(read.villages.map(({ name }) => name)).toEqual(['Gaon']);
    // Two degrees of longitude at 17.45 degrees north: 2 x 111.32 km x cos 17.45 degrees.
    expect(notes).toEqual([
      { file: join('t', 'mws.geojson'), note: expect.stringMatching(/^micro-watershed 1_4 left out: .*about 212 km/) },
      {
        file: join('t', 'villages.geojson'),
        note: expect.stringMatching(/^village 2 \(Par\) left out: .*less than 1 km/),
      },
    ]);
  });

  it('do not form a tehsil if no feature touches the boundary', async () => {
    await files.put('t/boundary.geojson', feature(names));
    await files.put('t/mws.geojson', collection(feature({ uid: '1_1' }, square(10, 10))));
    const { bundles, problems } = await readPlaces(files.dir);
    expect(bundles).toEqual([]);
    expect(problems).toEqual([
      {
        file: join('t', 'mws.geojson'),
        reason: expect.stringMatching(/^micro-watershed 1_1: .* outside of the tehsil/),
      },
    ]);
  });

  it('are read without their invalid polygons and holes', async () => {
    const [outer] = square(78, 17).coordinates;
    const many = { type: 'MultiPolygon', coordinates: [[[[0, 0]]], square(78, 17).coordinates] };
    const holed = { type: 'Polygon', coordinates: [outer, [[1, 1]]] };
    const { bundle: read, notes } = await folder(
      collection(feature({ uid: '1_1' }, many), feature({ uid: '1_2' }, holed)),
    );
    expect(read.mws.map(({ geometry }) => geometry)).toEqual([square(78, 17), square(78, 17)]);
    expect(notes.map(({ note }) => note)).toEqual([
      expect.stringMatching(/^features\[0\]: polygon 0 left out: .*at least 4/),
      expect.stringMatching(/^features\[1\]: polygon 0 ring 1 left out: .*at least 4/),
    ]);
  });

  it('are read with open rings, which are closed', async () => {
    const open = ring([78, 17], [79, 17], [79, 18], [78, 18]);
    const { bundle: read, notes } = await folder(collection(feature({ uid: '1_1' }, open)));
    expect(read.mws[0]?.geometry).toEqual(square(78, 17));
    expect(notes.map(({ note }) => note)).toEqual(['features[0]: polygon 0 ring 0 was open and is closed']);
  });

  it('that cross themselves keep every lobe, with the holes inside each lobe', async () => {
    const bowTie = {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [4, 4],
          [4, 0],
          [0, 4],
          [0, 0],
        ],
        [
          [3, 1.8],
          [3.5, 1.8],
          [3.5, 2.2],
          [3, 2.2],
          [3, 1.8],
        ],
      ],
    };
    const { bundle: read, notes } = await folder(
      collection(feature({ uid: '1_1' }, bowTie)),
      undefined,
      feature(names, square(0, 0)),
    );
    const lobes = read.mws[0]?.geometry;
    expect(lobes).toMatchObject({ type: 'MultiPolygon', coordinates: { length: 2 } });
    expect(lobes?.coordinates.map((polygon) => polygon.length).toSorted()).toEqual([1, 2]);
    expect(notes.map(({ note }) => note)).toEqual([
      'features[0]: polygon 0 ring 0 crosses itself and is read as 2 rings',
    ]);
  });

  it('are parts of one micro-watershed if they have the same uid; a repeated part counts once', async () => {
    const { bundle: read } = await folder(
      collection(
        feature({ uid: '1_1' }),
        feature({ uid: '1_2' }),
        feature({ uid: '1_1' }, square(80, 17)),
        feature({ uid: '1_1' }),
      ),
    );
    expect(uids(read)).toEqual(['1_1', '1_2']);
    expect(read.mws[0]?.geometry).toEqual({
      type: 'MultiPolygon',
      coordinates: [square(78, 17).coordinates, square(80, 17).coordinates],
    });
  });

  it('are left out if they have no tehsil names in a file of several tehsils; the other tehsils are read', async () => {
    await files.put(
      'all.geojson',
      collection(feature(names), feature({ ...names, tehsil: '..' }), feature({ ...names, tehsil: 'Dland' })),
    );
    const { bundles, problems, notes } = await readPlaces(files.dir);
    expect([bundles.map(({ tehsil }) => tehsil), problems]).toEqual([['Cland', 'Dland'], []]);
    expect(notes).toEqual([
      { file: 'all.geojson', note: expect.stringMatching(/^features\[1\]: left out: property tehsil/) },
    ]);
  });
});
