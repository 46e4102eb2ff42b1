import type { UserPrincipal } from '@headwater/identity';
import { buildOperations, type Operation } from '@headwater/http-service';
import { describe, expect } from 'vitest';
import { SAMPLE_PIPELINES as pipelines } from '../fixture/sample-service.ts';
import { policyProbes } from '@headwater/testkit/http';
import type { HttpTarget } from '../targets/target.ts';
import { askRow } from './auth.ts';
import { defineCase, type Harness, sendRaw, useHarness } from './harness.ts';

const PATH = '/probe/api-key/';
const REQUIRED = 'API key required in X-API-Key header';
const INVALID = 'Invalid API key';

/** Test cases of operations with an API key, and of refused credentials. */
export function apiKeyCases(target: HttpTarget): void {
  describe('API keys', () => {
    const harness = useHarness(target);
    for (const row of [...buildOperations(pipelines), ...policyProbes()].filter(({ auth }) => auth === 'apiKey')) {
      defineCase(target, `${row.id}: accepts a key, and shared caches must not store the response`, async () => {
        const answer = await askRow(harness().get, row, { 'x-api-key': await harness().key() });
        expect(answer.status).toBe(row.examples[0]?.status);
        expect(answer.headers.get('cache-control')).toMatch(/^(no-store|private\b.*)$/);
      });
      defineCase(target, `${row.id}: accepts no token, and no key outside the header X-API-Key`, async () => {
        await refusesOthers(harness(), row);
      });
    }
    refusalCases(target, harness);
  });
}

async function refusesOthers({ get, token, key: keyOf }: Harness, row: Operation): Promise<void> {
  const [key, access] = [await keyOf(), await token('owner')];
  for (const [headers, details] of [
    [{}, REQUIRED],
    [{ authorization: `Bearer ${access}` }, REQUIRED],
    [{ authorization: `Bearer ${key}` }, REQUIRED],
    [{ cookie: `x-api-key=${key}` }, REQUIRED],
    [{ 'x-api-key': access }, INVALID],
    [{ 'x-api-key': `Bearer ${key}` }, INVALID],
    [{ 'x-api-key': `${key.slice(0, 9)}${'a'.repeat(32)}` }, INVALID],
  ] as const) {
    const body = await refusal(await askRow(get, row, headers));
    expect([row.id, headers, body]).toMatchObject([row.id, headers, { error: 'Authentication failed', details }]);
  }
}

async function refusal(answer: Response): Promise<Record<string, unknown>> {
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, null]);
  const { request_id: _, ...body } = (await answer.json()) as Record<string, unknown>;
  return body;
}

function refusalCases(target: HttpTarget, harness: () => Harness): void {
  const newPrincipal = async (username: string): Promise<UserPrincipal> => {
    const user = await harness().service.accounts.createUser({ username, password: 'tall-river-42' });
    return { kind: 'user', user };
  };
  const ask = (key: string): Promise<Response> => harness().get(PATH, { headers: { 'x-api-key': key } });

  defineCase(target, 'every invalid key gets the same body, which does not contain the key', async () => {
    const { apiKeys, accounts } = harness().service;
    const [principal, disabled] = [await newPrincipal('key_maker'), await newPrincipal('key_loser')];
    const { text } = await apiKeys.generate(principal);
    const ended = await apiKeys.generate(principal);
    const orphan = await apiKeys.generate(disabled);
    for (const key of [text, ended.text, orphan.text]) expect((await ask(key)).status).toBe(200);
    await apiKeys.deactivate(principal, { userId: principal.user.id, text: ended.text });
    await accounts.setActive(disabled.user.id, false);
    const unknown = `Unknown0.${'a'.repeat(32)}`;
    const malformed = ['x', `${text}x`, text.replace('.', '_'), "' or 1=1 --", 'x'.repeat(8000), `${text}, ${text}`];
    const bodies: unknown[] = [];
    for (const key of [ended.text, orphan.text, unknown, ...malformed]) {
      const body = await refusal(await ask(key));
      if (key.length > 1) expect(JSON.stringify(body)).not.toContain(key);
      bodies.push(body);
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(bodies[0]).toMatchObject({ details: INVALID, error: 'Authentication failed', code: 'token_not_valid' });
  });
  defineCase(target, 'a key in the address is ignored', async () => {
    const key = await harness().key();
    const answer = await harness().get(`${PATH}?api_key=${key}&x-api-key=${key}`);
    expect(await refusal(answer)).toMatchObject({ details: REQUIRED });
  });
  defineCase(target, 'two headers with keys are refused, even if each key is valid', async () => {
    const key = await harness().key();
    const answer = await sendRaw(harness().host.url, PATH, { headers: { 'X-API-Key': [key, key] } });
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([401, { details: INVALID }]);
  });
  defineCase(target, 'a wrong method gets 405 before the key is checked', async () => {
    const answer = await harness().get(PATH, { method: 'POST' });
    expect([answer.status, await answer.json()]).toMatchObject([405, { error: 'Method POST not allowed' }]);
  });
}
