import { getEventListeners, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from './database.ts';
import { createStandingSession } from './standing-session.ts';

it('closes while the database takes connections and says nothing, without waiting for it', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const at = silent.address();
  const port = typeof at === 'object' && at !== null ? at.port : 0;
  // A session that waits to be made waits longer than this test may take.
  const options = { connectTimeoutMs: 600_000 };
  const { connect, close } = openDatabase({ host: '127.0.0.1', port, database: 'water', user: 'me' }, options);
  const session = createStandingSession(connect ?? expect.fail('no sessions over TCP'));
  const connected = once(silent, 'connection');
  session.listen(() => {});
  await connected;
  await session.close();
  for (const socket of sockets) socket.destroy();
  silent.close();
  await close();
});

it('leaves no listener behind for a connection that could not be made', async () => {
  const added = vi.spyOn(EventTarget.prototype, 'addEventListener');
  onTestFinished(() => added.mockRestore());
  const counts: number[] = [];
  const { promise: again, resolve } = Promise.withResolvers<void>();
  const session = createStandingSession(async () => {
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
