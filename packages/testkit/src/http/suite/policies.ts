import { describe, expect } from 'vitest';
import { PROBE_KEY } from '../probes/policies.ts';
import type { HttpTarget } from '../host/target.ts';
import { defineCase, jsonInit, sendRaw, useHarness } from '../host/harness.ts';

type Headers = Readonly<Record<string, string>>;

/** Test cases of an embedder's policies: credentials, several policies, order of errors. */
export function policyCases(target: HttpTarget): void {
  describe('policies', () => {
    const harness = useHarness(target);
    const ask = async (path: string, headers: Headers = {}): Promise<unknown> => {
      const answer = await harness().get(path, { headers });
      return answer.ok ? answer.json() : answer.status;
    };
    const mine = async (): Promise<Headers> => ({ authorization: `Bearer ${await harness().token('owner')}` });

    defineCase(target, 'reads credentials from a header or a cookie', async () => {
      expect(await ask('/probe/key/', { 'X-Api-Key': PROBE_KEY })).toEqual({ kind: 'key', from: 'header x-api-key' });
      const cookie = `theme=dark; probe_key=${PROBE_KEY}`;
      expect(await ask('/probe/key/', { cookie })).toEqual({ kind: 'key', from: 'cookie probe_key' });
      for (const refused of ['probe_key=a b', `probe_key=${PROBE_KEY}; probe_key=x`, 'probe_key']) {
        expect(await ask('/probe/key/', { cookie: refused })).toBe(401);
      }
    });
    defineCase(target, 'if a row has several policies, the first that finds its credentials decides', async () => {
      expect(await ask('/probe/either/', { 'x-api-key': PROBE_KEY })).toMatchObject({ kind: 'key' });
      expect(await ask('/probe/either/', await mine())).toEqual({ kind: 'user' });
      expect(await ask('/probe/either/', { 'x-api-key': 'wrong', ...(await mine()) })).toBe(401);
      expect(await ask('/probe/either/', { 'x-api-key': PROBE_KEY, authorization: 'Bearer broken' })).toMatchObject({
        kind: 'key',
      });
    });
    defineCase(target, 'one row serves guests and users', async () => {
      expect(await ask('/probe/guest/')).toEqual({ kind: 'anonymous' });
      expect(await ask('/probe/guest/', await mine())).toEqual({ kind: 'user' });
      expect(await ask('/probe/guest/', { authorization: 'Bearer broken' })).toBe(401);
    });
    defineCase(
      target,
      'reads credentials from a body of any media type, and the handler still gets the body',
      async () => {
        const fields = { api_key: PROBE_KEY, a: 'x' };
        const form = new FormData();
        for (const [name, value] of Object.entries(fields)) form.append(name, value);
        for (const init of [
          jsonInit(fields),
          { method: 'POST', body: new URLSearchParams(fields) },
          { method: 'POST', body: form },
        ]) {
          const answer = await harness().get('/probe/body-key/', init);
          expect(await answer.json()).toEqual({ principal: { kind: 'key', from: 'body api_key' }, body: fields });
        }
        const inHeader = await harness().get('/probe/body-key/', jsonInit({ a: 'x' }, { 'x-api-key': PROBE_KEY }));
        expect(await inHeader.json()).toMatchObject({ principal: { from: 'header x-api-key' } });
        for (const body of [{ a: 'x' }, { api_key: 5 }, [PROBE_KEY], {}]) {
          expect((await harness().get('/probe/body-key/', jsonInit(body))).status).toBe(401);
        }
      },
    );
    refusalCases(target, harness);
  });
}

function refusalCases(target: HttpTarget, harness: ReturnType<typeof useHarness>): void {
  const challenge = async (path: string, headers: Headers = {}): Promise<string | null> => {
    const answer = await harness().get(path, { headers });
    expect(answer.status).toBe(401);
    return answer.headers.get('www-authenticate');
  };
  defineCase(target, 'WWW-Authenticate is sent only if the deciding policy has a challenge', async () => {
    expect(await challenge('/probe/bearer/')).toBe('Bearer realm="api"');
    expect(await challenge('/probe/key/')).toBeNull();
    expect(await challenge('/probe/key/', { 'x-api-key': 'wrong' })).toBeNull();
    expect(await challenge('/probe/either/')).toBe('Bearer realm="api"');
    expect(await challenge('/probe/either/', { 'x-api-key': 'wrong' })).toBeNull();
    expect(await challenge('/probe/either/', { authorization: 'Bearer broken' })).toBe('Bearer realm="api"');
  });
  defineCase(
    target,
    'without credentials, the response has the message of the only policy, or the names of all policies',
    async () => {
      const only = await harness().get('/probe/key/');
      expect(await only.json()).toMatchObject({
        code: 'not_authenticated',
        detail: expect.stringMatching(/X-API-Key/),
      });
      const several = await harness().get('/probe/either/');
      expect(await several.json()).toMatchObject({ code: 'not_authenticated', policies: ['probeKey', 'bearer'] });
    },
  );
  defineCase(
    target,
    'a wrong method without credentials is 401 on a bearer row, and 405 on a row that accepts a key',
    async () => {
      const status = async (path: string): Promise<number> => (await harness().get(path, { method: 'PUT' })).status;
      expect([await status('/probe/bearer/'), await status('/probe/key/'), await status('/probe/either/')]).toEqual([
        401, 405, 405,
      ]);
    },
  );
  defineCase(
    target,
    'rows of the API key routes check the method first, send no challenge, and use the messages of their policy',
    async () => {
      const wrong = await harness().get('/probe/token/', { method: 'PUT' });
      expect([wrong.status, await wrong.json()]).toEqual([
        405,
        expect.objectContaining({ error: 'Method PUT not allowed' }),
      ]);
      const detailsOf = async (path: string, headers = {}): Promise<unknown> => {
        const answer = await harness().get(path, { headers });
        expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, null]);
        return ((await answer.json()) as { details: unknown }).details;
      };
      expect(await detailsOf('/probe/token/')).toMatch(
        /^JWT token required in .*POST \/api\/v1\/auth\/login\/ returns/,
      );
      expect(await detailsOf('/probe/token/', { authorization: 'Bearer a.b.c' })).toBe('Invalid or expired JWT token');
      expect(await detailsOf('/probe/key-words/')).toBe('API key required in X-API-Key header');
      expect(await detailsOf('/probe/key-words/', { 'x-api-key': 'other' })).toBe('Invalid API key');
    },
  );
  defineCase(target, 'a preflight allows the credential header of the row of the requested method', async () => {
    const headers = { origin: 'http://localhost:3000', 'access-control-request-method': 'GET' };
    const answer = await harness().get('/probe/partner/', { method: 'OPTIONS', headers });
    expect(answer.headers.get('access-control-allow-headers')).toContain('x-partner-key');
  });
  defineCase(target, 'a preflight needs neither credentials nor an allowed method', async () => {
    for (const path of ['/probe/bearer/', '/probe/key/']) {
      const headers = { origin: 'http://localhost:3000', 'access-control-request-method': 'PUT' };
      const answer = await sendRaw(harness().host.url, path, { method: 'OPTIONS', headers });
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([204, 'http://localhost:3000']);
    }
  });
}
