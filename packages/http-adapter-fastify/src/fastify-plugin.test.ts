import { createHeadwater, type Operation, type Service } from '@headwater/http-service';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { frameworkErrors, headwaterPlugin } from './fastify-plugin.ts';

const started: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((app) => app.close()));
});

function serviceOf(): Service {
  return createHeadwater({ baseUrl: 'http://localhost', secret: crypto.getRandomValues(new Uint8Array(32)) }).service;
}

async function host(catchAll: boolean, prefix = ''): Promise<FastifyInstance> {
  const app = fastify();
  started.push(app);
  app.get('/hello', () => 'from the host');
  if (prefix !== '' || !catchAll) app.setNotFoundHandler((_request, reply) => reply.code(418).send('host 404'));
  await app.register(headwaterPlugin, { service: serviceOf(), prefix, catchAll });
  return app;
}

const SERVICE_ERROR = { code: 'not_found', request_id: expect.any(String) };

test('with catchAll the service handles all paths below the prefix, and the host handles the other paths', async () => {
  const app = await host(true, '/geo');
  for (const url of ['/geo/nope', '/geo/api/v1/stac/a/b/c/d/e/', '/geo/api/v1/nothing/']) {
    const response = await app.inject(url);
    expect([response.statusCode, response.json()]).toEqual([404, expect.objectContaining(SERVICE_ERROR)]);
  }
  const wrongType = {
    method: 'POST',
    url: '/geo/nope',
    headers: { 'content-type': 'text/xml' },
    payload: '<a/>',
  } as const;
  expect((await app.inject(wrongType)).json()).toMatchObject(SERVICE_ERROR);
  expect((await app.inject('/hello')).body).toBe('from the host');
  expect((await app.inject('/nope')).body).toBe('host 404');
});

test("with catchAll at the root, unknown paths and methods get the service's errors", async () => {
  const app = await host(true);
  expect((await app.inject('/nope')).json()).toMatchObject(SERVICE_ERROR);
  expect((await app.inject({ method: 'DELETE', url: '/api/v1/get_states/' })).statusCode).toBe(405);
  expect((await app.inject('/hello')).body).toBe('from the host');
});

test('without catchAll the host handles unknown paths, also below paths of the service with parameters', async () => {
  const app = await host(false, '/geo');
  for (const url of ['/geo/nope', '/geo/api/v1/stac/a/b/c/d/e/', '/geo/api/v1/get_districts/1/2/']) {
    expect((await app.inject(url)).body).toBe('host 404');
  }
  expect((await app.inject('/geo/api/v1/get_districts/1/')).statusCode).toBe(200);
});

test("parameters can be longer than the host's default maxParamLength", async () => {
  const app = await host(false);
  const response = await app.inject(
    `/api/v1/stac/sample_state/sample_district/sample_tehsil/items/${'a'.repeat(180)}/`,
  );
  expect(response.json()).toMatchObject(SERVICE_ERROR);
});

test("addresses that Fastify cannot decode get the service's errors", async () => {
  const service = serviceOf();
  const app = fastify({ frameworkErrors: frameworkErrors(service) });
  started.push(app);
  await app.register(headwaterPlugin, { service, catchAll: true });
  expect((await app.inject('/api/v1/stac/%ff/')).json()).toMatchObject({ code: 'parse' });
});

const FEATURES = '/geoserver/panchayat_boundaries/ows?service=WFS&version=2.0.0&request=GetCapabilities';
const isOurs = async (app: FastifyInstance, url: string): Promise<boolean> =>
  (await app.inject(url)).headers['x-request-id'] !== undefined;

test.each([true, false])(
  'a wildcard route of the host handles all paths that the service does not have; registered before the plugin: %s',
  async (isBefore) => {
    const app = fastify();
    started.push(app);
    const addHost = (): void => {
      app.all('/geoserver/*', () => 'host map server');
      app.get('/*', () => 'host pages');
    };
    if (isBefore) addHost();
    await app.register(headwaterPlugin, { service: serviceOf() });
    if (!isBefore) addHost();
    expect(await isOurs(app, FEATURES)).toBe(true);
    expect(await isOurs(app, FEATURES.replace('ows', 'wcs'))).toBe(true);
    expect((await app.inject('/geoserver/any/wms')).body).toBe('host map server');
    expect((await app.inject('/any/page')).body).toBe('host pages');
  },
);

test('on a path where the host has routes, the host handles the methods of its routes, and the service handles all other methods', async () => {
  const app = fastify();
  started.push(app);
  app.get('/api/v1/auth/login/', () => 'host page');
  await app.register(headwaterPlugin, { service: serviceOf() });
  expect((await app.inject('/api/v1/auth/login/')).body).toBe('host page');
  const login = await app.inject({ method: 'POST', url: '/api/v1/auth/login/', payload: {} });
  expect(login.headers['x-request-id']).toBeDefined();
});

test.each([
  { ignoreTrailingSlash: true },
  { ignoreDuplicateSlashes: true },
  { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
])('the plugin works in hosts with %o', async (routerOptions) => {
  for (const prefix of ['', '/geo']) {
    const app = fastify({ routerOptions });
    started.push(app);
    app.get(`${prefix}/api/v1/runs/`, () => 'host page');
    await app.register(headwaterPlugin, { service: serviceOf(), prefix });
    for (const url of ['/api/health', '/api/v1/get_states/', '/api/v1/stac/a/', FEATURES])
      expect(await isOurs(app, prefix + url)).toBe(true);
    expect((await app.inject(`${prefix}/api/v1/runs/`)).body).toBe('host page');
  }
});

const untilClosed: Operation = {
  id: 'untilClosed',
  method: 'GET',
  path: '/until-closed',
  auth: 'public',
  tag: 'system',
  summary: 'Streams until the service closes',
  responses: { 200: { description: 'The stream', media: ['text/plain'] } },
  errors: [],
  examples: [{ name: 'one', status: 200 }],
  handler: (_input, { closing }) => {
    const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      controller.enqueue(Buffer.from('open'));
      closing.addEventListener('abort', () => controller.close(), { once: true });
    };
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: new ReadableStream({ start }) };
  },
};

test('a host that closes the service in preClose ends the streams, so that its server can close', async () => {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const headwater = createHeadwater({ baseUrl: 'http://localhost', secret, operations: [untilClosed] });
  const app = fastify({ return503OnClosing: false });
  await app.register(headwaterPlugin, { service: headwater.service });
  app.addHook('preClose', () => headwater.close());
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const response = await fetch(`${url}/until-closed`);
  await app.close();
  expect(await response.text()).toBe('open');
});

test('an error outside of operations is passed to the host, also for an address that Fastify cannot decode', async () => {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const info = (): never => {
    throw new Error('the log is full');
  };
  const logger = { debug: () => {}, info, error: () => {} };
  const { service } = createHeadwater({ baseUrl: 'http://localhost', secret, logger, logRequests: true });
  const app = fastify({ frameworkErrors: frameworkErrors(service) });
  started.push(app);
  await app.register(headwaterPlugin, { service, catchAll: true });
  for (const url of ['/api/v1/get_states/', '/a/%zz/']) {
    for (const method of ['GET', 'OPTIONS'] as const) expect((await app.inject({ method, url })).statusCode).toBe(500);
  }
});
