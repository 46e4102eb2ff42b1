import { once } from 'node:events';
import { request as httpRequest, type ClientRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect } from 'vitest';
import { PART_LIMITS } from '../probes/parts.ts';
import type { HttpTarget } from '../host/target.ts';
import { defineCase, sendRaw, useHarness } from '../host/harness.ts';

const PATH = '/probe/parts/';
const TYPE = { 'content-type': 'multipart/form-data; boundary=edge' };
const MIB = 1024 * 1024;

/** Test cases of multipart bodies as streams: order, limits, malformed bodies, disconnects, memory. */
export function partCases(target: HttpTarget): void {
  describe('multipart streams', () => {
    const harness = useHarness(target);
    const send = async (
      path: string,
      chunks: readonly string[],
      headers: Record<string, string> = TYPE,
    ): Promise<{ status: number; body: unknown }> => {
      const answer = await sendRaw(harness().host.url, path, { method: 'POST', headers, chunks });
      return { status: answer.status, body: JSON.parse(answer.body) };
    };
    defineCase(
      target,
      'parts arrive in the order in which they were sent; a file that is not read is skipped',
      async () => {
        const body = [
          field('a', '1'),
          file('skipped', 'x'.repeat(300_000)),
          file('kept', 'hello'),
          field('b', '2'),
          END,
        ];
        expect(await send(PATH, body)).toEqual({
          status: 200,
          body: [
            { kind: 'field', name: 'a', value: '1' },
            { name: 'skipped' },
            { name: 'kept', filename: 'f.bin', type: 'application/octet-stream', size: 5 },
            { kind: 'field', name: 'b', value: '2' },
          ],
        });
      },
    );
    defineCase(target, 'too many parts and a too large field are 413', async () => {
      const many = Array.from({ length: PART_LIMITS.parts + 1 }, (_each, index) => field(`f${index}`, 'x'));
      expect(await send(PATH, [...many, END])).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
      expect((await send(PATH, [...many.slice(1), END])).status).toBe(200);
      expect((await send(PATH, [field('a', 'x'.repeat(PART_LIMITS.field + 1)), END])).status).toBe(413);
      expect((await send(PATH, [field('a', 'x'.repeat(PART_LIMITS.field)), END])).status).toBe(200);
    });
    defineCase(target, 'a malformed body is 400: no boundary, no end, text that cannot be stored', async () => {
      const broken = {
        status: 400,
        body: { code: 'parse', detail: expect.stringMatching(/^Multipart form parse error - ./) },
      };
      expect(await send(PATH, [field('a', '1'), END], { 'content-type': 'multipart/form-data' })).toMatchObject(broken);
      expect(await send(PATH, [field('a', '1')])).toMatchObject(broken);
      expect(await send(PATH, [file('a', '1').slice(0, -2)])).toMatchObject(broken);
      expect(await send(PATH, ['no part at all'])).toMatchObject(broken);
      expect(await send(PATH, [])).toMatchObject(broken);
      expect(await send(PATH, [field('a', '\u0000'), END])).toMatchObject(broken);
    });
    defineCase(target, 'another media type is 415', async () => {
      expect((await send(PATH, ['{}'], { 'content-type': 'application/json' })).status).toBe(415);
    });
    defineCase(target, 'a handler that reads only the first part can respond', async () => {
      expect(await send('/probe/parts/first/', [field('a', '1'), file('b', 'x'.repeat(MIB)), END])).toEqual({
        status: 200,
        body: { name: 'a' },
      });
    });
    largeCases(target, harness);
  });
}

const END = '--edge--\r\n';

function field(name: string, value: string): string {
  return `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

function file(name: string, content: string): string {
  return `${fileHead(name)}${content}\r\n`;
}

function fileHead(name: string): string {
  return `--edge\r\nContent-Disposition: form-data; name="${name}"; filename="f.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`;
}

function largeCases(target: HttpTarget, harness: ReturnType<typeof useHarness>): void {
  const open = (path: string): ClientRequest =>
    httpRequest(harness().host.url + path, { method: 'POST', headers: TYPE, agent: false });

  defineCase(
    target,
    'a large file is received only as fast as it is read, and a client that disconnects is detected',
    async () => {
      const { get, probes } = harness();
      const outgoing = open('/probe/parts/patient/');
      const answered = once(outgoing, 'response');
      const size = 64 * MIB;
      const sending = sendFile(outgoing, size);
      await probes.firstBytes;
      // When buffers are full, the client must not be able to send more, and other requests must be served.
      for (let round = 0; round < 50; round += 1) await (await get('/probe/get/')).text();
      expect(sending.sent()).toBeLessThan(16 * MIB);
      probes.readOn();
      const [incoming] = (await answered) as [Parameters<typeof text>[0]];
      expect(JSON.parse(await text(incoming))).toMatchObject([{ name: 'large', size }]);

      const leaving = open('/probe/parts/patient/').on('error', () => {});
      leaving.write(fileHead('large') + 'x'.repeat(MIB));
      leaving.flushHeaders();
      await once(leaving, 'socket');
      await (await get('/probe/get/')).text();
      leaving.destroy();
      expect(await probes.bodyBroke).toBeInstanceOf(Error);
    },
  );
  defineCase(target, 'a file that exceeds its limit is 413 while the client is still sending it', async () => {
    const outgoing = open(PATH);
    const answered = once(outgoing, 'response');
    sendFile(outgoing, PART_LIMITS.file + MIB);
    const [incoming] = (await answered) as [Parameters<typeof text>[0] & { statusCode: number }];
    expect(incoming.statusCode).toBe(413);
    outgoing.on('error', () => {}).destroy();
  });
}

function sendFile(outgoing: ClientRequest, size: number): { sent(): number } {
  const chunk = Buffer.alloc(64 * 1024);
  let sent = 0;
  const more = (): void => {
    while (sent < size) {
      sent += chunk.byteLength;
      if (!outgoing.write(chunk)) return void outgoing.once('drain', more);
    }
    outgoing.end(`\r\n${END}`);
  };
  outgoing.on('error', () => {});
  outgoing.write(fileHead('large'));
  more();
  return { sent: () => sent };
}
