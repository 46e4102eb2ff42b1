import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { answerClientError } from '@headwater/http-service';
import type { RunningHost } from './target.ts';

/** Starts a Node server on a free local port. `close` waits for pending requests. */
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
 * Tracks connections. The returned function ends connections without a request, because otherwise a closing server
 * waits until the clients close them.
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
