import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { answerClientError } from '@headwater/http-service';
import type { RunningHost } from './target.ts';

/** A Node server of this listener on a free port of this machine; `close` waits for requests under way. */
export async function listening(listener: RequestListener): Promise<RunningHost> {
  const server = createServer(listener).on('clientError', answerClientError).listen(0, '127.0.0.1');
  const endUnasked = unaskedConnections(server);
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      endUnasked();
      await closed;
    },
  };
}

/**
 * Remembers the connections of a server; the returned function ends those on which nothing was ever asked, now and from now on. Node takes them
 * for busy: `fetch` opens one in advance where a request was aborted, and a server that closes would wait until the client lets go
 * of it, which is 4 s, and 71 s before Fastify.
 */
export function unaskedConnections(server: Server): () => void {
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
