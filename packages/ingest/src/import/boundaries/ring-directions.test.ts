import { join } from 'node:path';
import type { Position } from 'geojson';
import { expect, it } from 'vitest';
import { box, geojson, importBench, type Sample, shapefileZip, writeGpkg } from './import-files.fixture.ts';

const bench = importBench();
const NAMES = { state: 'Aland', district: 'Bland', tehsil: 'Cland' };
const [OUTER, HOLE] = [box(78, 17), box(78.02, 17.02, 0.02).toReversed()];

const SAMPLES = {
  places: (rings: Position[][]): Sample => ({ properties: NAMES, rings }),
  mws: (rings: Position[][]): Sample => ({ properties: { ...NAMES, uid: '12_1' }, rings }),
  villages: (rings: Position[][]): Sample => ({ properties: { ...NAMES, vill_ID: 7, vill_name: 'Gaon' }, rings }),
};

it('stores rings in the directions of RFC 7946; an import of the same polygons with other ring directions reports them as unchanged', async () => {
  for (const kind of ['places', 'mws', 'villages'] as const) {
    const sample = SAMPLES[kind]([OUTER, HOLE]);
    // Shapefiles and many GeoJSON files have clockwise outer rings, against RFC 7946.
    await bench.put('first.zip', shapefileZip([sample]));
    await bench.put('reversed.geojson', geojson([SAMPLES[kind]([OUTER.toReversed(), HOLE.toReversed()])]));
    await bench.put('plain.geojson', geojson([sample]));
    writeGpkg(join(bench.dir, `${kind}.gpkg`), [SAMPLES[kind]([OUTER.toReversed(), HOLE])]);
    expect(await bench.run(kind, 'first.zip')).toMatchObject({ stored: 1, unchanged: 0 });
    for (const name of ['reversed.geojson', 'plain.geojson', `${kind}.gpkg`, 'first.zip'])
      expect([name, await bench.run(kind, name)]).toMatchObject([name, { stored: 0, unchanged: 1, repairedCount: 0 }]);
  }
  const found = await bench.stores.lookups.tehsilNamed({ state: 'aland', district: 'bland', tehsil: 'cland' });
  const place = await bench.stores.places.placeOfTehsil(found?.tehsilId ?? 0);
  expect(place?.tehsil.geometry).toEqual({ type: 'Polygon', coordinates: [OUTER, HOLE] });
});
