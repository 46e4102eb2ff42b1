import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { createKitService } from '../host/kit-service.ts';
import { createProbes } from '../probes/index.ts';
import type { HttpTarget } from '../host/target.ts';
import { defineCase, jsonInit, sendRaw, useHarness } from '../host/harness.ts';

const PATH = '/probe/body/';
const JSON_HEADERS = { 'content-type': 'application/json' };
const MIB = 1024 * 1024;

/** Test cases of request bodies: content types, encodings, limits of size and depth, bodies that the host parsed. */
export function bodyCases(target: HttpTarget): void {
  describe('bodies', () => {
    const harness = useHarness(target);
    const post = (body: string, headers: Record<string, string> = JSON_HEADERS): Promise<Response> =>
      harness().get(PATH, { method: 'POST', headers, body });

    for (const [name, value] of Object.entries({ object: { a: 1 }, list: [1], number: 5, text: 'x', boolean: false })) {
      defineCase(target, `JSON ${name} arrives`, async () => {
        expect(await (await harness().get(PATH, jsonInit(value))).json()).toEqual({ body: value });
      });
    }
    for (const headers of [JSON_HEADERS, {}]) {
      defineCase(
        target,
        `empty body ${'content-type' in headers ? 'with' : 'without'} content type is read as {}`,
        async () => {
          const answer = await sendRaw(harness().host.url, PATH, { method: 'POST', headers });
          expect([answer.status, answer.body]).toEqual([200, '{"body":{}}']);
        },
      );
    }
    defineCase(target, 'accepts every spelling of a JSON content type', async () => {
      for (const type of ['application/JSON', 'application/json; charset=utf-8', 'application/geo+json']) {
        expect((await post('{}', { 'content-type': type })).status).toBe(200);
      }
    });
    defineCase(target, 'malformed JSON is 400 with the parse error', async () => {
      const answer = await post('{"a":');
      expect(answer.status).toBe(400);
      const { detail } = (await answer.json()) as { detail: string };
      expect(detail).toMatch(/^JSON parse error - ./);
    });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense']) {
      defineCase(target, `content type ${type} is 415`, async () => {
        const answer = await sendRaw(harness().host.url, PATH, {
          method: 'POST',
          headers: { 'content-type': type, 'content-length': '3' },
          chunks: ['a=b'],
        });
        expect(answer.status).toBe(415);
        expect(JSON.parse(answer.body)).toMatchObject({
          detail: `Unsupported media type "${type}" in request. Send application/json.`,
        });
      });
    }
    for (const [encoding, pack] of Object.entries({ br: brotliCompressSync, gzip: gzipSync, deflate: deflateSync })) {
      defineCase(target, `a body in ${encoding} is 415, with Accept-Encoding: identity`, async () => {
        const body = Uint8Array.from(pack('{"a":1}'));
        for (const path of [PATH, '/probe/lenient/', '/probe/raw/json/', '/probe/parts/']) {
          const answer = await harness().get(path, {
            method: 'POST',
            headers: { ...JSON_HEADERS, 'content-encoding': encoding.toUpperCase() },
            body,
          });
          expect([path, answer.status, answer.headers.get('accept-encoding')]).toEqual([path, 415, 'identity']);
          expect(await answer.text()).toContain(
            `Unsupported Content-Encoding \\"${encoding}\\" in request. Send the body without compression`,
          );
        }
      });
    }
    defineCase(target, 'a body whose encoding is identity is read', async () => {
      const headers = { ...JSON_HEADERS, 'content-encoding': 'identity' };
      expect(await (await post('{"a":1}', headers)).json()).toEqual({ body: { a: 1 } });
    });
    defineCase(target, 'a body may have a member named __proto__', async () => {
      const answer = await post('{"__proto__":{"polluted":true},"a":1}');
      expect(await answer.text()).toBe('{"body":{"__proto__":{"polluted":true},"a":1}}');
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    });
    defineCase(target, 'text with NUL or a lone surrogate is 400', async () => {
      for (const body of ['{"a":"\\u0000"}', '{"a":["\\ud800"]}', '{"\\udfff":1}']) {
        const answer = await post(body);
        const named = body.startsWith('{"a"')
          ? { a: [expect.stringMatching(/NUL or a lone surrogate/)] }
          : { code: 'parse' };
        expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining(named)]);
      }
    });
    defineCase(target, 'JSON nested more than 200 deep is 400; at most 200 is accepted', async () => {
      const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
      expect(await (await post(nested(200))).text()).toBe(`{"body":${nested(200)}}`);
      for (const levels of [201, 200_000]) await tooDeep(await post(nested(levels)));
    });
    defineCase(target, 'a too large body with a declared length is 413', async () => {
      const answer = await post(JSON.stringify('x'.repeat(MIB)));
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([413, 'payload_too_large']);
    });
    defineCase(target, 'a too large body without a declared length is 413', async () => {
      const headers = { ...JSON_HEADERS, 'transfer-encoding': 'chunked' };
      const chunks = Array.from({ length: 20 }, () => 'x'.repeat(65_536));
      expect((await sendRaw(harness().host.url, PATH, { method: 'POST', headers, chunks })).status).toBe(413);
    });
    defineCase(target, 'a GET without a body may have any content type', async () => {
      for (const type of ['application/json', 'text/plain', 'nonsense']) {
        const answer = await sendRaw(harness().host.url, '/probe/get/', { headers: { 'content-type': type } });
        expect(answer.status).toBe(200);
      }
    });
    defineCase(target, 'accepts fields that the host parsed from JSON or a URL-encoded form', async () => {
      const { service } = await createKitService({ operations: createProbes().operations });
      const host = await target.start({ mounts: [{ service, prefix: '' }], parseBefore: true });
      try {
        const answer = await fetch(host.url + PATH, jsonInit({ a: [1] }));
        expect(await answer.json()).toEqual({ body: { a: [1] } });
        const body = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
        await tooDeep(await fetch(host.url + PATH, { method: 'POST', headers: JSON_HEADERS, body }));
      } finally {
        await host.close();
        await service.close();
      }
    });
  });
}

async function tooDeep(answer: Response): Promise<void> {
  const problem: unknown = await answer.json();
  expect([answer.status, problem]).toEqual([400, expect.objectContaining({ code: 'parse' })]);
  expect(JSON.stringify(problem)).toMatch(/nested more than 200 deep; send a flatter body/);
}
