import { getEventListeners, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from './database.ts';
import { createPersistentConnection } from './persistent-connection.ts';

it('a persistent connection can be closed while the database accepts connections but does not respond', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const at = silent.address();
  const port = typeof at === 'object' && at !== null ? at.port : 0;
  // The timeout is longer than the test, so only `close` can end the attempt to connect.
  const options = { connectTimeoutMs: 600_000 };
  const { connect, close } = openDatabase({ host: '127.0.0.1', port, database: 'water', user: 'me' }, options);
  const session = createPersistentConnection(connect ?? expect.fail('no sessions over TCP'));
  const connected = once(silent, 'connection');
  session.listen(() => {});
  await connected;
  await session.close();
  for (const socket of sockets) socket.destroy();
  silent.close();
  await close();
});

it('a persistent connection removes its listeners after a failed attempt to connect', async () => {
  const added = vi.spyOn(EventTarget.prototype, 'addEventListener');
  onTestFinished(() => added.mockRestore());
  const counts: number[] = [];
  const { promise: again, resolve } = Promise.withResolvers<void>();
  const session = createPersistentConnection(async () => {
    const signals = new Set(added.mock.contexts.filter((target) => target instanceof AbortSignal));
    counts.push(Math.max(...Array.from(signals, (signal) => getEventListeners(signal, 'abort').length)));
    if (counts.length === 2) resolve();
    throw new Error('there is no database');
  });
  session.listen(() => {});
  await again;
  await session.close();
  expect(counts).toEqual([1, 1]);
});
