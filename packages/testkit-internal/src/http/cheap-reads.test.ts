import type { CatalogStore, DataStore } from '@headwater/core/ports';
import type { PlaceStore } from '@headwater/core';
import { EXAMPLE_ITEM, createHeadwater, toFetchHandler } from '@headwater/http-service';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { jsonInit } from './suite/harness.ts';
import { publishedWorld } from './fixture/published-world.ts';
import { createSampleService, SAMPLE_SECRET, SAMPLE_USERS } from './fixture/sample-service.ts';

// Public GETs have no rate limit, so a GET must read only the data that the response needs.

let get: (path: string, init?: RequestInit) => Promise<Response>;
let close: () => Promise<void>;
let key: string;
let signedIn: RequestInit;
let heavy: string[] = [];

beforeAll(async () => {
  const sample = await createSampleService();
  const { stores } = sample;
  const watched = createHeadwater({
    baseUrl: 'http://headwater.example',
    secret: SAMPLE_SECRET,
    stores: {
      ...stores,
      catalog: recordingCalls<CatalogStore>(stores.catalog, ['itemsOf', 'itemsOfRun', 'item']),
      places: recordingCalls<PlaceStore>(stores.places, [
        'tehsils',
        'findTehsil',
        'mwsOf',
        'villagesOf',
        'placeOfTehsil',
      ]),
      data: recordingCalls<DataStore>(stores.data, ['table', 'rowOf', 'rowsOf']),
    },
  });
  const fetchHandler = toFetchHandler(watched.service);
  get = (path, init) => fetchHandler(new Request(`http://headwater.example${path}`, init));
  close = () => sample.close();
  const user = await stores.users.byUsername(SAMPLE_USERS.owner.username);
  const login = await get('/api/v1/auth/login/', jsonInit(SAMPLE_USERS.owner));
  signedIn = { headers: { authorization: `Bearer ${((await login.json()) as { access: string }).access}` } };
  if (user === undefined) throw new Error('fixture: the owner is missing');
  key = (await watched.apiKeys.generate({ kind: 'user', user })).text;
});
beforeEach(() => {
  heavy = [];
});
afterAll(() => close());

