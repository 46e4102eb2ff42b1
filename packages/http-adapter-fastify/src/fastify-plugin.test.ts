import { createHeadwater, type Service } from '@headwater/http-service';
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

const IN_OUR_WORDS = { code: 'not_found', request_id: expect.any(String) };

test("with catchAll every path below the prefix is the service's, and the host keeps the rest", async () => {
  const app = await host(true, '/geo');
  for (const url of ['/geo/nope', '/geo/api/v1/stac/a/b/c/d/e/', '/geo/api/v1/nothing/']) {
    const answer = await app.inject(url);
    expect([answer.statusCode, answer.json()]).toEqual([404, expect.objectContaining(IN_OUR_WORDS)]);
  }
  const wrongType = {
    method: 'POST',
    url: '/geo/nope',
    headers: { 'content-type': 'text/xml' },
    payload: '<a/>',
  } as const;
  expect((await app.inject(wrongType)).json()).toMatchObject(IN_OUR_WORDS);
  expect((await app.inject('/hello')).body).toBe('from the host');
  expect((await app.inject('/nope')).body).toBe('host 404');
});

test('with catchAll at the root unknown paths and methods are refused in the words of the service', async () => {
  const app = await host(true);
  expect((await app.inject('/nope')).json()).toMatchObject(IN_OUR_WORDS);
  expect((await app.inject({ method: 'DELETE', url: '/api/v1/get_states/' })).statusCode).toBe(405);
  expect((await app.inject('/hello')).body).toBe('from the host');
});

test("without it what is not ours is the host's, also below our paths with parameters", async () => {
  const app = await host(false, '/geo');
  for (const url of ['/geo/nope', '/geo/api/v1/stac/a/b/c/d/e/', '/geo/api/v1/get_districts/1/2/']) {
    expect((await app.inject(url)).body).toBe('host 404');
  }
  expect((await app.inject('/geo/api/v1/get_districts/1/')).statusCode).toBe(200);
});

test("parameters are as long as they are under a host's default maxParamLength", async () => {
  const app = await host(false);
  const answer = await app.inject(`/api/v1/stac/sample_state/sample_district/sample_tehsil/items/${'a'.repeat(180)}/`);
  expect(answer.json()).toMatchObject(IN_OUR_WORDS);
});

test('addresses that Fastify cannot decode are refused in the words of the service', async () => {
  const service = serviceOf();
  const app = fastify({ frameworkErrors: frameworkErrors(service) });
  started.push(app);
  await app.register(headwaterPlugin, { service, catchAll: true });
  expect((await app.inject('/api/v1/stac/%ff/')).json()).toMatchObject({ code: 'parse' });
});
