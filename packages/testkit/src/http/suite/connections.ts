import { once } from 'node:events';
import { Agent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished } from 'vitest';
import type { HttpTarget } from '../host/target.ts';
import { defineCase, useHarness } from '../host/harness.ts';

const MULTIPART = { 'content-type': 'multipart/form-data; boundary=edge' };
const JSON_TYPE = { 'content-type': 'application/json' };
const MIB = 1024 * 1024;
const FIELD = '--edge\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n';
const FILE = '--edge\r\nContent-Disposition: form-data; name="b"; filename="f.bin"\r\n\r\n';
const END = '\r\n--edge--\r\n';

/**
 * Test cases of responses that the server can send before it has read the whole request body. After such a response,
 * the connection must serve the next request or close.
 */
export function connectionCases(target: HttpTarget): void {
  describe('early responses', () => {
    const harness = useHarness(target);
    const early = {
      'a handler that reads only the first part': ['/probe/parts/first/', MULTIPART, FIELD + FILE, END, 200],
      'a handler that throws at the first part': ['/probe/parts/refuse/', MULTIPART, FIELD + FILE, END, 409],
      'a too large field': ['/probe/parts/', MULTIPART, FIELD.slice(0, -3), END, 413],
      'a too large body': ['/probe/body/', JSON_TYPE, '"', '"', 413],
    } as const;
    for (const [name, [path, headers, start, end, status]] of Object.entries(early)) {
      for (const isDeclared of [true, false]) {
        const framing = isDeclared ? 'with a declared length' : 'in chunks';
        defineCase(target, `${name}, ${framing}: the next request on the connection is answered`, async () => {
          const { statusOf, ask } = connection(harness().host.url);
          const length = { 'content-length': String(start.length + 3 * MIB + end.length) };
          const first = ask(path, 'POST', { ...headers, ...(isDeclared ? length : {}) });
          first.write(start);
          for (let sent = 0; sent < 3 * MIB; sent += 64 * 1024) first.write('x'.repeat(64 * 1024));
          first.end(end);
          expect(await statusOf(first)).toBe(status);
          const second = ask('/probe/get/', 'GET', {});
          second.end();
          expect([await statusOf(second), second.reusedSocket]).toEqual([200, true]);
        });
      }
    }
    defineCase(
      target,
      'the rest of a large body is not read: with a declared length, the response has Connection: close',
      async () => {
        const { ask } = connection(harness().host.url);
        const first = ask('/probe/parts/first/', 'POST', { ...MULTIPART, 'content-length': String(64 * MIB) });
        first.on('error', () => {}).write(FIELD + FILE);
        const [answer] = (await once(first, 'response')) as [IncomingMessage];
        expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close']);
        expect(await text(answer)).toBe('{"name":"a"}');
        first.destroy();
      },
    );
    defineCase(
      target,
      'the rest of a large body is not read: in chunks, the server closes the connection',
      async () => {
        const { ask } = connection(harness().host.url);
        const first = ask('/probe/parts/first/', 'POST', MULTIPART);
        const closed = new Promise<void>((resolve) => first.once('close', resolve));
        first.on('error', () => {}).write(FIELD + FILE);
        const [answer] = (await once(first, 'response')) as [IncomingMessage];
        expect(await text(answer)).toBe('{"name":"a"}');
        expect(await writeUntilClosed(first, closed)).toBeLessThan(32 * MIB);
      },
    );
  });
}

function connection(url: string): {
  ask(path: string, method: string, headers: Record<string, string>): ClientRequest;
  statusOf(request: ClientRequest): Promise<number | undefined>;
} {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return {
    ask: (path, method, headers) => httpRequest(url + path, { method, headers, agent }),
    async statusOf(request) {
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      await text(answer);
      return answer.statusCode;
    },
  };
}

/** Writes until the connection closes, but at most 64 MiB. Returns the number of bytes written. */
async function writeUntilClosed(outgoing: ClientRequest, closed: Promise<void>): Promise<number> {
  const chunk = Buffer.alloc(64 * 1024);
  let sent = 0;
  while (!outgoing.destroyed && sent < 64 * MIB) {
    sent += chunk.byteLength;
    // Waits for the callback of `write`, because no 'drain' event follows after the end of the response.
    await Promise.race([new Promise((resolve) => outgoing.write(chunk, resolve)), closed]);
  }
  outgoing.destroy();
  return sent;
}
