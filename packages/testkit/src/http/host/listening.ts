import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { answerClientError } from '@headwater/http-service';
import type { RunningHost } from './target.ts';

/**
 * Starts a Node server with this listener on a free local port. `close` waits until requests in progress have ended.
 */
export async function listening(listener: RequestListener): Promise<RunningHost> {
  const server = createServer(listener).on('clientError', answerClientError).listen(0, '127.0.0.1');
  const endUnused = unusedConnections(server);
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      endUnused();
      await closed;
    },
  };
}

/**
 * Tracks connections. The returned function ends all connections that have never carried a request: connections that
 * are open now, and connections that are opened later. Node counts such connections as busy, so a closing server would
 * wait until the client closes them. Such connections occur, because `fetch` opens a connection in advance after an
 * aborted request. The client closes this connection only after 4 s, or with Fastify after 71 s.
 */
export function unusedConnections(server: Server): () => void {
  const open = new Set<Socket>();
  let isClosing = false;
  server.on('connection', (socket) => {
    if (isClosing) socket.destroy();
    else {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    }
  });
  return () => {
    isClosing = true;
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
}
