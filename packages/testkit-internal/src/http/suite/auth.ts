import { buildOperations, type Operation } from '@headwater/http-service';
import { createTokens, LOGIN_LIMITS, policiesOf, TOKEN_DEFAULTS } from '@headwater/identity';
import { describe, expect } from 'vitest';
import { SAMPLE_PIPELINES as pipelines, SAMPLE_SECRET, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, type Harness, jsonInit, useHarness } from './harness.ts';
import { exampleInit, exampleUrl } from './examples.ts';

const FORMATS = {
  none: { headers: {}, code: 'not_authenticated' },
  basic: { headers: { authorization: 'Basic dTpw' }, code: 'not_authenticated' },
  'Bearer without a token': { headers: { authorization: 'Bearer' }, code: 'bad_authorization_header' },
  'three parts': { headers: { authorization: 'Bearer a b' }, code: 'bad_authorization_header' },
  broken: { headers: { authorization: 'Bearer a.b.c' }, code: 'token_not_valid' },
} as const;

/** Test cases of sign-in, sign-out and each operation with each kind of credentials. */
export function authCases(target: HttpTarget): void {
  describe('auth', () => {
    const harness = useHarness(target);
    for (const row of buildOperations(pipelines).filter(isBearer)) {
      defineCase(target, `${row.id}: responses to signed-in users are not cacheable`, async () => {
        const answer = await ask(row, bearer(await harness().token('owner')));
        expect(answer.headers.get('cache-control')).toBe('no-store');
      });
      defineCase(target, `${row.id} returns 401 without a valid access token`, async () => {
        for (const { headers, code } of Object.values(FORMATS)) await refused(row, { ...headers }, code);
        await refused(row, bearer(await issue({ user: 1, type: 'refresh' })), 'token_not_valid');
        await refused(row, bearer(await issue({ user: 1, type: 'access', expired: true })), 'token_not_valid');
        await refused(row, bearer(await issue({ user: 99, type: 'access' })), 'user_not_found');
      });
      defineCase(target, `${row.id}: an API key is not accepted as a token`, async () => {
        const key = await harness().key();
        await refused(row, { 'x-api-key': key }, 'not_authenticated');
        await refused(row, bearer(key), 'token_not_valid');
      });
    }
    for (const row of buildOperations(pipelines).filter(({ auth }) => auth === 'public')) {
      defineCase(target, `${row.id} is public and ignores Authorization and X-API-Key`, async () => {
        for (const headers of [{}, { authorization: 'Bearer a.b.c' }, { 'x-api-key': 'x' }]) {
          expect((await ask(row, headers)).status).toBe(row.examples[0]?.status);
        }
      });
    }
    sessionCases(target, harness);
    accountCases(target, harness);

    async function refused(row: Operation, headers: Record<string, string>, code: string): Promise<void> {
      const answer = await ask(row, headers);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe(row.auth === 'token' ? null : 'Bearer realm="api"');
      expect(await answer.json()).toMatchObject({ code, detail: expect.stringMatching(/./) });
    }

    function ask(row: Operation, headers: Record<string, string>): Promise<Response> {
      return askRow(harness().get, row, headers);
    }
  });
}

interface Pair {
  readonly access: string;
  readonly refresh: string;
}
type Get = Harness['get'];

const ENDS: Readonly<Record<string, (get: Get, first: Pair, second: Pair) => Promise<void>>> = {
  'a logout': async (get, _first, { access, refresh }) => {
    const answer = await get('/api/v1/auth/logout/', jsonInit({ refresh_token: refresh }, bearer(access)));
    expect(answer.status).toBe(200);
  },
  'a second use of a refresh token': async (get, { refresh }) => {
    expect((await get('/api/v1/auth/token/refresh/', jsonInit({ refresh }))).status).toBe(401);
  },
};

const isBearer = ({ auth }: Operation): boolean => policiesOf(auth).some(({ name }) => name === 'bearer');
/** Operations that refuse users who must change their password first. */
const isForUsers = (row: Operation): boolean => isBearer(row) && row.auth !== 'passwordChange';

