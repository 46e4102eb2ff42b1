import { describe, expect } from 'vitest';
import type { HttpTarget } from '../host/target.ts';
import { defineCase, sendRaw, useHarness } from '../host/harness.ts';

/** Expected parameters for each query string. */
const QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a=1&b=': { a: '1', b: '' },
  'a=x+y&b=x%2By': { a: 'x y', b: 'x+y' },
  'n%C3%A9=%E0%A4%85': { né: 'अ' },
  'a[$ne]=1&state[]=2': { 'a[$ne]': '1', 'state[]': '2' },
  flag: { flag: '' },
};

/** Test cases of query strings, request headers and response headers. */
export function queryAndHeaderCases(target: HttpTarget): void {
  describe('query and headers', () => {
    const harness = useHarness(target);
    for (const [query, expected] of Object.entries(QUERIES)) {
      defineCase(target, `?${query}`, async () => {
        const answer = await sendRaw(harness().host.url, `/probe/get/?${query}`);
        expect((JSON.parse(answer.body) as { query: unknown }).query).toEqual(expected);
      });
    }
    defineCase(target, 'repeated, malformed and NUL parameters are 400', async () => {
      for (const query of ['a=1&a=2', 'a=%ff', 'a=%00']) {
        expect((await sendRaw(harness().host.url, `/probe/get/?${query}`)).status).toBe(400);
      }
    });
    defineCase(target, 'the error about a repeated parameter names the parameter', async () => {
      const answer = await harness().get('/probe/get/?limit=1&limit=2');
      expect(await answer.json()).toMatchObject({ limit: ['Sent more than once; send it once.'] });
    });
    defineCase(target, 'a query may have a parameter named __proto__', async () => {
      const answer = await sendRaw(harness().host.url, '/probe/get/?__proto__=1');
      expect(answer.status).toBe(200);
      expect(({} as { 1?: unknown })[1]).toBeUndefined();
    });
    defineCase(target, 'several Set-Cookie headers stay separate', async () => {
      const answer = await harness().get('/probe/cookies');
      expect(answer.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2; Path=/']);
    });
    defineCase(target, 'a safe request id is returned, an unsafe one is replaced', async () => {
      const echoed = await harness().get('/probe/get/', { headers: { 'X-Request-ID': 'abc-1.2' } });
      expect(echoed.headers.get('x-request-id')).toBe('abc-1.2');
      const unsafe = await harness().get('/probe/get/', { headers: { 'x-request-id': 'a b"c' } });
      expect(unsafe.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    });
    defineCase(target, 'an empty response has no content type', async () => {
      const answer = await harness().get('/probe/empty');
      expect([answer.status, answer.headers.get('content-type')]).toEqual([204, null]);
    });
    defineCase(target, 'bytes arrive unchanged', async () => {
      const answer = await harness().get('/probe/bytes');
      expect([...new Uint8Array(await answer.arrayBuffer())]).toEqual([0, 255, 1, 254]);
      expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    });
    corsCases(target, harness);
  });
}

function corsCases(target: HttpTarget, harness: ReturnType<typeof useHarness>): void {
  const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
  defineCase(target, 'the preflight of a local page needs no credentials', async () => {
    const headers = { origin: 'http://localhost:3000', ...preflight };
    const answer = await harness().get('/api/v1/generate_api_key/', { method: 'OPTIONS', headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
    expect(answer.headers.get('access-control-allow-credentials')).toBe('true');
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
    expect(answer.headers.get('access-control-allow-headers')).toContain('authorization');
  });
  defineCase(target, 'a page of another origin may read only public responses, without credentials', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    const open = await harness().get('/api/v1/stac/', { headers });
    expect(open.headers.get('access-control-allow-origin')).toBe('*');
    expect(open.headers.get('access-control-allow-credentials')).toBeNull();
    const ask = { ...headers, 'access-control-request-method': 'GET', 'access-control-request-headers': 'range' };
    const before = await harness().get('/api/v1/stac/', { method: 'OPTIONS', headers: ask });
    expect(before.headers.get('access-control-allow-origin')).toBe('*');
    const closed = await harness().get('/api/v1/runs/', { headers });
    expect(closed.headers.get('access-control-allow-origin')).toBeNull();
    expect(closed.headers.get('vary')).toContain('Origin');
  });
}
