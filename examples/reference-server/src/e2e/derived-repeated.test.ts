import type { Deliverable } from '@headwater/core';
import { collectionId, collectionPath, instant, itemId, vectorItem } from '@headwater/stac';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DerivedService, startDerivedService } from './derived-service.fixture.ts';
import { createPaintedPipeline, PAINTED_PLACE } from './painted-land-cover.fixture.ts';

const { state, district, tehsil: block } = PAINTED_PLACE;
const painted = createPaintedPipeline();

/** Painted land cover that publishes a vector beside its rasters, as the real one does. */
const landCover: typeof painted = {
  ...painted,
  async execute(params, ports, context): Promise<Deliverable> {
    const rasters = await painted.execute(params, ports, context);
    const text = JSON.stringify({ type: 'FeatureCollection', features: [] });
    const file = await ports.assets.write(context.run.id, context.run.token, 'vector.geojson', text);
    const path = collectionPath(state, district, block);
    const id = itemId({ state, district, block, layer: 'land_use_land_cover_vector' });
    const layerName = 'lulc_vector_nirmalgarh_rangpur';
    const published = instant(ports.now());
    const item = vectorItem({
      id,
      geometry: PAINTED_PLACE.geometry,
      title: 'Painted areas',
      description: 'Painted, for a test.',
      start: instant(`${params.startYear}-07-01T00:00:00Z`),
      end: instant(`${params.endYear + 1}-06-30T00:00:00Z`),
      published,
      keywords: ['painted'],
      processing: { lineage: 'Painted.', software: { headwater: '0.0.0' } },
      root: { href: ports.addresses.catalog(), title: 'Root' },
      collection: { id: collectionId(path), href: ports.addresses.collection(path), title: block },
      self: ports.addresses.item(path, id),
      columns: [{ name: 'uid', type: 'object', description: 'Micro-watershed' }],
      rowCount: 0,
      assets: {
        data: { href: ports.addresses.features('lulc_vector', layerName), title: 'Vector' },
        geojson: { href: ports.addresses.file(file.key), title: 'GeoJSON', file },
      },
    });
    const layer = { workspace: 'lulc_vector', layerName, datasetName: 'LULC', layerType: 'vector' as const };
    const { tehsilId } = params;
    return {
      ...rasters,
      items: [...rasters.items, { id, collectionPath: path, item: { ...item } }],
      layers: [...rasters.layers, { ...layer, tehsilId, itemId: id, assetKey: file.key, styleKey: null }],
    };
  },
};

let service: DerivedService;
beforeAll(async () => void (service = await startDerivedService({ landCover })));
afterAll(() => service.close());

const years = (from: number, to = from) => ({ start_year: from, end_year: to });

/** Makes a layer, which has to go well; true where a stored result answered. */
async function isReused(route: string, body: Readonly<Record<string, unknown>>): Promise<unknown> {
  const { status, body: answer } = await service.make(route, body);
  expect([status, answer['error']]).toEqual([200, undefined]);
  return answer['reused'];
}

it('areas made again of the same rasters leave the stored land cover as the answer to an equal request', async () => {
  expect(await isReused('lulc_for_tehsil', years(2019, 2020))).toBe(false);
  expect(await isReused('lulc_vector', years(2019, 2020))).toBe(false);
  expect(await isReused('lulc_for_tehsil', years(2019, 2020))).toBe(true);
  expect(await isReused('lulc_vector', years(2019, 2020))).toBe(true);
});

it('areas of fewer years do not stand for those of all, and areas of all do so again', async () => {
  await isReused('lulc_for_tehsil', years(2019, 2020));
  expect(await isReused('lulc_vector', years(2020))).toBe(false);
  const { body } = await service.make('lulc_vector', years(2019, 2020));
  expect(body['reused']).toBe(false);
  expect(await isReused('lulc_for_tehsil', years(2019, 2020))).toBe(true);
});

it('a layer of older inputs does not answer once they were computed anew', async () => {
  const asked = years(2017, 2018);
  const made = ['lulc_vector', 'generate_ci_layer'];
  await isReused('lulc_for_tehsil', asked);
  for (const route of made) expect([route, await isReused(route, asked)]).toEqual([route, false]);
  for (const route of made) expect([route, await isReused(route, asked)]).toEqual([route, true]);
  expect(await isReused('lulc_for_tehsil', { ...asked, overwrite: true })).toBe(false);
  for (const route of made) expect([route, await isReused(route, asked)]).toEqual([route, false]);
  // One year of the two is enough.
  await isReused('lulc_for_tehsil', { ...years(2018), overwrite: true });
  for (const route of made) expect([route, await isReused(route, asked)]).toEqual([route, false]);
});