/** Sends the first example of an operation with these headers. */
export function askRow(get: Get, row: Operation, headers: Record<string, string>): Promise<Response> {
  const [example] = row.examples;
  if (example === undefined) throw new Error(`${row.id}: no example`);
  return get(exampleUrl(row, example), exampleInit(row, example, headers));
}

function sessionCases(target: HttpTarget, harness: ReturnType<typeof useHarness>): void {
  defineCase(
    target,
    'a login can be renewed with its refresh token; after the sign-out, the new refresh token gets 401',
    async () => {
      const { get } = harness();
      const login = await get('/api/v1/auth/login/', jsonInit({ username: 'operator', password: 'operator-password' }));
      expect(login.headers.get('cache-control')).toBe('no-store');
      const first = (await login.json()) as { access: string; refresh: string; user: { username: string } };
      expect(first.user.username).toBe('operator');
      const refresh = (token: string): Promise<Response> =>
        get('/api/v1/auth/token/refresh/', jsonInit({ refresh: token }));
      const second = (await (await refresh(first.refresh)).json()) as { access: string; refresh: string };
      const out = { refresh_token: second.refresh };
      const logout = await get('/api/v1/auth/logout/', jsonInit(out, bearer(second.access)));
      expect(await logout.json()).toEqual({ success: true });
      expect((await refresh(second.refresh)).status).toBe(401);
    },
  );
  for (const [what, end] of Object.entries(ENDS)) {
    defineCase(
      target,
      `after ${what} every row refuses the access tokens of that session, and of no other session`,
      async () => {
        const { get, service } = harness();
        const name = `ended_${what.replaceAll(' ', '_')}`;
        const user = { username: name, password: 'tall-river-42' };
        await service.accounts.createUser(user);
        const [first, other] = [await signIn(get, user), await signIn(get, user)];
        const second = (await (
          await get('/api/v1/auth/token/refresh/', jsonInit({ refresh: first.refresh }))
        ).json()) as Pair;
        await end(get, first, second);
        for (const row of buildOperations(pipelines).filter(isBearer)) {
          for (const { access } of [first, second]) {
            const answer = await askRow(get, row, bearer(access));
            expect([row.id, answer.status, await answer.json()]).toMatchObject([
              row.id,
              401,
              { code: 'token_not_valid' },
            ]);
          }
        }
        expect((await get('/api/v1/runs/', { headers: bearer(other.access) })).status).toBe(200);
      },
    );
  }
  defineCase(
    target,
    'repeated failed sign-ins to an account from one peer address get 429, whatever X-Forwarded-For contains',
    async () => {
      const { get, service } = harness();
      const user = { username: 'guessed', password: 'tall-river-42' };
      await service.accounts.createUser(user);
      const attempt = (password: string, address: string): Promise<Response> =>
        get('/api/v1/auth/login/', jsonInit({ ...user, password }, { 'x-forwarded-for': address }));
      for (let index = 0; index < LOGIN_LIMITS.perNameAtAddress; index += 1)
        expect((await attempt('guess', `203.0.113.${index}`)).status).toBe(401);
      const refused = await attempt(user.password, '203.0.113.99');
      expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'throttled' }]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(600);
      // The user can still sign in from another address, and other users can still sign in from this address.
      expect((await service.accounts.login(user, '198.51.100.7')).user.username).toBe('guessed');
      expect((await get('/api/v1/auth/login/', jsonInit(SAMPLE_USERS.other))).status).toBe(200);
    },
  );
  defineCase(target, 'the error names missing login fields as top-level members', async () => {
    const answer = await harness().get('/api/v1/auth/login/', jsonInit({ username: null }));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      username: ['This field may not be null.'],
      password: ['This field is required.'],
      code: 'validation',
    });
  });
  defineCase(target, 'a run is returned to its owner and to superusers; other users get 404', async () => {
    const path = '/api/v1/runs/0190a000-0000-7000-8000-000000000001/';
    const as = async (user: 'owner' | 'other' | 'operator'): Promise<number> =>
      (await harness().get(path, { headers: bearer(await harness().token(user)) })).status;
    expect([await as('owner'), await as('other'), await as('operator')]).toEqual([200, 404, 200]);
  });
}

