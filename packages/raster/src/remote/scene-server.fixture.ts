import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Server of one file, which counts how often each byte was sent. */
export interface SceneServer {
  readonly href: string;
  /** File to send, and its ETag, if there is one. */
  served: { bytes: Uint8Array; etag?: string };
  /** Number of times that each byte of the file was sent since the last reset. */
  readonly sent: () => Uint8Array;
  /** Ranges that were sent since the last reset. */
  readonly ranges: string[];
  /** Called before a response, which waits for the returned promise. */
  before: (range: string) => Promise<unknown>;
  /** Changes a response that contains bytes. */
  alter: (answer: SceneAnswer, range: string) => SceneAnswer;
  readonly reset: () => void;
  readonly close: () => Promise<unknown>;
}

interface SceneAnswer {
  readonly part: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** Starts a server of one file. */
export async function startSceneServer(bytes: Uint8Array, etag?: string): Promise<SceneServer> {
  let sent = new Uint8Array(bytes.length);
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [range = '', from = '0', to = '0'] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
    await scene.before(range);
    const { served, ranges } = scene;
    if (served.etag !== undefined && request.headers['if-none-match'] === served.etag)
      return void response.writeHead(304, { etag: served.etag }).end();
    ranges.push(range);
    const part = served.bytes.subarray(Number(from), Number(to) + 1);
    for (let i = 0; i < part.length; i++) sent[Number(from) + i]! += 1;
    const head = { 'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${served.bytes.length}` };
    const headers = { ...head, ...(served.etag !== undefined && { etag: served.etag }) };
    const altered = scene.alter({ part, headers }, range);
    response.writeHead(206, altered.headers).end(altered.part);
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port }: Partial<AddressInfo> = Object(server.address());
  const scene: SceneServer = {
    href: `http://127.0.0.1:${port}/scene/B04.tif?sig=secret`,
    served: { bytes, ...(etag !== undefined && { etag }) },
    sent: () => sent,
    ranges: [],
    before: async () => {},
    alter: (answer) => answer,
    reset: () => {
      sent = new Uint8Array(scene.served.bytes.length);
      scene.ranges.length = 0;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
  return scene;
}
