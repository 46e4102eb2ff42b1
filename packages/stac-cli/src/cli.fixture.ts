import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { stripVTControlCharacters } from 'node:util';
import { run } from './run.ts';

/** Output and exit code of a call. */
export interface Called {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the program in this process; `isTTY` makes its error stream a terminal. */
export async function call(
  args: readonly string[],
  { isTTY = false, signal = AbortSignal.any([]) } = {},
): Promise<Called> {
  const texts = { out: '', err: '' };
  const stdout = { write: (text: string) => (texts.out += text) };
  const stderr = { isTTY, columns: 200, write: (text: string) => (texts.err += text) };
  const code = await run(args, { stdout, stderr, signal });
  return { code, ...texts };
}

/** Removes control sequences from a text. */
export const seen = (text: string): string => stripVTControlCharacters(text);

/** A listening server on a free port. */
export interface TestServer {
  readonly base: string;
  close(): Promise<void>;
}

/** Starts a server that answers with `listener`. */
export async function serve(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    base: `http://127.0.0.1:${String(port)}/`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Starts a server of JSON documents. `make` returns them by path without the first slash; texts are sent unchanged. */
export function serveDocuments(make: (base: string) => Readonly<Record<string, unknown>>): Promise<TestServer> {
  return serve((request, response) => {
    const base = `http://${request.headers.host ?? ''}/`;
    const document = make(base)[(request.url ?? '/').slice(1)];
    if (document === undefined) response.writeHead(404);
    else response.setHeader('content-type', 'application/json');
    response.end(document === undefined ? '' : typeof document === 'string' ? document : JSON.stringify(document));
  });
}
