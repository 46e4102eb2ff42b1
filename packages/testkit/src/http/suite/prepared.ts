import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { PREPARED_TEXT } from '../probes/prepared.ts';
import type { HttpTarget } from '../host/target.ts';
import { defineCase, sendRaw, useHarness, type RawAnswer } from '../host/harness.ts';

const PATH = '/probe/prepared/';

/** Expected Content-Encoding for each Accept-Encoding; undefined: not compressed. */
const ACCEPTED: Readonly<Record<string, string | undefined>> = {
  '': undefined,
  identity: undefined,
  gzip: 'gzip',
  'gzip, deflate, br': 'br',
  'br;q=0.5, gzip': 'gzip',
  'gzip;q=0': undefined,
  'gzip;q=0, *': 'br',
  '*': undefined,
  '*;q=0': undefined,
  'identity;q=0, gzip;q=0.1': 'gzip',
  'identity, gzip;q=0.5': undefined,
  'identity;q=0.5, gzip;q=1.0': 'gzip',
  'gzip;q=nonsense': undefined,
  deflate: undefined,
};

/** Test cases of prepared bytes: encodings, ETags, 304, HEAD. */
export function preparedCases(target: HttpTarget): void {
  describe('prepared bytes', () => {
    const harness = useHarness(target);
    // Sends requests without `fetch`, which decodes bodies and sends its own Accept-Encoding.
    const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawAnswer> =>
      sendRaw(harness().host.url, path, { method, headers });

    defineCase(target, 'are not compressed without Accept-Encoding', async () => {
      const answer = await ask(PATH);
      expect([answer.body, answer.headers['content-encoding']]).toEqual([PREPARED_TEXT, undefined]);
      expect(answer.headers['vary']).toBe('Accept-Encoding, Origin');
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.headers['etag']).toMatch(/^"[\w-]{43}"$/);
    });
    defineCase(target, 'have the encoding that Accept-Encoding prefers', async () => {
      for (const [accepted, encoding] of Object.entries(ACCEPTED)) {
        const answer = await ask(PATH, { 'accept-encoding': accepted });
        expect({ accepted, encoding: answer.headers['content-encoding'] }).toEqual({ accepted, encoding });
        expect(decoded(answer)).toBe(PREPARED_TEXT);
        if (encoding !== undefined) expect(answer.bytes.byteLength).toBeLessThan(PREPARED_TEXT.length / 2);
      }
    });
    defineCase(target, 'each encoding has its own strong ETag; a weak ETag is the same for all', async () => {
      const tag = async (path: string, accepted: string): Promise<unknown> =>
        (await ask(path, { 'accept-encoding': accepted })).headers['etag'];
      const tags = await Promise.all(['', 'gzip', 'br'].map((accepted) => tag(PATH, accepted)));
      expect(new Set(tags).size).toBe(3);
      expect(await tag(`${PATH}weak/`, 'gzip')).toBe('W/"7"');
    });
    defineCase(
      target,
      'If-None-Match returns 304 for the ETag, for a list with the ETag, for its weak form, and for *',
      async () => {
        for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
          const etag = String((await ask(PATH, headers)).headers['etag']);
          for (const known of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
            const answer = await ask(PATH, { ...headers, 'if-none-match': known });
            expect([answer.status, answer.body, answer.headers['etag']]).toEqual([304, '', etag]);
            expect(answer.headers['cache-control']).toBe('no-cache');
            expect(answer.headers['vary']).toContain('Accept-Encoding');
          }
          expect((await ask(PATH, { ...headers, 'if-none-match': '"other"' })).status).toBe(200);
        }
        expect((await ask(`${PATH}weak/`, { 'if-none-match': '"7"' })).status).toBe(304);
      },
    );
    defineCase(target, 'credentials are checked before If-None-Match', async () => {
      const known = { 'if-none-match': '*' };
      expect((await ask(`${PATH}own/`, known)).status).toBe(401);
      const authorization = `Bearer ${await harness().token('owner')}`;
      expect((await ask(`${PATH}own/`, { ...known, authorization })).status).toBe(304);
    });
    defineCase(target, 'HEAD has the length of the GET response', async () => {
      for (const headers of [{}, { 'accept-encoding': 'gzip' }, { 'accept-encoding': 'br' }]) {
        const [head, get] = [await ask(PATH, headers, 'HEAD'), await ask(PATH, headers)];
        expect([head.status, head.body, head.headers['content-length']]).toEqual([
          200,
          '',
          String(get.bytes.byteLength),
        ]);
        expect(head.headers['content-encoding']).toBe(get.headers['content-encoding']);
        expect(head.headers['etag']).toBe(get.headers['etag']);
      }
    });
    defineCase(target, 'return 500 if they do not match the schema of the response', async () => {
      expect((await ask(`${PATH}broken/`)).status).toBe(500);
    });
    defineCase(target, 'the OpenAPI document and the API reference page are prepared bytes', async () => {
      for (const path of ['/api/v1/openapi.json', '/docs/']) {
        const { headers } = await ask(path, { 'accept-encoding': 'br' });
        expect([headers['content-encoding'], typeof headers['etag']]).toEqual(['br', 'string']);
      }
    });
  });
}

function decoded({ bytes, headers }: RawAnswer): string {
  const encoding = headers['content-encoding'];
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return encoding === 'gzip' ? gunzipSync(bytes).toString() : Buffer.from(bytes).toString();
}
