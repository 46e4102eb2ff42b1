import { once } from 'node:events';
import dns from 'node:dns';
import { connect, createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SILENT } from '@headwater/core';
import { createHeadwater, type Operation } from '@headwater/http-service';
import { createEmbeddedMapServer } from '@headwater/map-server';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConfigError } from './config/read-config.ts';
import { checkAddress, listen, listenForMaps, sendClientsAway, stopListening } from './http-server.ts';
import { REMEDIES } from './remedies.ts';

const patient: Operation = {
  id: 'waitForTheEnd',
  method: 'GET',
  path: '/patient/',
  auth: 'public',
  tag: 'system',
  summary: 'Waits until the service closes',
  responses: { 200: { description: 'The end', media: ['text/plain'] } },
  errors: [],
  examples: [{ name: 'one', status: 200 }],
  async handler(_input, { closing }) {
    if (!closing.aborted) await once(closing, 'abort');
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'the service is closing' };
  },
};

const stubborn: Operation = { ...patient, id: 'never', path: '/stubborn/', handler: () => new Promise(() => {}) };

it('requests in progress are finished before the server stops, up to a time limit', async () => {
  const headwater = createHeadwater({
    baseUrl: 'http://localhost:1',
    secret: crypto.getRandomValues(new Uint8Array(32)),
    operations: [patient, stubborn],
  });
  const app = await listen({ host: '127.0.0.1', port: 0 }, headwater);
  const { port } = app.server.address() as AddressInfo;
  const arrived = new Promise<void>((resolve) => {
    let count = 0;
    app.server.on('request', () => ((count += 1) === 2 ? resolve() : undefined));
  });
  const waiting = fetch(`http://127.0.0.1:${port}/patient/`).then((answer) => answer.text());
  const hanging = fetch(`http://127.0.0.1:${port}/stubborn/`).catch(() => 'cut off');
  await arrived;
  await Promise.all([stopListening(app, 500), headwater.close(500)]);
  expect([await waiting, await hanging]).toEqual(['the service is closing', 'cut off']);
});

it('while a server stops, its next response on an open connection closes this connection', async () => {
  const headwater = createHeadwater({
    baseUrl: 'http://localhost:1',
    secret: crypto.getRandomValues(new Uint8Array(32)),
  });
  const app = await listen({ host: '127.0.0.1', port: 0 }, headwater);
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const sent = (): boolean => socket.write('GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  sent();
  const [kept] = (await once(socket, 'data')) as [Buffer];
  expect(kept.toString()).toMatch(/^HTTP\/1.1 200[^]*\r\nconnection: keep-alive/i);
  const leaving = sendClientsAway(app);
  sent();
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200[^]*\r\nconnection: close/i);
  await leaving;
  await Promise.all([stopListening(app, 500), headwater.close(500)]);
});

describe('the port for maps', () => {
  const start = async () => {
    const headwater = createHeadwater({
      baseUrl: 'http://localhost:1',
      secret: crypto.getRandomValues(new Uint8Array(32)),
      mapServer: createEmbeddedMapServer,
    });
    const lines: string[] = [];
    const logger = { ...SILENT, info: (_facts: object, message: string) => void lines.push(message) };
    const open = async (mapServerPort: number) =>
      await listenForMaps(
        { host: '127.0.0.1', port: 1, mapServerPort, baseUrl: 'http://localhost:1' },
        headwater,
        logger,
      );
    return { open, lines, close: headwater.close };
  };
  const freePort = async (): Promise<number> => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    return port;
  };

  it('serves the map server and nothing else', async () => {
    const { open, lines, close } = await start();
    const port = await freePort();
    const app = await open(port);
    const statusOf = async (path: string): Promise<number> => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    expect(await statusOf('/geoserver/web/')).toBe(200);
    expect(await statusOf('/geoserver/none/wfs')).toBe(404);
    for (const path of ['/', '/api/health', '/geoserver/../api/health', '/geoserverx/', '/%zz'])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    const other = await fetch(`http://127.0.0.1:${port}/api/v1/auth/login/`, { method: 'POST', body: '{}' });
    expect([other.status, await other.text()]).toEqual([
      404,
      expect.stringContaining('the service is at http://localhost:1/'),
    ]);
    expect(lines).toEqual([]);
    if (app !== undefined) await stopListening(app, 500);
    await close(0);
  });

  it('is left out with a warning if another program uses it, and without a warning if MAPSERVER_PORT is 0 or the port of the service', async () => {
    const { open, lines, close } = await start();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expect(await open(port)).toBeUndefined();
    expect(lines).toEqual([
      `warning: MAPSERVER_PORT: ${port} is in use by another program; maps are served at http://localhost:1/geoserver. Set MAPSERVER_PORT to a free port, or to 0 for none, for example if a GeoServer at MAPSERVER_URL uses it.`,
    ]);
    expect([await open(0), await open(1)]).toEqual([undefined, undefined]);
    expect(lines).toHaveLength(1);
    other.close();
    await close(0);
  });
});

