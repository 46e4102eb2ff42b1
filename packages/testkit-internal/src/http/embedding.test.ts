import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createMemoryStores } from '@headwater/identity/memory';
import { createExpressRouter } from '@headwater/http-adapter-express';
import { headwaterPlugin } from '@headwater/http-adapter-fastify';
import { createHeadwater, EXAMPLE_RUN, type HeadwaterEvents, toFetchHandler } from '@headwater/http-service';
import express from 'express';
import fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSampleService, SAMPLE_SECRET, SAMPLE_USERS } from './fixture/sample-service.ts';
import { jsonInit } from './suite/harness.ts';

const BASE = 'http://headwater.example';
const COMPUTE = '/api/v1/lulc_for_tehsil/';
const TEHSIL = { state: 'Sample State', district: 'Sample District', block: 'Sample Tehsil' };

async function sample(options: Parameters<typeof createSampleService>[0] = {}) {
  const service = await createSampleService(options);
  onTestFinished(() => service.close());
  return service;
}

describe('events of a service', () => {
  it('report the start of a run, its Items and its end, once each', async () => {
    const headwater = await sample();
    const seen: string[] = [];
    const ended = new Promise<Parameters<HeadwaterEvents['run.ended']>[0]>((resolve) => {
      headwater.events.on('run.started', ({ id }) => void seen.push(`started ${id}`));
      headwater.events.on('item.published', ({ runId, id }) => void seen.push(`item ${runId} ${id}`));
      headwater.events.on('import.ended', ({ id }) => void seen.push(`import ${id}`));
      headwater.events.on('run.ended', (run) => {
        seen.push(`ended ${run.id} ${run.state}`);
        resolve(run);
      });
    });
    const { access } = await headwater.accounts.login(SAMPLE_USERS.owner, undefined);
    await headwater.start();
    const body = { ...TEHSIL, start_year: 2021, end_year: 2021, eo_account_id: 1, wait: true };
    const init = jsonInit(body, { authorization: `Bearer ${access}` });
    const answer = await toFetchHandler(headwater.service)(new Request(BASE + COMPUTE, init));
    const { run_id: id } = (await answer.json()) as { run_id: string };
    const run = await ended;
    expect(run.itemIds.length).toBeGreaterThan(0);
    expect(seen).toEqual([`started ${id}`, ...run.itemIds.map((item) => `item ${id} ${item}`), `ended ${id} success`]);
  });

  it('a listener that throws stops neither the other listeners nor the run', async () => {
    const lines: string[] = [];
    const logger = { debug: () => {}, info: () => {}, error: (_: object, text: string) => void lines.push(text) };
    const headwater = await sample({ logger });
    const ended = new Promise((resolve) => {
      headwater.events.on('run.started', () => {
        throw new Error('a defect of the host');
      });
      headwater.events.on('run.ended', resolve);
    });
    const { access } = await headwater.accounts.login(SAMPLE_USERS.owner, undefined);
    await headwater.start();
    const body = { ...TEHSIL, start_year: 2021, end_year: 2021, eo_account_id: 1 };
    const init = jsonInit(body, { authorization: `Bearer ${access}` });
    await toFetchHandler(headwater.service)(new Request(BASE + COMPUTE, init));
    await expect(ended).resolves.toMatchObject({ state: 'success' });
    expect(lines).toContain('a listener of an event threw an error; correct the listener');
  });
});

it('a listener of events can be called once, get a context, and be removed; a listener that rejects is logged', async () => {
  const lines: string[] = [];
  const logger = { debug: () => {}, info: () => {}, error: (_: object, text: string) => void lines.push(text) };
  const { events } = await sample({ logger });
  const run = { id: 'r', pipeline: 'p', ownerId: 1, requestId: null, startedAt: null };
  const seen: string[] = [];
  const removed = (): void => void seen.push('removed');
  const context = { name: 'context' };
  events.once('run.started', () => void seen.push('once'));
  events.on('run.started', removed).off('run.started', removed);
  events.on(
    'run.started',
    function note(this: { readonly name: string }) {
      seen.push(this.name);
    },
    context,
  );
  const rejecting: () => unknown = async () => {
    throw new Error('a defect of the host');
  };
  events.on('run.started', rejecting);
  events.emit('run.started', run);
  events.emit('run.started', run);
  await Promise.resolve();
  expect(seen).toEqual(['once', 'context', 'context']);
  await expect.poll(() => lines).toEqual(Array(2).fill('a listener of an event threw an error; correct the listener'));
});

