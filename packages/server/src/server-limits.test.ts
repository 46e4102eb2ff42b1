import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createHeadwater, type Operation, type ServerLimits } from '@headwater/http-adapter-fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen, stopListening } from './http-server.ts';

const MIB = 1024 * 1024;
/** Short limits, ms, but longer than the delays of a busy machine. */
const QUICK: ServerLimits = {
  maxConnections: 50,
  reservedConnections: 2,
  headersTimeoutMs: 1000,
  requestTimeoutMs: 1000,
  writeTimeoutMs: 1000,
};
const PATIENT: ServerLimits = {
  ...QUICK,
  headersTimeoutMs: 600_000,
  requestTimeoutMs: 600_000,
  writeTimeoutMs: 600_000,
};

const ROW = {
  method: 'GET',
  auth: 'public',
  tag: 'system',
  summary: 'Responds slowly or with a long body',
  responses: { 200: { description: 'Bytes', media: ['application/octet-stream'] } },
  errors: [],
  examples: [{ name: 'one', status: 200 }],
} as const;
const OCTETS = { 'content-type': 'application/octet-stream' };

/** Length of a body, bytes; larger than all buffers between server and client. */
const LONG = 64 * MIB;

function pieces(): ReadableStream<Uint8Array> {
  let left = LONG;
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close();
      controller.enqueue(new Uint8Array(MIB));
      left -= MIB;
    },
  });
}

interface Served {
  readonly port: number;
  readonly finish: () => void;
  readonly waiting: () => number;
  readonly open: () => Promise<number>;
}

async function serve(serverLimits: ServerLimits): Promise<Served> {
  const held = Promise.withResolvers<void>();
  let waiting = 0;
  const operations: Operation[] = [
    {
      ...ROW,
      id: 'whole',
      path: '/whole/',
      handler: () => ({ status: 200, headers: OCTETS, body: Buffer.alloc(LONG) }),
    },
    { ...ROW, id: 'pieces', path: '/pieces/', handler: () => ({ status: 200, headers: OCTETS, body: pieces() }) },
    {
      ...ROW,
      id: 'late',
      path: '/late/',
      handler: async () => {
        waiting += 1;
        await held.promise;
        return { status: 200, headers: OCTETS, body: 'at last' };
      },
    },
  ];
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const headwater = createHeadwater({ baseUrl: 'http://localhost:1', secret, operations });
  const app = await listen({ host: '127.0.0.1', port: 0, serverLimits }, headwater);
  onTestFinished(async () => {
    held.resolve();
    await Promise.all([stopListening(app, 100), headwater.close()]);
  });
  const open = promisify(app.server.getConnections.bind(app.server));
  return { port: (app.server.address() as AddressInfo).port, finish: held.resolve, waiting: () => waiting, open };
}

async function opened(port: number, sent = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.on('error', () => {});
  if (sent !== '') socket.write(sent);
  return socket;
}

async function received(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  await closed(socket);
  return text;
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.destroyed) await once(socket, 'close');
}

async function expectHealth(port: number): Promise<void> {
  const answer = await received(await opened(port, 'GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'));
  expect(answer.slice(0, 12)).toBe('HTTP/1.1 200');
}

const LOGIN = 'POST /api/v1/auth/login/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const SLOW_HEAD = 'GET /api/health HTTP/1.1\r\nHost: x\r\nX-Slow';
/** A body that is shorter than its declared length. */
const SLOW_BODY = `${LOGIN}Content-Length: 4000\r\n\r\n{"username"`;

describe('slow senders', () => {
  it.each([
    ['half a head', SLOW_HEAD],
    ['half a body', SLOW_BODY],
    ['nothing at all', ''],
  ])('get 408 or are disconnected if they send %s and wait; other clients get responses', async (_what, sent) => {
    const { port } = await serve(QUICK);
    const slow = await Promise.all(Array.from({ length: 8 }, () => opened(port, sent)));
    const order: string[] = [];
    const answers = slow.map((socket) => received(socket).finally(() => order.push('closed')));
    await expectHealth(port);
    order.push('answered');
    for (const answer of await Promise.all(answers)) expect(answer.slice(0, 12)).toMatch(/^(HTTP\/1\.1 408)?$/);
    expect(order).toEqual(['answered', ...slow.map(() => 'closed')]);
  });

  it('also get 408 or are disconnected if they send a byte from time to time', async () => {
    const { port } = await serve(QUICK);
    const socket = await opened(port, SLOW_BODY);
    const drip = setInterval(() => socket.write(' '), 20);
    onTestFinished(() => clearInterval(drip));
    expect(await received(socket)).toMatch(/^(HTTP\/1\.1 408 [^]*)?$/);
  });
});

