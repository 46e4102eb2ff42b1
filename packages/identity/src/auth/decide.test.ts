import { describe, expect, expectTypeOf, it, test, vi } from 'vitest';
import { DomainError } from '@headwater/core';
import { decide, decideWithBody } from './decide.ts';
import { policies, policiesOf, type PrincipalOf } from './policies.ts';
import type { Policy } from './policy.ts';
import type { CredentialSource } from './types.ts';
import type { AnonymousPrincipal, UserPrincipal } from './types.ts';

interface KeyPrincipal {
  readonly kind: 'key';
  readonly key: string;
}

const key: Policy<KeyPrincipal> = {
  name: 'key',
  scheme: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  places: [
    { in: 'header', name: 'x-api-key' },
    { in: 'cookie', name: 'key' },
    { in: 'body', name: 'key' },
  ],
  refusesFirst: 'method',
  authenticate: async ({ value }) => ({ kind: 'key', key: value }),
};

const source = (headers: CredentialSource['headers'], body?: Record<string, unknown>): CredentialSource => ({
  headers,
  method: 'GET',
  ...(body === undefined ? {} : { body: async () => body }),
});
const found = (wanted: readonly Policy[], from: CredentialSource): unknown => {
  const { policy, credential } = decide(wanted, from);
  return [policy.name, credential.value, credential.place?.in];
};

describe('decide: returns the first policy whose credentials are in the request', () => {
  const { bearer, public: open } = policies;
  it.each([
    [[key, bearer], { 'x-api-key': 'k', authorization: 'Bearer t' }, ['key', 'k', 'header']],
    [[bearer, key], { 'x-api-key': 'k', authorization: 'Bearer t' }, ['bearer', 'Bearer t', 'header']],
    [[bearer, key], { 'x-api-key': 'k', authorization: 'Basic t' }, ['key', 'k', 'header']],
    [[bearer, key], { 'x-api-key': '', cookie: 'key=c' }, ['key', 'c', 'cookie']],
    [[bearer, open], {}, ['public', '', undefined]],
    [[bearer, open], { authorization: 'bearer' }, ['bearer', 'bearer', 'header']],
  ])('case %#', (wanted, headers, expected) => {
    expect(found(wanted, source(headers))).toEqual(expected);
  });

  it('throws an error with the names of all policies if the request has no credentials', () => {
    expect(() => decide([bearer, key], source({}))).toThrow(
      expect.objectContaining({ code: 'not_authenticated', details: { policies: ['bearer', 'key'] } }),
    );
  });

  it('throws the error of the policy about missing credentials if only one policy is allowed', () => {
    const worded = { ...key, missing: () => new DomainError('not_authenticated', 'bring a key') };
    expect(() => decide([worded], source({}))).toThrow('bring a key');
  });
});

test('the body is read only if headers and cookies have no credentials and a policy reads a member of the body', async () => {
  const body = vi.fn(async () => ({ key: 'from the body' }));
  expect(await decideWithBody([key], { ...source({ 'x-api-key': 'k' }), body })).toMatchObject({
    credential: { value: 'k' },
  });
  expect(await decideWithBody([policies.public], { ...source({}), body })).toMatchObject({ credential: { value: '' } });
  expect(body).not.toHaveBeenCalled();
  expect(await decideWithBody([key], { ...source({}), body })).toMatchObject({
    credential: { value: 'from the body' },
  });
  for (const fields of [{ key: 5 }, { key: '' }, Object.create({ key: 'inherited' }) as Record<string, unknown>]) {
    await expect(decideWithBody([key], source({}, fields))).rejects.toMatchObject({ code: 'not_authenticated' });
  }
});

test('policiesOf refuses an unknown name', () => {
  expect(() => policiesOf(JSON.parse('"toString"') as 'bearer')).toThrow(/toString is unknown/);
});

test('the principal has a union type if several policies are named', () => {
  expectTypeOf<PrincipalOf<readonly ['bearer', typeof key]>>().toEqualTypeOf<UserPrincipal | KeyPrincipal>();
  expectTypeOf<PrincipalOf<typeof key>>().toEqualTypeOf<KeyPrincipal>();
  expectTypeOf<PrincipalOf<readonly ['bearer', 'public']>>().toEqualTypeOf<UserPrincipal | AnonymousPrincipal>();
});
