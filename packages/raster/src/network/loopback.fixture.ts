import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A listener on this machine that counts what reaches it. */
export interface Loopback {
  readonly port: number;
  readonly origin: string;
  /** Method and path of each request so far. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Listens on 127.0.0.1, on a port of its own. */
export async function listenOnLoopback(answer: RequestListener): Promise<Loopback> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Ways to write the address of this machine; each leads to `port` there. */
export const loopbackSpellings = (port: number): readonly string[] =>
  (
    '127.0.0.1 127.1 127.0.1 0x7f000001 0x7f.1 2130706433 017700000001 0177.0.0.01 127.0.0.1. 127.8.8.8 １２７.0.0.1 ' +
    '%31%32%37.0.0.1 0 0.0.0.0 [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [::]'
  )
    .split(' ')
    .map((host) => `http://${host}:${port}`);
