import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';

/** Returns URLs of a port of this machine: spellings of its addresses, and names that the test's resolver knows. */

export const spellingsOf = (port: number): readonly string[] =>
  (
    '127.0.0.1 127.1 0x7f000001 2130706433 017700000001 127.0.0.1. 127.8.8.8 0 [::1] [::ffff:127.0.0.1] [::] ' +
    'localhost localhost. intranet.test'
  )
    .split(' ')
    .map((host) => `http://${host}:${port}`);

/** Creates a listener that serves Range requests from a folder. The path `/to?{address}` redirects to the address. */
export const storeOf =
  (folder: string): RequestListener =>
  (request, response) => {
    const { pathname, search } = new URL(request.url ?? '', 'http://store');
    if (pathname === '/to') response.writeHead(302, { location: decodeURIComponent(search.slice(1)) }).end();
    else void sendRange(join(folder, pathname), request, response);
  };

async function sendRange(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) {
    response.writeHead(404).end();
    return;
  }
  const [, from = '0', to = '0'] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
  const part = bytes.subarray(Number(from), Number(to) + 1);
  const range = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`;
  response.writeHead(206, { 'content-range': range }).end(part);
}
