import { describe, expect } from 'vitest';
import { HOST_TEXT, type HttpTarget } from '../host/target.ts';
import { defineCase, sendRaw, useHarness } from '../host/harness.ts';

/** Test cases of paths and methods: spellings of a path that are served, and requests that are passed to the host. */
export function routingCases(target: HttpTarget): void {
  describe('routing', () => {
    const harness = useHarness(target);
    for (const path of [
      '/probe/get/',
      '/probe/get',
      '//probe/get/',
      '//probe/get',
      '/probe/get/?a=1',
      '/probe/get?a=1',
    ]) {
      defineCase(target, `${path} is served`, async () => {
        const answer = await sendRaw(harness().host.url, path);
        expect(answer.status).toBe(200);
        expect(JSON.parse(answer.body)).toMatchObject({ query: path.includes('?') ? { a: '1' } : {} });
      });
    }
    defineCase(target, 'paths are case-sensitive', async () => {
      expect((await harness().get('/PROBE/get/')).status).not.toBe(200);
    });
    defineCase(target, 'unknown path goes to the host', async () => {
      const answer = await harness().get('/api/v1/nothing/');
      expect([answer.status, await answer.text()]).toEqual([418, HOST_TEXT.notFound]);
    });
    defineCase(target, 'HEAD has the headers of GET and no body', async () => {
      const [head, get] = await Promise.all([
        harness().get('/api/v1/get_states/', { method: 'HEAD' }),
        harness().get('/api/v1/get_states/'),
      ]);
      const text = await get.text();
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    });
    defineCase(target, 'a wrong method is 405 with Allow', async () => {
      const answer = await harness().get('/probe/get/', { method: 'POST' });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      expect(await answer.json()).toMatchObject({ detail: 'Method "POST" not allowed.', code: 'method_not_allowed' });
    });
    defineCase(target, 'a wrong method on a protected path is 401 without credentials, 405 with them', async () => {
      const init = { method: 'PUT' };
      const anonymous = await harness().get('/api/v1/runs/', init);
      expect(anonymous.status).toBe(401);
      const headers = { authorization: `Bearer ${await harness().token('owner')}` };
      expect((await harness().get('/api/v1/runs/', { ...init, headers })).status).toBe(405);
    });
    defineCase(target, 'OPTIONS returns the allowed methods', async () => {
      const answer = await harness().get('/probe/body/', { method: 'OPTIONS' });
      expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
    });
    defineCase(target, 'encoded segments arrive decoded', async () => {
      const answer = await harness().get('/probe/param/a%20b%2Fc%C3%A9/');
      expect(await answer.json()).toEqual({ name: 'a b/cé' });
    });
    defineCase(target, 'a malformed escape in a path gets 400', async () => {
      expect((await sendRaw(harness().host.url, '/probe/param/%ff/')).status).toBe(400);
    });
    defineCase(target, 'a malformed escape in a path returns an error body with the code parse', async () => {
      const answer = await sendRaw(harness().host.url, '/probe/param/%ff/');
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'parse', status: 400 });
    });
  });
}
