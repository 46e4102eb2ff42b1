import type { UserPrincipal } from '@headwater/core';
import { describe, expect } from 'vitest';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, sendRaw, useHarness } from './harness.ts';

const PATH = '/probe/api-key/';

/** Rows behind an API key: what is taken for one, and how everything else is refused. */
export function apiKeyCases(target: HttpTarget): void {
  describe('API keys', () => {
    const harness = useHarness(target);
    const newPrincipal = async (username: string): Promise<UserPrincipal> => {
      const user = await harness().service.accounts.createUser({ username, password: 'tall-river-42' });
      return { kind: 'user', user };
    };
    const ask = (key: string): Promise<Response> => harness().get(PATH, { headers: { 'x-api-key': key } });
    const refused = async (answer: Response): Promise<Record<string, unknown>> => {
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, null]);
      const { request_id: _, ...body } = (await answer.json()) as Record<string, unknown>;
      return body;
    };

    defineCase(
      target,
      'a key opens its rows, kept by no cache, and is refused from the moment it is ended',
      async () => {
        const { apiKeys } = harness().service;
        const principal = await newPrincipal('key_owner');
        const { text } = await apiKeys.generate(principal);
        const answer = await ask(text);
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
        expect(await answer.json()).toEqual({ kind: 'apiKey' });
        await apiKeys.deactivate(principal, { userId: principal.user.id, text });
        expect(await refused(await ask(text))).toMatchObject({
          error: 'Authentication failed',
          details: 'Invalid API key',
        });
      },
    );
    defineCase(target, 'whatever is wrong with a key, the body is one and the same, without the key', async () => {
      const { apiKeys, accounts } = harness().service;
      const [principal, disabled] = [await newPrincipal('key_maker'), await newPrincipal('key_loser')];
      const { text } = await apiKeys.generate(principal);
      const ended = await apiKeys.generate(principal);
      await apiKeys.deactivate(principal, { userId: principal.user.id, text: ended.text });
      const orphan = await apiKeys.generate(disabled);
      await accounts.setActive(disabled.user.id, false);
      const wrongSecret = `${text.slice(0, 9)}${'a'.repeat(32)}`;
      const unknown = `Unknown0.${'a'.repeat(32)}`;
      const malformed = [
        'x',
        `${text}x`,
        text.toLowerCase().replace('.', '_'),
        "' or 1=1 --",
        'x'.repeat(8000),
        `${text}, ${text}`,
      ];
      const bodies: unknown[] = [];
      for (const key of [ended.text, orphan.text, wrongSecret, unknown, ...malformed]) {
        const body = await refused(await ask(key));
        expect(JSON.stringify(body)).not.toContain(key);
        bodies.push(body);
      }
      expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
      expect(bodies[0]).toMatchObject({
        error: 'Authentication failed',
        details: 'Invalid API key',
        code: 'token_not_valid',
      });
    });
    defineCase(target, 'no token is a key and no key a token, wherever it stands', async () => {
      const { apiKeys } = harness().service;
      const { text } = await apiKeys.generate(await newPrincipal('key_mixer'));
      const access = await harness().token('owner');
      const told = async (path: string, headers: Record<string, string>): Promise<unknown> =>
        (await refused(await harness().get(path, { headers })))['details'];
      const required = 'API key required in X-API-Key header';
      expect(await told(PATH, { 'x-api-key': access })).toBe('Invalid API key');
      expect(await told(PATH, { authorization: `Bearer ${access}` })).toBe(required);
      expect(await told(PATH, { authorization: `Bearer ${text}` })).toBe(required);
      expect(await told(PATH, { cookie: `x-api-key=${text}` })).toBe(required);
      expect(await told(`${PATH}?api_key=${text}&x-api-key=${text}`, {})).toBe(required);
      expect(await told('/probe/token/', { 'x-api-key': text })).toBe('JWT token required in Authorization header');
      expect(await told('/probe/token/', { authorization: `Bearer ${text}` })).toBe('Invalid or expired JWT token');
    });
    defineCase(target, 'two headers are no key, though each alone would be', async () => {
      const { apiKeys } = harness().service;
      const { text } = await apiKeys.generate(await newPrincipal('key_twice'));
      const headers = { 'X-API-Key': [text, text] };
      const answer = await sendRaw(harness().host.url, PATH, { headers });
      expect([answer.status, JSON.parse(answer.body)]).toMatchObject([401, { details: 'Invalid API key' }]);
    });
    defineCase(target, 'a wrong method is told before the key is looked at', async () => {
      const answer = await harness().get(PATH, { method: 'POST' });
      expect([answer.status, await answer.json()]).toMatchObject([405, { error: 'Method POST not allowed' }]);
    });
  });
}
