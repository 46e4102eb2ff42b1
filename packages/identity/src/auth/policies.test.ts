import { beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { createManualTime, type ManualTime } from '@headwater/core/testing';
import { createMemoryStores } from '../memory/stores.ts';
import type { Stores } from '../ports/stores.ts';
import { createApiKeys, type ApiKeys } from '../api-keys/api-keys.ts';
import { authenticate, type Principal, type PrincipalOf } from './policies.ts';
import { TOKEN_DEFAULTS } from './token-settings.ts';
import { createTokens, secondsOf, type Session, type TokenProblem, type Tokens } from './tokens.ts';
import type {
  AnonymousPrincipal,
  ApiKeyPrincipal,
  AuthDeps,
  RequestHeaders,
  SessionPrincipal,
  UserPrincipal,
} from './types.ts';

const secret = globalThis.crypto.getRandomValues(new Uint8Array(32));

describe('policies', () => {
  let time: ManualTime;
  let stores: Stores;
  let tokens: Tokens;
  let apiKeys: ApiKeys;
  let deps: AuthDeps;
  let userId: number;
  beforeEach(async () => {
    time = createManualTime();
    stores = createMemoryStores({ clock: time });
    tokens = createTokens({ ...TOKEN_DEFAULTS, secret }, time);
    apiKeys = createApiKeys({ stores, clock: time });
    deps = { tokens, users: stores.users, apiKeys };
    const names = { username: 'asha', email: '', firstName: '', lastName: '', contactNumber: null };
    const user = await stores.users.create({
      ...names,
      isActive: true,
      isSuperuser: false,
      mayCompute: true,
      mustChangePassword: false,
      passwordHash: 'x',
    });
    userId = user.id;
  });
  const session = async (): Promise<Session> => {
    const signedInAt = secondsOf(time);
    const made = { userId, familyId: 'family', sessionVersion: 0, signedInAt };
    await stores.refreshTokens.add((await tokens.issueRefresh(made)).record);
    return made;
  };
  const bearer = (authorization: string | undefined): Promise<UserPrincipal> =>
    authenticate('bearer', { authorization }, deps);
  const invalid = (problem: TokenProblem): unknown => ({
    code: 'token_not_valid',
    message: expect.stringContaining('access token'),
    details: { token: 'access', problem },
  });

  it('public accepts requests with or without credentials', async () => {
    expect(await authenticate('public', { authorization: undefined }, deps)).toEqual({ kind: 'anonymous' });
    expect(await authenticate('public', { authorization: 'Bearer nonsense' }, deps)).toEqual({ kind: 'anonymous' });
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('bearer accepts an access token with the scheme %s', async (scheme) => {
    const principal = await bearer(`${scheme} ${await tokens.issueAccess(await session())}`);
    expect(principal).toMatchObject({ kind: 'user', user: { id: userId, username: 'asha' } });
  });

  it.each([undefined, '', 'Basic YTpi', 'Token abc', 'Bearerabc', 'eyJhbGciOiJIUzI1NiJ9.e30.x'])(
    'reports missing credentials for %j',
    async (authorization) => {
      await expect(bearer(authorization)).rejects.toMatchObject({
        code: 'not_authenticated',
        details: { policies: ['bearer'] },
      });
    },
  );

  it.each(['Bearer', 'Bearer ', 'Bearer a b', 'Bearer a, Bearer b'])(
    'accepts only a scheme and one token, not %j',
    async (authorization) => {
      await expect(bearer(authorization)).rejects.toMatchObject({ code: 'bad_authorization_header' });
    },
  );

  it('reports why a token is invalid', async () => {
    await expect(bearer('Bearer nonsense')).rejects.toMatchObject(invalid('invalid') as object);
    const { token: refresh } = await tokens.issueRefresh(await session());
    await expect(bearer(`Bearer ${refresh}`)).rejects.toMatchObject(invalid('wrong_type') as object);
    const access = await tokens.issueAccess(await session());
    await time.advance(TOKEN_DEFAULTS.accessTtlSeconds * 1000);
    await expect(bearer(`Bearer ${access}`)).rejects.toMatchObject(invalid('expired') as object);
  });

  it('refuses disabled and deleted users', async () => {
    const access = await tokens.issueAccess(await session());
    await stores.users.setActive(userId, false);
    await expect(bearer(`Bearer ${access}`)).rejects.toMatchObject({ code: 'user_inactive' });
    const unknownUser = await tokens.issueAccess({ ...(await session()), userId: userId + 1 });
    await expect(bearer(`Bearer ${unknownUser}`)).rejects.toMatchObject({ code: 'user_not_found' });
  });

  it('refuses a session that has ended and an unknown session', async () => {
    const access = await tokens.issueAccess(await session());
    const stranger = await tokens.issueAccess({ ...(await session()), familyId: 'unknown' });
    await expect(bearer(`Bearer ${stranger}`)).rejects.toMatchObject(invalid('invalid') as object);
    expect(await bearer(`Bearer ${access}`)).toHaveProperty('user');
    await stores.refreshTokens.revokeFamily('family');
    await expect(bearer(`Bearer ${access}`)).rejects.toMatchObject(invalid('invalid') as object);
  });

  it('accepts an API key only in X-API-Key; refuses a token in this header, and a key as a bearer token', async () => {
    const user = await stores.users.byId(userId);
    if (user === undefined) throw new Error('the user is gone');
    const { text, key } = await apiKeys.generate({ kind: 'user', user });
    const withKey = (headers: RequestHeaders): Promise<ApiKeyPrincipal> => authenticate('apiKey', headers, deps);
    expect(await withKey({ 'x-api-key': text })).toEqual({ kind: 'apiKey', user, prefix: key.prefix });
    const access = await tokens.issueAccess(await session());
    await expect(withKey({ 'x-api-key': access })).rejects.toMatchObject({ details: { token: 'apiKey' } });
    const missing = { code: 'not_authenticated', details: { policies: ['apiKey'] } };
    await expect(withKey({ authorization: `Bearer ${access}` })).rejects.toMatchObject(missing);
    await expect(withKey({ authorization: `Bearer ${text}` })).rejects.toMatchObject(missing);
    await expect(bearer(`Bearer ${text}`)).rejects.toMatchObject(invalid('invalid') as object);
  });

  it('derives the type of the principal from the policy', () => {
    expectTypeOf<PrincipalOf<'bearer'>>().toEqualTypeOf<UserPrincipal>();
    expectTypeOf<PrincipalOf<'public'>>().toEqualTypeOf<AnonymousPrincipal>();
    expectTypeOf<PrincipalOf<'apiKey'>>().toEqualTypeOf<ApiKeyPrincipal>();
    expectTypeOf<Principal>().toEqualTypeOf<UserPrincipal | AnonymousPrincipal | ApiKeyPrincipal | SessionPrincipal>();
    expectTypeOf(authenticate<'bearer'>).returns.resolves.toEqualTypeOf<UserPrincipal>();
    // @ts-expect-error -- there is no such policy, and no default
    expectTypeOf<PrincipalOf<'none'>>();
  });
});