it('a request on an open connection is refused by the service while the server stops', async () => {
  const [arrived, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held: Operation = {
    ...patient,
    id: 'held',
    path: '/held/',
    async handler() {
      arrived.resolve();
      await go.promise;
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'held' };
    },
  };
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const headwater = createHeadwater({ baseUrl: 'http://localhost:1', secret, operations: [held] });
  const app = await listen({ host: '127.0.0.1', port: 0 }, headwater);
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const send = (path: string): boolean => socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  send('/held/');
  await arrived.promise;
  const stopped = Promise.all([stopListening(app, 5000), headwater.close(5000)]);
  const second = once(app.server, 'request');
  send('/api/v1/get_states/');
  await second;
  go.resolve();
  const answers = await text(socket);
  await stopped;
  expect(answers).toMatch(/^HTTP\/1.1 200 [^]*held[^]*HTTP\/1.1 503 /);
  expect(answers).toMatch(/x-request-id: [^]*"detail":"The service is closing; try again shortly\."/i);
});

it('listens at only one address of a host name with several addresses, because servers at further addresses would not be guarded', async () => {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const headwater = createHeadwater({ baseUrl: 'http://localhost:1', secret, operations: [whoIsThere] });
  // Simulates a `localhost` with two addresses; on most machines the other one is ::1.
  const resolver = vi.spyOn(dns, 'lookup').mockImplementation((...[name, , callback]: readonly unknown[]) => {
    const addresses = name === 'localhost' ? ['127.0.0.1', '127.0.0.2'] : [name];
    const found = addresses.map((address) => ({ address, family: 4 }));
    if (typeof callback === 'function') setImmediate(() => void callback(null, found));
  });
  const app = await listen({ host: 'localhost', port: 0 }, headwater);
  onTestFinished(async () => {
    resolver.mockRestore();
    await stopListening(app, 500);
    await headwater.close();
  });
  expect(app.addresses()).toEqual([app.server.address()]);
  const { address, port } = app.server.address() as AddressInfo;
  expect((await fetch(`http://${address}:${port}/who/`)).status).toBe(200);
});

const whoIsThere: Operation = {
  ...patient,
  id: 'whoIsThere',
  path: '/who/',
  handler: ({ remoteAddress }) => ({
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: remoteAddress ?? '',
  }),
};

