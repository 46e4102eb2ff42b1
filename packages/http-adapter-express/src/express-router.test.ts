import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHeadwater, type Service } from '@headwater/http-service';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { createExpressRouter } from './express-router.ts';

const options = { baseUrl: 'http://localhost', secret: crypto.getRandomValues(new Uint8Array(32)) };

async function serve(service: Service): Promise<(path: string) => Promise<Response>> {
  const app = express().use(createExpressRouter(service));
  app.use((_request, response) => void response.status(418).send('host page'));
  const server: Server = createServer(app);
  onTestFinished(() => void server.close());
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return (path) => fetch(`http://127.0.0.1:${port}${path}`);
}

it('leaves paths that the service does not own to the host, even if the service has an operation for them', async () => {
  const { service, close } = createHeadwater(options);
  onTestFinished(() => close());
  const get = await serve({ ...service, owns: (url) => service.owns(url) && !url.startsWith('/api/v1/get_states') });
  expect((await get('/api/v1/get_states/')).status).toBe(418);
  expect((await get('/api/health')).headers.get('x-request-id')).not.toBeNull();
});

it('passes an error outside of operations on to the host', async () => {
  const info = (): never => {
    throw new Error('the log is full');
  };
  const logger = { debug: () => {}, info, error: () => {} };
  const { service, close } = createHeadwater({ ...options, logger, logRequests: true });
  onTestFinished(() => close());
  const get = await serve(service);
  expect((await get('/api/v1/get_states/')).status).toBe(500);
});