it('start() rejects and names the option `secret` if a service with another secret runs on the same database', async () => {
  const values = new Map<string, string>();
  const stores = createMemoryStores();
  const agree = async (name: string, value: string): Promise<boolean> => {
    const known = values.get(name) ?? value;
    values.set(name, known);
    return known === value;
  };
  const shared = { ...stores, installation: { ...stores.installation, agree } };
  const own = (secret: string) => createHeadwater({ baseUrl: BASE, secret, stores: shared });
  const [first, same, other] = [own(SAMPLE_SECRET), own(SAMPLE_SECRET), own(`another: ${SAMPLE_SECRET}`)];
  await first.start();
  await same.start();
  await expect(other.start()).rejects.toThrow(/^secret: .*the same secret/);
  expect(JSON.stringify([...values])).not.toContain(SAMPLE_SECRET);
  await Promise.all([first, same, other].map((each) => each.close()));
});

describe('a fetch handler with a prefix', () => {
  it('serves only the paths below the prefix', async () => {
    const { service } = await sample({ baseUrl: `${BASE}/geo` });
    const handle = toFetchHandler(service, { prefix: '/geo/' });
    const status = async (path: string): Promise<number> => (await handle(new Request(BASE + path))).status;
    expect(await status('/geo/api/health')).toBe(200);
    expect(await status('/geo')).toBe(200);
    expect(await status('/geo/no-such-path')).toBe(404);
    expect(await status('/api/health')).toBe(404);
    expect(await status('/geology/api/health')).toBe(404);
    expect(() => toFetchHandler(service, { prefix: 'geo' })).toThrow(/prefix.*\/geo/);
  });
});

describe('the operation of a request is visible to the host', () => {
  const PATHS = [
    [`/api/v1/runs/${EXAMPLE_RUN}/`, '/api/v1/runs/:id/', 'getRun'],
    ['/api/health', '/api/health', 'getHealth'],
  ] as const;

  it('as the route of Express', async () => {
    const { service } = await sample();
    const seen: unknown[] = [];
    const app = express()
      .use((req, res, next) => {
        res.on('finish', () => seen.push([req.baseUrl, req.route?.path, res.locals['operationId']]));
        next();
      })
      .use('/geo', createExpressRouter(service));
    const server = createServer(app).listen(0);
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `http://localhost:${(server.address() as AddressInfo).port}/geo`;
    for (const [path] of PATHS) await (await fetch(url + path)).text();
    expect(seen).toEqual(PATHS.map(([, pattern, id]) => ['/geo', pattern, id]));
  });

  it('as the route of Fastify', async () => {
    const { service } = await sample();
    const seen: unknown[] = [];
    const app = fastify();
    app.addHook('onResponse', async ({ routeOptions: { url, config }, method }) => {
      seen.push([url, config.operationIds?.[method]]);
    });
    await app.register(headwaterPlugin, { prefix: '/geo', service });
    for (const [path] of PATHS) await app.inject(`/geo${path}`);
    expect(seen).toEqual(PATHS.map(([, pattern, id]) => [`/geo${pattern}`, id]));
    await app.close();
  });
});

it("Fastify's close closes the service, except with closesService: false", async () => {
  for (const closesService of [true, false]) {
    const { service } = await sample();
    const app = fastify();
    await app.register(headwaterPlugin, { service, closesService });
    await app.close();
    const answer = await toFetchHandler(service)(new Request(`${BASE}/api/v1/stac-api/`));
    expect([closesService, answer.status]).toEqual([closesService, closesService ? 503 : 200]);
  }
});
