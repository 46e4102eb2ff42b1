import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DerivedService, startDerivedService } from './derived-service.fixture.ts';

const ORDER = { start_year: 2018, end_year: 2019 };

let service: DerivedService;
beforeAll(async () => {
  service = await startDerivedService();
});
afterAll(() => service.close());

it('map_1 publishes the boundary, then the micro-watersheds, and names the layers without a pipeline', async () => {
  const { status, body } = await service.make('generate_layer_in_order', { ...ORDER, map: 'map_1' });
  expect([status, body['not_available']]).toEqual([200, ['generate_nrega_layer']]);
  const [block, mws] = body['runs'] as readonly { readonly run_id: string }[];
  expect(block).toMatchObject({ node: 'generate_block_layer', after: [] });
  expect(mws).toMatchObject({ node: 'generate_mws_layer', after: [block?.run_id] });
  await service.ended(String(body['run_id']));
  const published = (await service.layers()).map(({ workspace, layerName }) => `${workspace}:${layerName}`).sort();
  expect(published).toEqual(['mws:mws_nirmalgarh_rangpur', 'panchayat_boundaries:nirmalgarh_rangpur']);
  const again = await service.make('generate_layer_in_order', { ...ORDER, map: 'map_1' });
  expect(again.body).toMatchObject({ status: 'success', Success: expect.stringContaining('Nothing to compute') });
});

it('map_2_1 starts no run and names its layers, because no pipeline computes them', async () => {
  const { status, body } = await service.make('generate_layer_in_order', { ...ORDER, map: 'map_2_1' });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    run_id: null,
    runs: [],
    not_available: ['hydrology_fortnightly', 'hydrology_annual'],
  });
});
