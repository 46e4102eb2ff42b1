import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildOperations, type Operation, type OperationExample } from '@headwater/http-service';
import { describe, expect } from 'vitest';
import { SAMPLE_PIPELINES as pipelines } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { exampleUrl } from './examples.ts';
import { defineCase, type Harness, type RawAnswer, sendRaw, useHarness } from './harness.ts';

const PUBLIC_TAGS: ReadonlySet<string> = new Set(['public', 'tables', 'places']);
/** Smallest body that is compressed, bytes. */
const SMALL = 256;
/** Media type of workbooks, which are not compressed again. */
const PACKED = /spreadsheetml\.sheet/;
/** Origin of a page on the user's machine, which is allowed by default. */
const ORIGIN = 'http://localhost:3000';
const WRONG_KEY = `WrongKey.${'w'.repeat(32)}`;

const DECODE: Readonly<Record<'gzip' | 'br', (bytes: Uint8Array) => Uint8Array>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
};

/** Test cases of the GET routes of public data: caching, compression, cross-origin access, API keys. */
export function publicCachingCases(target: HttpTarget): void {
  describe('caching and access of the public data', () => {
    const harness = useHarness(target);
    for (const row of buildOperations(pipelines)) {
      if (row.method !== 'GET' || !(row.auth === 'apiKey' || PUBLIC_TAGS.has(row.tag))) continue;
      for (const example of row.examples) {
        if (example.status === 200) rowCases(target, harness, { row, example, path: exampleUrl(row, example) });
      }
    }
  });
}

interface RowExample {
  readonly row: Operation;
  readonly example: OperationExample;
  readonly path: string;
}

type Send = (headers?: Readonly<Record<string, string>>, method?: string) => Promise<RawAnswer>;

function rowCases(target: HttpTarget, harness: () => Harness, { row, example, path }: RowExample): void {
  const name = `${row.id} (${example.name})`;
  const isKeyed = row.auth === 'apiKey';
  const bare: Send = (headers = {}, method = 'GET') => sendRaw(harness().host.url, path, { method, headers });
  const ask: Send = async (headers, method) => bare({ ...(await harness().credentials(row)), ...headers }, method);

  defineCase(target, `${name} has ETag and Cache-Control, and returns 304 for a known ETag`, async () => {
    const plain = await ask();
    expect(cachingOf(plain)).toEqual({
      status: 200,
      encoding: undefined,
      etag: expect.stringMatching(/^(?:W\/)?"[^"]+"$/),
      cacheControl: isKeyed ? 'private, no-cache' : 'no-cache',
      vary: expect.arrayContaining(['Accept-Encoding', 'Origin', ...(isKeyed ? ['X-API-Key'] : [])]),
    });
    for (const method of ['GET', 'HEAD']) {
      const again = await ask({ 'if-none-match': String(plain.headers['etag']) }, method);
      expect([again.body, cachingOf(again)]).toEqual(['', { ...cachingOf(plain), status: 304 }]);
    }
    expect((await ask({ 'if-none-match': '"another"' })).status).toBe(200);
  });

  defineCase(target, `${name} is compressed if the client accepts it, and HEAD has the same headers`, async () => {
    const plain = await ask();
    const isPacked = PACKED.test(String(plain.headers['content-type']));
    for (const encoding of ['gzip', 'br'] as const) {
      const packed = await ask({ 'accept-encoding': encoding });
      const isWorthIt = plain.bytes.byteLength >= SMALL && !isPacked;
      expect(cachingOf(packed)).toMatchObject({ status: 200, encoding: isWorthIt ? encoding : undefined });
      const bytes = isWorthIt ? DECODE[encoding](packed.bytes) : packed.bytes;
      expect(Buffer.from(bytes).equals(plain.bytes)).toBe(true);
      const known = { 'accept-encoding': encoding, 'if-none-match': String(packed.headers['etag']) };
      expect((await ask(known)).status).toBe(304);
      const head = await ask({ 'accept-encoding': encoding }, 'HEAD');
      expect([head.body, cachingOf(head)]).toEqual(['', cachingOf(packed)]);
      // A workbook is generated while it is sent, so the length is unknown.
      if (!isPacked) expect(head.headers['content-length']).toBe(String(packed.bytes.byteLength));
    }
  });

  defineCase(target, `${name} can be read by a page of an allowed origin`, async () => {
    const { headers } = await ask({ origin: ORIGIN });
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    const exposed = String(headers['access-control-expose-headers']).split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['ETag', 'RateLimit', 'RateLimit-Policy', 'Retry-After']));
    const requested = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-api-key' };
    const preflight = await bare({ origin: ORIGIN, ...requested }, 'OPTIONS');
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, ORIGIN]);
    expect(String(preflight.headers['access-control-allow-headers']).split(', ')).toContain('x-api-key');
  });

  if (!isKeyed) return;
  defineCase(target, `${name} returns 401 for a missing or wrong key, even with If-None-Match`, async () => {
    const { headers } = await ask();
    for (const method of ['GET', 'HEAD'])
      for (const known of [String(headers['etag']), '*'])
        for (const key of [{}, { 'x-api-key': WRONG_KEY }]) {
          const refused = await bare({ ...key, 'if-none-match': known }, method);
          expect(cachingOf(refused)).toMatchObject({ status: 401, etag: undefined, cacheControl: 'no-store' });
        }
  });
}

function cachingOf({ status, headers }: RawAnswer): Readonly<Record<string, unknown>> {
  return {
    status,
    encoding: headers['content-encoding'],
    etag: headers['etag'],
    cacheControl: headers['cache-control'],
    vary: String(headers['vary']).split(', '),
  };
}