it.each([
  [[], '127.0.0.1'],
  [['127.0.0.1'], '203.0.113.7'],
  [['10.0.0.0/8'], '127.0.0.1'],
])('with trusted proxies %j the address of a forwarded client is %s', async (trustedProxies, expected) => {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const headwater = createHeadwater({ baseUrl: 'http://localhost:1', secret, operations: [whoIsThere] });
  const app = await listen({ host: '127.0.0.1', port: 0, trustedProxies }, headwater);
  const { port } = app.server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/who/`, { headers: { 'x-forwarded-for': '203.0.113.7' } });
  expect(await answer.text()).toBe(expected);
  await stopListening(app, 500);
  await headwater.close();
});

it.each([
  [[], undefined, 200],
  [[], '203.0.113.7', 403],
  [[], '10.0.0.5', 403],
  [['10.0.0.0/8'], '10.0.0.5', 403],
  [['127.0.0.1'], '203.0.113.7', 403],
  [['127.0.0.1'], '10.0.0.5', 200],
  [['127.0.0.1'], '127.0.0.1', 200],
  [['127.0.0.1'], '203.0.113.7, 10.0.0.5', 403],
  [['127.0.0.1'], '10.0.0.7, 10.0.0.5', 403],
  [['127.0.0.1', '10.0.0.5'], '203.0.113.7, 10.0.0.5', 403],
  [['127.0.0.1', '10.0.0.5'], '10.0.0.7, 10.0.0.5', 200],
])('with trusted proxies %j, the work service answers X-Forwarded-For %j with %i', async (trusted, chain, status) => {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const headwater = createHeadwater({ baseUrl: 'http://localhost:1', secret, remedies: REMEDIES, workService: {} });
  const app = await listen({ host: '127.0.0.1', port: 0, trustedProxies: trusted }, headwater);
  onTestFinished(async () => {
    await stopListening(app, 500);
    await headwater.close();
  });
  const { port } = app.server.address() as AddressInfo;
  const headers = chain === undefined ? undefined : { 'x-forwarded-for': chain };
  const answer = await fetch(`http://127.0.0.1:${port}/api/export-status?asset_id=x`, headers && { headers });
  expect(answer.status).toBe(status);
  if (status === 403)
    expect(await answer.text()).toMatch(/WORK_SERVICE_ADDRESSES.*WORK_SERVICE_SECRET.*TRUSTED_PROXIES/);
});

describe('the listening server', () => {
  let app: FastifyInstance;
  let port: number;

  beforeAll(async () => {
    const headwater = createHeadwater({
      baseUrl: 'http://localhost:1',
      secret: crypto.getRandomValues(new Uint8Array(32)),
    });
    app = await listen({ host: '127.0.0.1', port: 0 }, headwater);
    port = (app.server.address() as AddressInfo).port;
  });
  afterAll(() => app.close());

  // Uses a socket, because `fetch` normalizes addresses.
  async function send(line: string, headers = '', body = ''): Promise<{ head: string; body: string }> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.end(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n${body}`);
    const [head = '', rest = ''] = (await text(socket)).split('\r\n\r\n');
    return { head, body: rest };
  }

  it.each([
    ['GET /nope', 404],
    ['GET /api', 404],
    ['GET /%ff', 404],
    ['GET /api/v1/stac/%ff/', 400],
    [`GET /api/v1/stac/${'a'.repeat(600)}/`, 400],
    ['PROPFIND /api/v1/get_states/', 405],
    ['QUERY /api/v1/get_states/', 405],
    ['OPTIONS /nope', 404],
  ])('%s is refused with an error of the service', async (line, status) => {
    const answer = await send(line);
    expect(answer.head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer.head).toMatch(/x-request-id: /i);
    expect(JSON.parse(answer.body)).toMatchObject({
      status,
      detail: expect.any(String),
      request_id: expect.any(String),
    });
  });

  it.each(['//', '///api/v1/get_states', '/api/v1/get_states/', 'http://other.example/api/v1/get_states/'])(
    '%s is served',
    async (path) => {
      expect((await send(`GET ${path}`)).head).toMatch(/^HTTP\/1.1 200 /);
    },
  );

  it('an unknown path gets 404 for any body', async () => {
    expect((await send('POST /nope', 'Content-Type: text/xml\r\nContent-Length: 2\r\n', 'x!')).head).toMatch(/ 404 /);
  });

  it('an address that is in use or not of this machine is reported with the variable to change', async () => {
    await expect(checkAddress({ host: '127.0.0.1', port })).rejects.toThrow(/^BACKEND_PORT: \d+ is in use/);
    await expect(checkAddress({ host: '203.0.113.7', port: 0 })).rejects.toThrow(/^BACKEND_HOST: 203/);
    await expect(checkAddress({ host: '203.0.113.7', port: 0 })).rejects.toBeInstanceOf(ConfigError);
    await expect(checkAddress({ host: '127.0.0.1', port: 0 })).resolves.toBeUndefined();
  });
});
