import { type AnyPipeline, DomainError, type PixelEngine } from '@headwater/core';
import { createMemoryAssets } from '@headwater/core/memory';
import { createMemoryStores } from '@headwater/identity/memory';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { toFetchHandler } from './hosts/fetch-handler.ts';
import type { HeadwaterOptions } from './headwater-options.ts';
import { createHeadwater, type Headwater } from './headwater.ts';
import { createScryptHasher } from './features/accounts/scrypt-hasher.ts';
import { samplePipeline } from './layers/sample-layer.fixture.ts';

const SECRET = 'a key for tests only, never for a real service';
const BASE = 'http://localhost';

async function signedIn(
  options: Partial<HeadwaterOptions>,
): Promise<{ headwater: Headwater; post: (path: string, body: unknown) => Promise<Response> }> {
  const stores = createMemoryStores();
  const headwater = createHeadwater({
    baseUrl: BASE,
    secret: SECRET,
    stores,
    identity: { hasher: createScryptHasher({ N: 1024, r: 8, p: 1 }) },
    ...options,
  });
  const account = { username: 'asha', password: 'a long password' };
  await headwater.accounts.createUser(account);
  const { access: token } = await headwater.accounts.login(account, undefined);
  const handler = toFetchHandler(headwater.service);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = (path: string, body: unknown): Promise<Response> =>
    handler(new Request(BASE + path, { method: 'POST', headers, body: JSON.stringify(body) }));
  return { headwater, post };
}

const untouched = { close: async () => {}, release: async () => {} } as Partial<PixelEngine> as PixelEngine;

function failing(error: DomainError): AnyPipeline {
  return {
    ...samplePipeline,
    request: z.object({}),
    resolve: async () => ({ tehsilId: 1, startYear: 2020, endYear: 2020, eoAccountId: 1 }),
    execute: async () => {
      throw error;
    },
  };
}

test('with wait=true, the response for a failed run has the reason of the failure, and the HTTP status of its error code', async () => {
  const pipelines = [failing(new DomainError('no_scenes', 'No scene in 2020; choose another year.'))];
  const compute = {
    assets: createMemoryAssets(),
    pixels: untouched,
    earthObservation: { search: async () => ({ scenes: [], rejected: [] }) },
  };
  const { headwater, post } = await signedIn({ pipelines, compute });
  await headwater.start();
  const answer = await post('/api/v1/sample_layer/', { wait: true });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({
    status: 'failed',
    code: 'no_scenes',
    message: 'No scene in 2020; choose another year.',
    run_id: expect.stringMatching(/^[\w-]{36}$/),
    execution_time: expect.any(Number),
  });
  await headwater.close();
});

test('without a pixel engine, computing is refused immediately, with the reason', async () => {
  const { headwater, post } = await signedIn({ pipelines: [failing(new DomainError('internal', 'not reached'))] });
  const answer = await post('/api/v1/sample_layer/', {});
  expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
    503,
    expect.stringContaining('compute'),
  ]);
  await headwater.close();
});

test('with worker: false and without a pixel engine, runs are queued for another process with the same stores', async () => {
  const pipelines = [failing(new DomainError('internal', 'not reached'))];
  const { headwater, post } = await signedIn({ pipelines, compute: { worker: false } });
  expect(headwater.worker).toBeUndefined();
  expect((await post('/api/v1/sample_layer/', {})).status).toBe(202);
  await headwater.close();
});

test('while the database does not answer, the first page is served, and shows that the database is failing', async () => {
  const gone = (): Promise<never> => Promise.reject(new DomainError('unavailable', 'the database does not answer'));
  const memory = createMemoryStores();
  const stores = { ...memory, ping: gone, catalog: { ...memory.catalog, newest: gone } };
  const { service } = createHeadwater({ baseUrl: BASE, secret: SECRET, stores });
  const answer = await toFetchHandler(service)(new Request(`${BASE}/`));
  const page = await answer.text();
  expect([answer.status, page]).toEqual([200, expect.stringContaining('cannot be listed')]);
  expect(page).toContain('<span>database</span><span class="failing">failing</span>');
});

test('with validateResponses, a response that does not match the schema of its operation becomes a 500 and is logged once', async () => {
  const logged: unknown[] = [];
  const logger = { debug: () => {}, info: () => {}, error: (fields: unknown) => void logged.push(fields) };
  const states = async (): Promise<never[]> => [{ id: 'not a number', name: 'X', isActive: true }] as never[];
  const memory = createMemoryStores();
  const stores = { ...memory, places: { ...memory.places, states } };
  const { service } = createHeadwater({ baseUrl: BASE, secret: SECRET, stores, logger, validateResponses: true });
  const answer = await toFetchHandler(service)(new Request(`${BASE}/api/v1/get_states/`));
  expect(answer.status).toBe(500);
  expect(JSON.stringify(logged)).toContain('listStates: response 200 does not match its schema');
  expect(logged).toHaveLength(1);
});

test('createHeadwater refuses invalid addresses and secrets', () => {
  expect(() => createHeadwater({ baseUrl: 'localhost:8000', secret: SECRET })).toThrow(/baseUrl/);
  expect(() => createHeadwater({ baseUrl: BASE, secret: 'short' })).toThrow(/secret/);
});

test('the base address is normalized in responses', async () => {
  const { service } = createHeadwater({ baseUrl: 'HTTPS://Maps.Example/größe "x"/', secret: SECRET });
  const answer = await toFetchHandler(service)(new Request(`${BASE}/api/v1/stac-api/search`));
  const page: { links: { rel: string; href: string }[] } = JSON.parse(await answer.text());
  const base = 'https://maps.example/gr%C3%B6%C3%9Fe%20%22x%22';
  expect(page.links.find(({ rel }) => rel === 'self')?.href).toBe(`${base}/api/v1/stac-api/search`);
});
