import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerClientError } from '@headwater/http-service';
import type { RunningHost } from './target.ts';

/** A Node server of this listener on a free port of this machine; `close` waits for requests under way. */
export async function listening(listener: RequestListener): Promise<RunningHost> {
  const server = createServer(listener).on('clientError', answerClientError).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}