function recordingCalls<S extends object>(store: S, names: readonly (keyof S & string)[]): S {
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

it('the Collection of a tehsil loads only its own Items and has the same extent as the Collection of the state', async () => {
  const extentAt = async (path: string): Promise<unknown> =>
    ((await (await get(path)).json()) as { extent: unknown }).extent;
  const block = await extentAt('/api/v1/stac/sample_state/sample_district/sample_tehsil/');
  expect(heavy).toEqual(['itemsOf']);
  expect(await extentAt('/api/v1/stac/sample_state/')).toEqual(block);
});

const PAGE = { headers: { accept: 'text/html' } };

it('the first page loads no boundary, and loads each version of an Item only once', async () => {
  expect((await get('/')).status).toBe(200);
  expect(heavy).toEqual(['item', 'item']);
  heavy = [];
  expect((await get('/')).status).toBe(200);
  expect(heavy).toEqual([]);
});

it.each(['', 'sample_state/', 'sample_state/sample_district/', 'sample_state/sample_district/sample_tehsil/'])(
  'the page of /stac/%s does not reload Items that an earlier page has loaded',
  async (path) => {
    await get('/');
    heavy = [];
    const answer = await get(`/api/v1/stac/${path}`, PAGE);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(heavy).toEqual([]);
  },
);

it('reading a run that published tables loads the Items of the run and no boundary', async () => {
  const list = (await (await get('/api/v1/runs/', signedIn)).json()) as { results: readonly { run_id: string }[] };
  const bodies = [];
  for (const { run_id: id } of list.results) {
    heavy = [];
    bodies.push(await (await get(`/api/v1/runs/${id}/`, signedIn)).json());
    expect(heavy).toEqual(['itemsOfRun']);
  }
  const links = { json: expect.stringContaining('/tables/sample_state/sample_district/sample_tehsil/') };
  expect(bodies).toContainEqual(
    expect.objectContaining({
      tables: expect.arrayContaining([expect.objectContaining({ links: expect.objectContaining(links) })]),
    }),
  );
});

it('the page of an Item loads only that Item', async () => {
  await get('/');
  heavy = [];
  const path = '/api/v1/stac/sample_state/sample_district/sample_tehsil/items/';
  expect((await get(`${path}${EXAMPLE_ITEM}/`, PAGE)).status).toBe(200);
  expect(heavy).toEqual(['item']);
});

it('an unknown Collection loads nothing', async () => {
  expect((await get('/api/v1/stac/nowhere/')).status).toBe(404);
  expect((await get('/api/v1/stac/sample_state/nowhere/nothing/')).status).toBe(404);
  expect(heavy).toEqual([]);
});

it('get_blocks loads no boundary', async () => {
  const answer = await get('/api/v1/get_blocks/1/');
  expect(await answer.json()).toMatchObject({ blocks: [{ tehsil_name: 'Sample Tehsil' }] });
  expect(heavy).toEqual([]);
});

it.each(['get_generated_layer_urls', 'get_mws_geometries', 'get_village_geometries'])(
  '%s loads no boundary of the directory and no Item',
  async (route) => {
    const query = 'state=sample_state&district=Sample%20District&tehsil=SAMPLE_TEHSIL';
    const answer = await get(`/api/v1/${route}/?${query}`, { headers: { 'x-api-key': key } });
    // The layers of this service have no files, so the routes of geometries return 503.
    expect(answer.status).toBe(route === 'get_generated_layer_urls' ? 200 : 503);
    expect(heavy).toEqual([]);
  },
);

it('indicators of a micro-watershed read its rows in one call', async () => {
  const query = 'state=sample_state&district=Sample%20District&tehsil=SAMPLE_TEHSIL&uid=12_100174';
  const answer = await get(`/api/v1/get_mws_kyl_indicators/?${query}`, { headers: { 'x-api-key': key } });
  expect(answer.status).toBe(200);
  expect(heavy).toEqual(['rowsOf']);
});

it.each(['', '&file_type=xlsx', '&file_type=geojson'])(
  'indicators of a whole tehsil%s are computed only once for GET, HEAD and a 304',
  async (form) => {
    const path = `/api/v1/download_kyl_data/?state=sample_state&district=Sample%20District&block=SAMPLE_TEHSIL${form}`;
    const first = await get(path);
    expect([first.status, heavy.includes('table')]).toEqual([200, true]);
    expect(heavy.includes('mwsOf')).toBe(form.endsWith('geojson'));
    heavy = [];
    const known = { headers: { 'if-none-match': first.headers.get('etag') ?? '' } };
    expect([(await get(path)).status, (await get(path, { method: 'HEAD' })).status]).toEqual([200, 200]);
    expect([(await get(path, known)).status, heavy]).toEqual([304, []]);
  },
);

it('indicators of the villages of a tehsil are computed only once, and no boundary is read', async () => {
  const path = '/api/v1/download_kyl_village_data?state=sample_state&district=Sample%20District&block=SAMPLE_TEHSIL';
  expect((await get(path)).status).toBe(200);
  expect(heavy).toEqual(['table', 'table']);
  heavy = [];
  expect([(await get(path)).status, (await get(path, { method: 'HEAD' })).status, heavy]).toEqual([200, 200, []]);
});

it('the features of a layer are converted once per version, and are not read for HEAD, a 304 or a 412', async () => {
  const world = await publishedWorld();
  await world.publish(1);
  const { assets } = (await (
    await world.get(
      '/api/v1/stac/sample_state/sample_district/sample_tehsil/items/sample_state_sample_district_sample_tehsil_sample_vector/',
    )
  ).json()) as { assets: { data: { href: string } } };
  const { href } = assets.data;
  const etag = (await world.get(href, { method: 'HEAD' })).headers.get('etag') ?? '';
  expect(world.read()).toEqual(['example.geojson']);
  const whole = await (await world.get(href)).text();
  expect(world.read()).toEqual(['example.geojson.ows.json']);
  const ask = async (headers: Record<string, string>, method = 'GET'): Promise<[number, number]> => {
    const answer = await world.get(href, { method, headers });
    return [answer.status, (await answer.arrayBuffer()).byteLength];
  };
  expect(await ask({}, 'HEAD')).toEqual([200, 0]);
  expect(await ask({ 'if-none-match': etag })).toEqual([304, 0]);
  expect(await ask({ 'if-none-match': `W/${etag}, "x"` })).toEqual([304, 0]);
  expect(await ask({ 'if-match': '"x"' })).toEqual([412, 0]);
  expect(world.read()).toEqual([]);
  expect(await ask({ range: 'bytes=10-19', 'if-range': etag })).toEqual([206, 10]);
  expect(world.read()).toEqual(['example.geojson.ows.json']);
  expect(JSON.parse(whole)).toMatchObject({ totalFeatures: 1, features: [{ geometry_name: 'geom' }] });
  await world.close();
});

it('a failed If-Match returns 412 before the features of a layer are converted', async () => {
  const world = await publishedWorld();
  await world.publish(1);
  const query = 'service=WFS&version=1.0.0&request=GetFeature&outputFormat=json';
  const href = `/geoserver/sample_vectors/ows?${query}&typeName=sample_vector_sample_district_sample_tehsil`;
  expect((await world.get(href, { headers: { 'if-match': '"x"' } })).status).toBe(412);
  expect(world.read()).toEqual([]);
  await world.close();
});