describe('readers', () => {
  it.each(['/whole/', '/pieces/'])('are disconnected if they read nothing of %s', async (path) => {
    const { port, open } = await serve(QUICK);
    const socket = await opened(port);
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'readable');
    await expect.poll(() => open()).toBe(0);
    let size = 0;
    socket.on('data', (chunk: Buffer) => (size += chunk.byteLength));
    await closed(socket);
    expect(size).toBeLessThan(LONG);
  });

  it.each(['/whole/', '/pieces/'])('get the whole body of %s if they read slowly', async (path) => {
    const { port } = await serve(QUICK);
    const socket = await opened(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const started = performance.now();
    let size = 0;
    for await (const chunk of socket) {
      size += (chunk as Buffer).byteLength;
      if (performance.now() - started < 5 * QUICK.writeTimeoutMs) await pause(5);
    }
    expect(performance.now() - started).toBeGreaterThan(2 * QUICK.writeTimeoutMs);
    expect(size).toBeGreaterThan(LONG);
  });

  it('get a response that takes longer to compute than the write timeout', async () => {
    const { port, finish } = await serve(QUICK);
    const answer = fetch(`http://127.0.0.1:${port}/late/`).then((response) => response.text());
    // Each silent connection ends after the timeout of headers. Four of them take longer than the write timeout.
    for (let round = 0; round < 4; round += 1) await received(await opened(port));
    finish();
    expect(await answer).toBe('at last');
  });
});

describe('a flood of connections', () => {
  it.each([
    ['say nothing', ''],
    ['send half a head', SLOW_HEAD],
    ['send half a body', SLOW_BODY],
  ])('does not block other clients if its connections %s', async (_what, sent) => {
    const { port, finish, open } = await serve(PATIENT);
    const busy = fetch(`http://127.0.0.1:${port}/late/`).then((response) => response.text());
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(Array.from({ length: PATIENT.maxConnections }, () => opened(port, sent)));
      await expectHealth(port);
    }
    expect(await open()).toBeLessThanOrEqual(PATIENT.maxConnections);
    finish();
    expect(await busy).toBe('at last');
  });

  const LATE = `GET /late/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

  it('gets 503 with Retry-After if the requests of all connections are in progress', async () => {
    const { port, finish, waiting } = await serve({ ...PATIENT, maxConnections: 3, reservedConnections: 0 });
    const first = await Promise.all([opened(port, LATE), opened(port, LATE), opened(port, LATE)]);
    const answers = first.map((socket) => received(socket));
    await expect.poll(waiting).toBe(3);
    expect(await received(await opened(port))).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 5/);
    finish();
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/at last$/);
  });

  it('does not take the connections reserved for health checks and sign-in, which close after each response', async () => {
    const { port, finish, waiting, open } = await serve({ ...PATIENT, maxConnections: 3 });
    const keepAlive = LATE.replace('close', 'keep-alive');
    const [busy] = await Promise.all([opened(port, keepAlive), opened(port, LATE), opened(port, LATE)]);
    await expect.poll(waiting).toBe(3);
    const credentials = JSON.stringify({ username: 'asha', password: 'not hers' });
    const signIn = `${LOGIN}Content-Length: ${credentials.length}\r\n\r\n${credentials}`;
    for (let round = 0; round < 3; round += 1) {
      for (const request of [keepAlive, `GET /api/v1/get_states/ HTTP/1.1\r\nHost: x\r\n\r\n`]) {
        const refused = await received(await opened(port, request));
        expect(refused).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 5[^]*All connections of this server are in use/i);
      }
      // Silent connections and unfinished requests must not occupy reserved connections.
      await Promise.all(['', SLOW_HEAD, SLOW_BODY, ''].map((sent) => opened(port, sent)));
      expect(await received(await opened(port, 'GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n'))).toMatch(
        /^HTTP\/1\.1 200/,
      );
      expect(await received(await opened(port, signIn))).toMatch(/^HTTP\/1\.1 401/);
    }
    expect([waiting(), await open()]).toEqual([3, expect.toSatisfy((count: number) => count <= 5)]);
    finish();
    await expect.poll(() => busy?.bytesRead ?? 0).toBeGreaterThan(0);
    expect(await received(await opened(port, LATE))).toMatch(/at last$/);
  });
});
