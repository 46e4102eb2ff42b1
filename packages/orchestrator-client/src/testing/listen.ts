import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** An open port. */
export interface Listening {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Closes all connections and the port. */
  readonly close: () => Promise<void>;
}

/** Serves a handler on a port of 127.0.0.1 (0: any); `Response.error()` breaks the connection. */
export async function listen(respond: (request: Request) => Promise<Response>, port: number): Promise<Listening> {
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing, respond).catch(() => outgoing.destroy());
  });
  await new Promise<void>((settle, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', settle);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the fake has no port');
  const close = (): Promise<void> =>
    new Promise((settle, reject) => {
      server.close((error) => (error === undefined ? settle() : reject(error)));
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${address.port}`, close };
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  respond: (request: Request) => Promise<Response>,
): Promise<void> {
  const closed = new AbortController();
  outgoing.once('close', () => closed.abort());
  const method = incoming.method ?? 'GET';
  const body = await text(incoming);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method,
    headers,
    signal: closed.signal,
    ...(body === '' || method === 'GET' ? {} : { body }),
  });
  const response = await respond(request);
  if (response.type === 'error') {
    outgoing.destroy();
    return;
  }
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(await response.text());
}