function accountCases(target: HttpTarget, harness: ReturnType<typeof useHarness>): void {
  defineCase(target, 'every row immediately refuses the tokens of a disabled account', async () => {
    const { get, service } = harness();
    const user = { username: 'disabled', password: 'tall-river-42' };
    const { id } = await service.accounts.createUser(user);
    const { access, refresh } = await signIn(get, user);
    await service.accounts.setActive(id, false);
    for (const row of buildOperations(pipelines).filter(isBearer)) {
      const answer = await askRow(get, row, bearer(access));
      expect([row.id, answer.status, await answer.json()]).toMatchObject([row.id, 401, { code: 'user_inactive' }]);
    }
    expect((await get('/api/v1/auth/token/refresh/', jsonInit({ refresh }))).status).toBe(401);
    expect((await get('/api/v1/auth/login/', jsonInit(user))).status).toBe(401);
  });
  defineCase(
    target,
    'while a user must change the password, every row except the password change returns 403',
    async () => {
      const { get, service } = harness();
      const user = { username: 'test_user_0001', password: 'test_change_me' };
      await service.accounts.createSuperuser({ ...user, mustChangePassword: true });
      const { access } = await signIn(get, user);
      for (const row of buildOperations(pipelines).filter(isForUsers)) {
        const answer = await askRow(get, row, bearer(access));
        expect([row.id, answer.status, await answer.json()]).toMatchObject([
          row.id,
          403,
          { code: 'password_change_required', detail: expect.stringContaining('/api/v1/users/change_password/') },
        ]);
      }
      const next = {
        old_password: user.password,
        new_password: 'tall-river-42',
        new_password_confirm: 'tall-river-42',
      };
      const changed = await get('/api/v1/users/change_password/', jsonInit(next, bearer(access)));
      expect([changed.status, changed.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(await changed.json()).toEqual({ detail: expect.stringMatching(/sign in again/i) });
      expect((await get('/api/v1/runs/', { headers: bearer(access) })).status).toBe(401);
      const again = await signIn(get, { ...user, password: 'tall-river-42' });
      expect((await get('/api/v1/runs/', { headers: bearer(again.access) })).status).toBe(200);
    },
  );
  defineCase(target, 'a refused password change names each invalid field with the fixed texts of the API', async () => {
    const { get, service } = harness();
    const user = { username: 'changing', password: 'tall-river-42' };
    await service.accounts.createUser(user);
    const { access } = await signIn(get, user);
    const fault = async (body: object): Promise<unknown> => {
      const answer = await get('/api/v1/users/change_password/', jsonInit(body, bearer(access)));
      expect(answer.status).toBe(400);
      return ((await answer.json()) as { errors: unknown }).errors;
    };
    const body = {
      old_password: user.password,
      new_password: 'wide-meadow-43',
      new_password_confirm: 'wide-meadow-43',
    };
    expect(await fault({ ...body, old_password: 'x' })).toEqual({ old_password: ['Current password is incorrect.'] });
    expect(await fault({ ...body, new_password_confirm: 'x' })).toEqual({
      new_password: ["New password fields didn't match."],
    });
    expect(await fault({ ...body, new_password: '12345678', new_password_confirm: '12345678' })).toEqual({
      new_password: [expect.stringContaining('entirely numeric')],
    });
    expect(await fault({})).toEqual({
      old_password: ['This field is required.'],
      new_password: ['This field is required.'],
      new_password_confirm: ['This field is required.'],
    });
  });
}

async function signIn(get: Get, user: { readonly username: string; readonly password: string }): Promise<Pair> {
  return (await (await get('/api/v1/auth/login/', jsonInit(user))).json()) as Pair;
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

async function issue(what: { user: number; type: 'access' | 'refresh'; expired?: boolean }): Promise<string> {
  const at = what.expired === true ? new Date('2001-01-01T00:00:00Z') : new Date();
  const secret = new TextEncoder().encode(SAMPLE_SECRET);
  const tokens = createTokens({ ...TOKEN_DEFAULTS, secret }, { now: () => at });
  const signedInAt = Math.floor(at.getTime() / 1000);
  const session = { userId: what.user, familyId: 'suite', sessionVersion: 0, signedInAt };
  return what.type === 'access' ? tokens.issueAccess(session) : (await tokens.issueRefresh(session)).token;
}
