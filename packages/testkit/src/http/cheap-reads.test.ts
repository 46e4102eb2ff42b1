import type { CatalogStore, PlaceStore } from '@headwater/core';
import { createHeadwater, toFetchHandler } from '@headwater/http-service';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSampleService, SAMPLE_SECRET } from './fixture/sample-service.ts';

// Public GETs are what everybody may send as often as they like: each must cost what its answer needs, and no more.

let get: (path: string, init?: RequestInit) => Promise<Response>;
let close: () => Promise<void>;
/** Calls that load whole Items or boundaries. */
let heavy: string[] = [];

beforeAll(async () => {
  const sample = await createSampleService();
  const { stores } = sample;
  const watched = createHeadwater({
    baseUrl: 'http://headwater.example',
    secret: SAMPLE_SECRET,
    stores: {
      ...stores,
      catalog: noting<CatalogStore>(stores.catalog, ['itemsOf', 'itemById']),
      places: noting<PlaceStore>(stores.places, ['tehsils', 'mwsOf', 'villagesOf', 'placeOfTehsil']),
    },
  });
  const fetchHandler = toFetchHandler(watched.service);
  get = (path, init) => fetchHandler(new Request(`http://headwater.example${path}`, init));
  close = () => sample.close();
});
beforeEach(() => {
  heavy = [];
});
afterAll(() => close());

/** The same store, noting the calls of these methods. */
function noting<S extends object>(store: S, names: readonly (keyof S & string)[]): S {
  return new Proxy(store, {
    get: (target, key, receiver) => {
      const name = names.find((each) => each === key);
      if (name !== undefined) heavy.push(name);
      const member: unknown = Reflect.get(target, key, receiver);
      return member;
    },
  });
}

it.each(['', 'sample_state/', 'sample_state/sample_district/'])('/stac/%s loads no Item', async (path) => {
  const answer = await get(`/api/v1/stac/${path}`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    links: expect.arrayContaining([expect.objectContaining({ rel: 'child' })]),
  });
  expect(heavy).toEqual([]);
});

it('a block loads its own Items only, and has the extent that its state has', async () => {
  const extentAt = async (path: string): Promise<unknown> =>
    ((await (await get(path)).json()) as { extent: unknown }).extent;
  const block = await extentAt('/api/v1/stac/sample_state/sample_district/sample_tehsil/');
  expect(heavy).toEqual(['itemsOf']);
  expect(await extentAt('/api/v1/stac/sample_state/')).toEqual(block);
});

it('an unknown Collection loads nothing', async () => {
  expect((await get('/api/v1/stac/nowhere/')).status).toBe(404);
  expect((await get('/api/v1/stac/sample_state/nowhere/nothing/')).status).toBe(404);
  expect(heavy).toEqual([]);
});

it('the blocks of a district load no boundary', async () => {
  const answer = await get('/api/v1/get_blocks/1/');
  expect(await answer.json()).toMatchObject({ blocks: [{ tehsil_name: 'Sample Tehsil' }] });
  expect(heavy).toEqual([]);
});
