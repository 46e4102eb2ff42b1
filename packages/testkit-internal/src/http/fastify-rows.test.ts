import { headwaterPlugin } from '@headwater/http-adapter-fastify';
import { createHeadwater, json, operation, type Service } from '@headwater/http-service';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';

const started: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((app) => app.close()));
});

function serviceWith(path: string): Service {
  const row = operation({
    id: 'embedded',
    method: 'GET',
    path,
    params: z.object(Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, z.string()]))),
    auth: 'public',
    tag: 'embedded',
    summary: 'An operation of an embedder',
    errors: [],
    responses: { 200: { description: 'Parameters', schema: z.unknown() } },
    examples: [{ name: 'any', status: 200 }],
    handler: ({ params }) => json(200, params),
  });
  const secret = crypto.getRandomValues(new Uint8Array(32));
  return createHeadwater({ baseUrl: 'http://localhost', secret, operations: [row] }).service;
}

test.each(['/:tenant/x/', '/:tenant/', '/:tenant/:page/'])(
  'an operation at %s handles no other path of the host',
  async (path) => {
    const app = fastify();
    started.push(app);
    await app.register(headwaterPlugin, { service: serviceWith(path) });
    app.get('/*', () => 'host pages');
    const url = path.replace(/:\w+/g, 'a');
    expect((await app.inject(url)).statusCode).toBe(200);
    expect((await app.inject(`${url}deeper/page`)).body).toBe('host pages');
  },
);

test('the route /app/* of the host does not hide the path /app/:page/ of the service', async () => {
  for (const maxParamLength of [100, 1000]) {
    const app = fastify({ routerOptions: { maxParamLength } });
    started.push(app);
    app.all('/app/*', () => 'host pages');
    await app.register(headwaterPlugin, { service: serviceWith('/app/:page/') });
    expect((await app.inject('/app/one/')).json()).toEqual({ page: 'one' });
    expect((await app.inject('/app/one/two')).body).toBe('host pages');
  }
});

test('with a large maxParamLength, the service adds no wildcard route, so the host can add /app/* later', async () => {
  const app = fastify({ routerOptions: { maxParamLength: 1000 } });
  started.push(app);
  await app.register(headwaterPlugin, { service: serviceWith('/app/:page/') });
  app.all('/app/*', () => 'host pages');
  expect((await app.inject(`/app/${'a'.repeat(500)}/`)).json()).toEqual({ page: 'a'.repeat(500) });
  expect((await app.inject('/app/one/two')).body).toBe('host pages');
});
