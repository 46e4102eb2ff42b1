import { createMemoryStores } from '@headwater/identity/memory';
import { expect, it } from 'vitest';
import { createPublication } from '../../../layers/publication.ts';
import { RUN } from '../run.fixture.ts';
import { fullBody } from './run-body.ts';

it('fullBody reads the publications and the scenes of a run at the same time; without an account for Earth observation, it reads no scenes', async () => {
  const { catalog, sceneUses, ...others } = createMemoryStores();
  const asked = Promise.withResolvers<void>();
  const read: string[] = [];
  const ofRun = async (id: string) => {
    read.push(id);
    asked.resolve();
    return undefined;
  };
  const itemsOfRun = async () => {
    await asked.promise;
    return [];
  };
  const stores = { ...others, catalog: { ...catalog, itemsOfRun }, sceneUses: { ...sceneUses, ofRun } };
  const deps = {
    stores,
    baseUrl: 'http://localhost',
    publication: createPublication({}, 'http://localhost'),
    mapServer: undefined,
  };
  const body = await fullBody({ ...RUN, params: { eoAccountId: 7 } }, deps);
  expect(body).toMatchObject({ run_id: 'r1', stac_items: [], scene_usage: null });
  await fullBody(RUN, deps);
  expect(read).toEqual(['r1']);
});
