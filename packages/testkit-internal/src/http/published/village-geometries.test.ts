import { createApiKeys } from '@headwater/identity';
import { EXAMPLE_NAMES } from '@headwater/http-service';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newUser } from '@headwater/testkit/stores';
import { publishedWorld, type PublishedWorld } from '../fixture/published-world.ts';
import { SAMPLE_PLACE } from '../fixture/sample-place.ts';

// Tests which villages the route returns: those of the published layer, or the imported ones if the layer has none.

let world: PublishedWorld;
let key: string;
beforeEach(async () => {
  world = await publishedWorld();
  const { stores } = world;
  const user = await stores.users.create(newUser('asha'));
  const keys = createApiKeys({ stores, clock: { now: () => new Date() } });
  key = (await keys.generate({ kind: 'user', user })).text;
});
afterEach(() => world.close());

const { geometry } = SAMPLE_PLACE;
const feature = (id: number, name: string): unknown => ({
  type: 'Feature',
  properties: { vill_ID: id, vill_name: name, area_in_ha: 1 },
  geometry,
});
const TEHSIL = [feature(0, SAMPLE_PLACE.tehsil)];

const importVillages = async (villages: typeof SAMPLE_PLACE.villages): Promise<unknown> =>
  await world.stores.places.saveBundle({ ...SAMPLE_PLACE, villages });
async function ask(method = 'GET'): Promise<readonly [number, string]> {
  const path = `/api/v1/get_village_geometries/?${new URLSearchParams(EXAMPLE_NAMES).toString()}`;
  const answer = await world.get(path, { method, headers: { 'x-api-key': key } });
  return [answer.status, await answer.text()];
}

it('returns the villages of the layer even if the imported villages were removed', async () => {
  await world.publish(1);
  await importVillages([]);
  expect(await ask()).toEqual([200, expect.stringContaining('Sample Village')]);
});

it('returns the imported villages if the layer contains only the tehsil, and 404 if no villages are imported', async () => {
  await world.publish(1, TEHSIL);
  expect(await ask()).toEqual([200, expect.stringContaining('"vill_name":"Sample Village"')]);
  expect(await ask('HEAD')).toEqual([200, '']);
  await importVillages([]);
  expect(await ask()).toEqual([404, expect.stringContaining('No village boundaries of Sample Tehsil are imported')]);
});

it('returns the layer if it contains the tehsil (id 0) and a village, or only a village with JSON in its name', async () => {
  await world.publish(1, [...TEHSIL, feature(7, 'Sample Village')]);
  expect((await ask())[0]).toBe(200);
  await world.publish(2, [feature(7, 'says "totalFeatures":1, and "vill_ID":0')]);
  expect((await ask())[0]).toBe(200);
});
