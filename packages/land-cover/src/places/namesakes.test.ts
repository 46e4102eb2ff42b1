import type { Deliverable } from '@headwater/core';
import { createMemoryDomainStores } from '@headwater/core/memory';
import { expect, test } from 'vitest';
import { days, fakeContext, fakePixels, fakePorts, finds, MWS, noRequests, PLACE, scene } from '../pipeline.fixture.ts';
import { lulcPipeline } from '../pipeline.ts';

const PLAIN = 'lulc_vector_aurangabad_aurangabad';

function world() {
  const stores = createMemoryDomainStores();
  const addAurangabad = async (state: string): Promise<number> => {
    const { geometry } = PLACE.tehsil;
    const names = { state, district: 'Aurangabad', tehsil: 'Aurangabad' };
    return (await stores.places.saveBundle({ ...names, geometry, mws: MWS, villages: [] })).tehsil.id;
  };
  const compute = async (tehsilId: number): Promise<Deliverable> => {
    const scenes = days(2020).map((day) => scene(day));
    const ports = { places: stores.places, earthObservation: finds(scenes) };
    const pixels = fakePixels(noRequests());
    const params = { tehsilId, startYear: 2020, endYear: 2020, eoAccountId: 1 };
    return await lulcPipeline.execute(params, fakePorts({ ...ports, pixels }, new Map()), fakeContext());
  };
  const publish = async (id: string, output: Deliverable): Promise<unknown> => {
    await stores.runs.enqueue({ id, pipeline: 'p', params: {}, fingerprint: id, ownerId: 1 });
    const run = await stores.runs.claim({ workerId: 'w', leaseMs: 60_000, pipelines: ['p'], maxAttempts: 3 });
    const layers = output.layers.map((layer) => ({ ...layer, assetKey: `${id}/1/file` }));
    return await stores.runs.publish(id, run?.token ?? 0, { ...output, layers });
  };
  const layer = (name: string) => stores.catalog.layer('lulc_vector', name);
  return { stores, addAurangabad, compute, publish, layer };
}

test('gives the layers of Aurangabad/Aurangabad in two states different names, and the first name remains valid', async () => {
  const { stores, addAurangabad, compute, publish, layer } = world();
  const bihar = await addAurangabad('Bihar');
  await publish('bihar-1', await compute(bihar));
  expect(await layer(PLAIN)).toMatchObject({ tehsilId: bihar, assetKey: 'bihar-1/1/file' });

  const maharashtra = await addAurangabad('Maharashtra');
  await publish('maharashtra-1', await compute(maharashtra));
  expect(await layer(PLAIN)).toMatchObject({ tehsilId: bihar, assetKey: 'bihar-1/1/file' });
  expect(await layer('lulc_vector_maharashtra_aurangabad_aurangabad')).toMatchObject({ tehsilId: maharashtra });

  await publish('bihar-2', await compute(bihar));
  for (const name of [PLAIN, 'lulc_vector_bihar_aurangabad_aurangabad'])
    expect(await layer(name)).toMatchObject({ tehsilId: bihar, assetKey: 'bihar-2/1/file' });
  const names = (await stores.catalog.layersOf(bihar)).map(({ layerName }) => layerName);
  expect(names.filter((name) => !/level_[12]$/.test(name))).toEqual([
    'LULC_20_21_bihar_aurangabad_aurangabad_level_3',
    'lulc_vector_bihar_aurangabad_aurangabad',
  ]);
  expect(await stores.catalog.collections()).toEqual([
    'bihar/aurangabad/aurangabad',
    'maharashtra/aurangabad/aurangabad',
  ]);
});

test('rejects the second of two runs that started before the directory had both places; a restart of the second run succeeds', async () => {
  const { addAurangabad, compute, publish, layer } = world();
  const bihar = await addAurangabad('Bihar');
  const early = await compute(bihar);
  const maharashtra = await addAurangabad('Maharashtra');
  const plain = {
    ...(await compute(maharashtra)),
    layers: early.layers.map((each) => ({ ...each, tehsilId: maharashtra })),
  };
  await publish('bihar-1', early);
  await expect(publish('maharashtra-1', plain)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Start the run again'),
  });
  expect(await publish('maharashtra-2', await compute(maharashtra))).toBe('ok');
  expect(await layer(PLAIN)).toMatchObject({ tehsilId: bihar });
});

test('a tehsil with the name of its district has a Collection and Items that are separate from those of the district', async () => {
  const { stores, addAurangabad, compute, publish } = world();
  await publish('r1', await compute(await addAurangabad('Bihar')));
  const [item] = await stores.catalog.itemsOf('bihar/aurangabad/aurangabad');
  expect(item?.item['collection']).toBe('bihar_aurangabad_aurangabad');
});
