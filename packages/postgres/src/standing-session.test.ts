import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { openDatabase } from './database.ts';
import { createStandingSession } from './standing-session.ts';

it('closes within two seconds while the database takes connections and says nothing', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const at = silent.address();
  const port = typeof at === 'object' && at !== null ? at.port : 0;
  const { connect, close } = openDatabase({ host: '127.0.0.1', port, database: 'water', user: 'me' });
  const session = createStandingSession(connect ?? expect.fail('no sessions over TCP'));
  const connected = once(silent, 'connection');
  session.listen(() => {});
  await connected;
  const began = performance.now();
  await session.close();
  expect(performance.now() - began).toBeLessThan(2000);
  for (const socket of sockets) socket.destroy();
  silent.close();
  await close();
});
