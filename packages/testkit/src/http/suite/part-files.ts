import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect } from 'vitest';
import type { HttpTarget } from '../host/target.ts';
import { defineCase, sendRaw, useHarness } from '../host/harness.ts';

const TYPE = { 'content-type': 'multipart/form-data; boundary=edge' };
const MIB = 1024 * 1024;
const END = '--edge--\r\n';

/** Test cases of files in multipart bodies. A file arrives complete, even if other files are not read. */
export function partFileCases(target: HttpTarget): void {
  describe('files of multipart streams', () => {
    const harness = useHarness(target);
    const send = async (path: string, chunks: readonly string[]): Promise<{ status: number; body: unknown }> => {
      const answer = await sendRaw(harness().host.url, path, { method: 'POST', headers: TYPE, chunks });
      return { status: answer.status, body: JSON.parse(answer.body) };
    };
    for (const size of [1000, 70_000, 300_000]) {
      const three = ['a', 'b', 'c'].map((name) => file(name, 'x'.repeat(size))).join('') + END;
      defineCase(
        target,
        `three files of ${size} bytes that are sent in one write arrive complete, even if they are read slowly`,
        async () => {
          const expected = { status: 200, body: ['a', 'b', 'c'].map((name) => [name, size]) };
          expect(await send('/probe/parts/resume/', [three])).toEqual(expected);
          expect(await send('/probe/parts/slow/', [three])).toEqual(expected);
        },
      );
      defineCase(target, `files of ${size} bytes may be skipped, or read only to their first chunk`, async () => {
        const unread = ['a', 'b', 'c'].map((name) => [name, 0]);
        expect(await send('/probe/parts/names/', [three])).toEqual({ status: 200, body: unread });
        const { status, body } = await send('/probe/parts/peek/', [three]);
        expect([status, (body as [string, number][]).map(([name, seen]) => [name, seen > 0])]).toEqual([
          200,
          ['a', 'b', 'c'].map((name) => [name, true]),
        ]);
      });
    }
    defineCase(target, 'reading a file after the next part has begun throws', async () => {
      const { body } = await send('/probe/parts/late/', [file('a', 'hello'), file('b', 'hello'), END]);
      expect(body).toEqual([
        expect.stringContaining('before you request the next part'),
        expect.stringContaining('discarded'),
      ]);
    });
    defineCase(target, 'files arrive complete if a body has fields and several files', async () => {
      const form = new FormData();
      form.append('name', 'x');
      for (const name of ['other', 'third', 'picture']) form.append(name, new File(['y'.repeat(1000)], `${name}.png`));
      const answer = await harness().get('/probe/form/', { method: 'POST', body: form });
      expect(await answer.json()).toMatchObject({ name: 'x', picture: { size: 1000 } });
    });
    defineCase(target, 'the server receives fields only as fast as the handler reads them', async () => {
      const { get, host, probes } = harness();
      const outgoing = httpRequest(`${host.url}/probe/parts/hold/`, { method: 'POST', headers: TYPE, agent: false });
      const answered = once(outgoing, 'response');
      const sending = sendFields(outgoing, 64);
      await probes.firstField;
      // Waits until the client has sent nothing more during fifty other requests.
      for (let still = 0, before = 0; still < 50; before = sending.sent()) {
        await (await get('/probe/get/')).text();
        still = sending.sent() === before ? still + 1 : 0;
      }
      expect(sending.sent()).toBeLessThan(16);
      probes.letGo();
      const [incoming] = (await answered) as [Parameters<typeof text>[0]];
      expect(JSON.parse(await text(incoming))).toEqual({ count: 64 });
    });
    textCases(target, send);
  });
}

function textCases(
  target: HttpTarget,
  send: (path: string, chunks: readonly string[]) => Promise<{ status: number; body: unknown }>,
): void {
  const part = (disposition: string, type = 'text/plain'): string =>
    `--edge\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\nv\r\n`;
  const PATH = '/probe/parts/names/';
  defineCase(target, 'names of parts may have at most 200 bytes', async () => {
    expect((await send(PATH, [part(`name="${'n'.repeat(200)}"`), END])).status).toBe(200);
    for (const name of ['n'.repeat(201), 'n'.repeat(300), 'é'.repeat(101)]) {
      for (const more of ['', '; filename="f"'])
        expect(await send(PATH, [part(`name="${name}"${more}`), END])).toMatchObject({
          status: 400,
          body: { code: 'parse', detail: expect.stringContaining('longer than 200 bytes') },
        });
    }
  });
  defineCase(target, 'NUL in the type of a file is 400', async () => {
    expect((await send(PATH, [part('name="a"; filename="f"', 'image/\u0000png'), END])).status).toBe(400);
  });
}

function sendFields(
  outgoing: {
    write(chunk: string): boolean;
    end(chunk: string): unknown;
    once(event: 'drain', go: () => void): unknown;
  },
  count: number,
): { sent(): number } {
  const value = 'x'.repeat(MIB);
  let sent = 0;
  const more = (): void => {
    while (sent < count) {
      sent += 1;
      const field = `--edge\r\nContent-Disposition: form-data; name="f${sent}"\r\n\r\n${value}\r\n`;
      if (!outgoing.write(field)) return void outgoing.once('drain', more);
    }
    outgoing.end(END);
  };
  more();
  return { sent: () => sent };
}

function file(name: string, content: string): string {
  const head = `Content-Disposition: form-data; name="${name}"; filename="f.bin"\r\nContent-Type: image/png`;
  return `--edge\r\n${head}\r\n\r\n${content}\r\n`;
}
