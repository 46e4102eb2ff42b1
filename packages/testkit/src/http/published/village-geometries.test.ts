import { createApiKeys } from '@headwater/identity';
import { EXAMPLE_NAMES } from '@headwater/http-service';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newUser } from '../../stores/sample.ts';
import { publishedWorld, type PublishedWorld } from '../fixture/published-world.ts';
import { SAMPLE_PLACE } from '../fixture/sample-place.ts';

// What the layer shows and what the directory knows part whenever a boundary is imported after the layer was made.

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
/** What the layer has where no village is known. */
const TEHSIL = [feature(0, SAMPLE_PLACE.tehsil)];

const know = async (villages: typeof SAMPLE_PLACE.villages): Promise<unknown> =>
  await world.stores.places.saveBundle({ ...SAMPLE_PLACE, villages });
async function ask(method = 'GET'): Promise<readonly [number, string]> {
  const path = `/api/v1/get_village_geometries/?${new URLSearchParams(EXAMPLE_NAMES).toString()}`;
  const answer = await world.get(path, { method, headers: { 'x-api-key': key } });
  return [answer.status, await answer.text()];
}

it('villages of the layer are told though the directory has none any more', async () => {
  await world.publish(1);
  await know([]);
  expect(await ask()).toEqual([200, expect.stringContaining('Sample Village')]);
});

it('the tehsil in their place is none of them: villages that are known by now are told', async () => {
  await world.publish(1, TEHSIL);
  expect(await ask()).toEqual([200, expect.stringContaining('"vill_name":"Sample Village"')]);
  expect(await ask('HEAD')).toEqual([200, '']);
  await know([]);
  expect(await ask()).toEqual([404, expect.stringContaining('No village boundaries of Sample Tehsil are imported')]);
});

it('a village may have the id 0 among others, and a layer may have one village', async () => {
  await world.publish(1, [...TEHSIL, feature(7, 'Sample Village')]);
  expect((await ask())[0]).toBe(200);
  await world.publish(2, [feature(7, 'says "totalFeatures":1, and "vill_ID":0')]);
  expect((await ask())[0]).toBe(200);
});
