import { beforeEach, describe, expect, it } from 'vitest';
import { authenticate } from '../auth/policies.ts';
import { TOKEN_DEFAULTS } from '../auth/token-settings.ts';
import { createTokens, secondsOf, type TokenProblem, type Tokens } from '../auth/tokens.ts';
import type { UserPrincipal } from '../auth/types.ts';
import { createManualTime, type ManualTime } from '../memory/manual-time.ts';
import { createMemoryStores } from '../memory/stores.ts';
import type { PasswordHasher, User } from '../ports/accounts.ts';
import type { Stores } from '../ports/stores.ts';
import { createAccountService } from './service.ts';
import type { AccountService } from './types.ts';

const secret = globalThis.crypto.getRandomValues(new Uint8Array(32));
const PASSWORD = 'tidal-meadow-41';
const LIMITS = { windowMs: 60_000, perNameAtAddress: 3, perName: 8, perAddress: 5 };
const noAccount = { code: 'no_active_account', details: { given: 'credentials' } };

const notValid = (problem: TokenProblem) => ({ code: 'token_not_valid', details: { token: 'refresh', problem } });

/** Stands in for the slow hash, and counts. */
function countingHasher(): PasswordHasher & { verified: string[] } {
  const verified: string[] = [];
  return {
    verified,
    hash: async (password) => `hash of ${password}`,
    verify: async (password, hash) => {
      verified.push(hash);
      return hash === `hash of ${password}`;
    },
  };
}

describe('account service', () => {
  let time: ManualTime;
  let stores: Stores;
  let tokens: Tokens;
  let hasher: ReturnType<typeof countingHasher>;
  let accounts: AccountService;
  let asha: User;
  beforeEach(async () => {
    time = createManualTime();
    stores = createMemoryStores({ clock: time });
    tokens = createTokens({ ...TOKEN_DEFAULTS, secret }, time);
    hasher = countingHasher();
    accounts = createAccountService({ stores, tokens, hasher, clock: time, timers: time, limits: LIMITS });
    asha = await accounts.createUser({ username: 'asha', password: PASSWORD, email: 'asha@example.org' });
  });
  const login = (username: string, password: string, address = '10.0.0.1') =>
    accounts.login({ username, password }, address);
  const principal = (user: User): UserPrincipal => ({ kind: 'user', user });

  describe('login', () => {
    it('hands out a pair and the user, whatever the case of the name', async () => {
      const { access, refresh, user } = await login('ASHA', PASSWORD);
      expect(user).toEqual(asha);
      expect(await tokens.verify(access, 'access')).toMatchObject({ ok: true, claims: { userId: asha.id } });
      expect(await tokens.verify(refresh, 'refresh')).toMatchObject({ ok: true, claims: { userId: asha.id } });
    });

    it('answers alike, after one check each, for a wrong password, an unknown and a disabled user', async () => {
      await expect(login('asha', 'wrong')).rejects.toMatchObject(noAccount);
      expect(hasher.verified).toEqual([`hash of ${PASSWORD}`]);
      await expect(login('nobody', PASSWORD)).rejects.toMatchObject(noAccount);
      expect(hasher.verified).toHaveLength(2);
      expect(hasher.verified[1]).toMatch(/^hash of [0-9a-f]{32}$/);
      await stores.users.setActive(asha.id, false);
      await expect(login('asha', PASSWORD)).rejects.toMatchObject(noAccount);
      expect(hasher.verified).toHaveLength(3);
    });

    it('takes one password however its characters were composed', async () => {
      await accounts.createUser({ username: 'eva', password: 'caf\u00e9-au-lait-41' });
      expect((await login('eva', 'cafe\u0301-au-lait-41')).user.username).toBe('eva');
    });

    it('stops guessing a name from an address, until the window has passed; its owner gets in from elsewhere', async () => {
      for (const guess of ['a', 'b', 'c']) await expect(login('asha', guess)).rejects.toMatchObject(noAccount);
      await time.advance(20_000);
      await expect(login('Asha', PASSWORD)).rejects.toMatchObject({
        code: 'throttled',
        details: { retryAfterSeconds: 40 },
      });
      expect((await login('asha', PASSWORD, '10.9.9.9')).user.id).toBe(asha.id);
      await expect(login('asha', PASSWORD)).rejects.toMatchObject({ code: 'throttled' });
      await time.advance(40_000);
      expect((await login('asha', PASSWORD)).user.id).toBe(asha.id);
    });

    it('slows the guessing of a name from many addresses, but not where its owner has signed in before', async () => {
      await login('asha', PASSWORD, '10.9.9.9');
      for (let index = 0; index < LIMITS.perName; index += 1)
        await expect(login('asha', 'x', `10.0.1.${index}`)).rejects.toMatchObject(noAccount);
      const slowed = [login('asha', 'x', '10.0.2.1'), login('asha', 'y', '10.0.2.2')];
      const codes = slowed.map((attempt) => attempt.catch((error: unknown) => error));
      expect((await login('asha', PASSWORD, '10.9.9.9')).user.id).toBe(asha.id);
      const before = hasher.verified.length;
      await time.advance(999);
      expect(hasher.verified.length - before).toBe(0);
      await time.advance(1);
      expect(hasher.verified.length - before).toBe(1);
      await time.advance(1000);
      expect(await Promise.all(codes)).toMatchObject([noAccount, noAccount]);
      expect((await login('asha', PASSWORD, '10.0.2.3')).user.id).toBe(asha.id);
      for (const guess of ['a', 'b', 'c'])
        await expect(login('asha', guess, '10.9.9.9')).rejects.toMatchObject(noAccount);
      await expect(login('asha', PASSWORD, '10.9.9.9')).rejects.toMatchObject({ code: 'throttled' });
    });

    it('stops an address that tries many names; others go on', async () => {
      for (let index = 0; index < 5; index += 1)
        await expect(login(`name${index}`, 'x')).rejects.toMatchObject(noAccount);
      await expect(login('asha', PASSWORD)).rejects.toMatchObject({ code: 'throttled' });
      expect((await login('asha', PASSWORD, '10.0.0.2')).user.id).toBe(asha.id);
    });

    it('success forgets the failures of the name at that address but not those of the address', async () => {
      for (const guess of ['a', 'b']) await expect(login('asha', guess)).rejects.toMatchObject(noAccount);
      await login('asha', PASSWORD);
      for (const guess of ['a', 'b']) await expect(login('asha', guess)).rejects.toMatchObject(noAccount);
      await login('asha', PASSWORD);
      await expect(login('asha', 'a')).rejects.toMatchObject(noAccount);
      await expect(login('asha', PASSWORD)).rejects.toMatchObject({ code: 'throttled' });
    });

    it.each([
      ['one address', LIMITS.perNameAtAddress, () => '10.0.0.1'],
      ['many addresses', LIMITS.perName, (index: number) => `10.0.1.${index}`],
    ])('counts parallel guesses from %s one by one', async (_name, limit, address) => {
      const guesses = Array.from({ length: 20 }, (_, index) => login('asha', `guess ${index}`, address(index)));
      const codes = guesses.map((guess) => guess.catch((error: { code: string }) => error.code));
      await time.advance(0);
      // The next one of many addresses is under way: its answer takes a second.
      expect(hasher.verified.length - limit).toBeLessThanOrEqual(1);
      await time.advance(30_000);
      const told = await Promise.all(codes);
      const all = _name === 'one address' ? limit : 20;
      expect(told.filter((code) => code === 'no_active_account')).toHaveLength(all);
      expect(told.filter((code) => code === 'throttled')).toHaveLength(20 - all);
    });

    it('hashes two passwords at a time and refuses what would wait too long', async () => {
      let [running, most] = [0, 0];
      const gate = Promise.withResolvers<void>();
      const verify = async (): Promise<boolean> => {
        running += 1;
        most = Math.max(most, running);
        await gate.promise;
        running -= 1;
        return false;
      };
      const deps = { stores, tokens, clock: time, limits: LIMITS, hasher: { ...hasher, verify } };
      const slow = createAccountService(deps);
      const crowd = Array.from({ length: 200 }, (_, index) =>
        slow.login({ username: `name${index}`, password: 'x' }, `10.1.${index}.1`).catch((error: unknown) => error),
      );
      const first = await Promise.race(crowd);
      expect(first).toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 5 } });
      expect(most).toBeLessThanOrEqual(2);
      gate.resolve();
      const codes = (await Promise.all(crowd)).map((error) => (error as { code: string }).code);
      expect(codes.filter((code) => code === 'no_active_account').length).toBeGreaterThanOrEqual(64);
      expect(codes.filter((code) => code === 'unavailable').length).toBeGreaterThan(100);
      expect(most).toBe(2);
    });

    it('tries the decoy hash again after it failed', async () => {
      let failures = 1;
      const hash = async (password: string): Promise<string> => {
        if (failures-- > 0) throw new Error('no memory');
        return hasher.hash(password);
      };
      const deps = { stores, tokens, clock: time, limits: LIMITS, hasher: { ...hasher, hash } };
      const flaky = createAccountService(deps);
      const attempt = () => flaky.login({ username: 'asha', password: PASSWORD }, '10.0.0.1');
      await expect(attempt()).rejects.toThrow('no memory');
      expect((await attempt()).user.id).toBe(asha.id);
    });

    it('lets many right sign-ins of one name through at once', async () => {
      const sessions = await Promise.all(Array.from({ length: 20 }, () => login('asha', PASSWORD)));
      expect(new Set(sessions.map(({ refresh }) => refresh)).size).toBe(20);
    });

    it.each(['', '\0', '\ud800', 'x'.repeat(10_000), "o'b"])('is no error for the name %j', async (username) => {
      await expect(login(username, PASSWORD)).rejects.toMatchObject(noAccount);
    });
  });

  describe('refresh', () => {
    const reused = { code: 'token_not_valid', details: { token: 'refresh', problem: 'reused' } };

    it('hands out the next pair, again and again', async () => {
      let { refresh } = await login('asha', PASSWORD);
      for (let turn = 0; turn < 3; turn += 1) {
        const pair = await accounts.refresh(refresh);
        expect(pair.refresh).not.toBe(refresh);
        expect(await tokens.verify(pair.access, 'access')).toMatchObject({ ok: true });
        refresh = pair.refresh;
      }
    });

    it('a token used twice ends its family, not other sessions', async () => {
      const [first, other] = [await login('asha', PASSWORD), await login('asha', PASSWORD)];
      const next = await accounts.refresh(first.refresh);
      await expect(accounts.refresh(first.refresh)).rejects.toMatchObject(reused);
      await expect(accounts.refresh(next.refresh)).rejects.toMatchObject(reused);
      expect(await accounts.refresh(other.refresh)).toHaveProperty('access');
    });

    it('eight at once: one winner', async () => {
      const { refresh } = await login('asha', PASSWORD);
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => accounts.refresh(refresh)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('says why a token does not do', async () => {
      const { access, refresh } = await login('asha', PASSWORD);
      const problem = (token: string) => accounts.refresh(token).catch((error: unknown) => error);
      expect(await problem('nonsense')).toMatchObject(notValid('invalid'));
      expect(await problem(access)).toMatchObject(notValid('wrong_type'));
      const session = { userId: asha.id, familyId: 'never-stored', sessionVersion: 0, signedInAt: secondsOf(time) };
      const { token: stranger } = await tokens.issueRefresh(session);
      expect(await problem(stranger)).toMatchObject(notValid('invalid'));
      await time.advance(TOKEN_DEFAULTS.refreshTtlSeconds * 1000);
      expect(await problem(refresh)).toMatchObject(notValid('expired'));
    });

    it('refuses disabled and deleted users', async () => {
      const { refresh } = await login('asha', PASSWORD);
      await stores.users.setActive(asha.id, false);
      const gone = { code: 'no_active_account', details: { given: 'token' } };
      await expect(accounts.refresh(refresh)).rejects.toMatchObject(gone);
      await expect(accounts.refresh(refresh)).rejects.toMatchObject(gone);
      const session = { userId: asha.id + 1, familyId: 'f', sessionVersion: 0, signedInAt: secondsOf(time) };
      const { token: orphan } = await tokens.issueRefresh(session);
      await expect(accounts.refresh(orphan)).rejects.toMatchObject(gone);
    });
  });

  describe('access tokens', () => {
    const bearer = (token: string) =>
      authenticate('bearer', { authorization: `Bearer ${token}` }, { tokens, users: stores.users });
    const refused = { code: 'token_not_valid', details: { token: 'access', problem: 'invalid' } };

    it('end with a logout, and only those of that session', async () => {
      const [mine, other] = [await login('asha', PASSWORD), await login('asha', PASSWORD)];
      const next = await accounts.refresh(mine.refresh);
      expect((await bearer(mine.access)).user.id).toBe(asha.id);
      await accounts.logout(principal(asha), next.refresh);
      for (const { access } of [mine, next]) await expect(bearer(access)).rejects.toMatchObject(refused);
      expect((await bearer(other.access)).user.id).toBe(asha.id);
    });

    it('end with the second use of a refresh token', async () => {
      const first = await login('asha', PASSWORD);
      const next = await accounts.refresh(first.refresh);
      await expect(accounts.refresh(first.refresh)).rejects.toMatchObject({ code: 'token_not_valid' });
      for (const { access } of [first, next]) await expect(bearer(access)).rejects.toMatchObject(refused);
    });

    it('a session ends a year after signing in, however often it is refreshed', async () => {
      const yearMs = 365 * 86_400_000;
      const endMs = time.now().getTime() + yearMs;
      let pair = await login('asha', PASSWORD);
      for (let day = 60; day < 365; day += 60) {
        await time.advance(60 * 86_400_000);
        const { access, refresh } = await accounts.refresh(pair.refresh);
        pair = { ...pair, access, refresh };
      }
      await time.advance(endMs - time.now().getTime() - 1000);
      expect((await bearer(pair.access)).user.id).toBe(asha.id);
      await time.advance(1000);
      await expect(bearer(pair.access)).rejects.toMatchObject({ details: { problem: 'expired' } });
      await expect(accounts.refresh(pair.refresh)).rejects.toMatchObject(notValid('expired'));
    });
  });

  describe('logout', () => {
    it('ends the session and is content with an ended one', async () => {
      const { refresh } = await login('asha', PASSWORD);
      const next = await accounts.refresh(refresh);
      await accounts.logout(principal(asha), next.refresh);
      await accounts.logout(principal(asha), next.refresh);
      await expect(accounts.refresh(next.refresh)).rejects.toMatchObject(notValid('reused'));
    });

    it("refuses broken tokens, access tokens and other people's", async () => {
      const badi = await accounts.createUser({ username: 'badi', password: PASSWORD });
      const { refresh, access } = await login('asha', PASSWORD);
      for (const [user, token] of [
        [asha, 'nonsense'],
        [asha, access],
        [badi, refresh],
      ] as const) {
        const fields = { refreshToken: [{ rule: expect.any(String), message: expect.any(String) }] };
        await expect(accounts.logout(principal(user), token)).rejects.toMatchObject({ code: 'validation', fields });
      }
      expect(await accounts.refresh(refresh)).toHaveProperty('access');
    });
  });

  describe('changing the password', () => {
    const bearer = (token: string) =>
      authenticate('bearer', { authorization: `Bearer ${token}` }, { tokens, users: stores.users });
    const change = (user: User, oldPassword: string, newPassword = 'another-meadow-42') =>
      accounts.changePassword(principal(user), { oldPassword, newPassword }, '10.0.0.1');

    it('wants the present one, then ends every session', async () => {
      const before = await login('asha', PASSWORD);
      await change(asha, PASSWORD);
      await expect(bearer(before.access)).rejects.toMatchObject({ code: 'token_not_valid' });
      await expect(accounts.refresh(before.refresh)).rejects.toMatchObject(notValid('reused'));
      await expect(login('asha', PASSWORD)).rejects.toMatchObject(noAccount);
      expect((await bearer((await login('asha', 'another-meadow-42')).access)).user.id).toBe(asha.id);
    });

    it('refuses a wrong present one, a weak new one and the present one again, and changes nothing', async () => {
      const wrong = { code: 'validation', fields: { oldPassword: [{ rule: 'wrong' }] } };
      await expect(change(asha, 'guess')).rejects.toMatchObject(wrong);
      for (const weak of ['short', 'test_change_me', PASSWORD]) {
        const fields = { newPassword: [{ rule: 'weak', message: expect.stringMatching(/;/) }] };
        await expect(change(asha, PASSWORD, weak)).rejects.toMatchObject({ code: 'validation', fields });
      }
      expect((await login('asha', PASSWORD)).user).toEqual(asha);
    });

    it('cannot be used to guess the password', async () => {
      for (const guess of ['a', 'b', 'c'])
        await expect(change(asha, guess)).rejects.toMatchObject({ code: 'validation' });
      await expect(change(asha, PASSWORD)).rejects.toMatchObject({ code: 'throttled' });
    });

    it("whoever has the installer's default may sign in and change it, nothing else", async () => {
      const account = { username: 'test_user_0042', password: 'test_change_me', mustChangePassword: true } as const;
      const root = await accounts.createSuperuser(account);
      const { access, refresh } = await login('test_user_0042', 'test_change_me');
      await expect(bearer(access)).rejects.toMatchObject({ code: 'password_change_required' });
      await expect(bearer((await accounts.refresh(refresh)).access)).rejects.toMatchObject({
        code: 'password_change_required',
      });
      const auth = { tokens, users: stores.users };
      const { user } = await authenticate('passwordChange', { authorization: `Bearer ${access}` }, auth);
      expect(user).toEqual(root);
      await change(user, 'test_change_me');
      expect((await bearer((await login('test_user_0042', 'another-meadow-42')).access)).user.isSuperuser).toBe(true);
      await accounts.resetPassword(root.id, 'test_change_me', { mustChange: true });
      const again = await login('test_user_0042', 'test_change_me');
      await expect(bearer(again.access)).rejects.toMatchObject({ code: 'password_change_required' });
    });
  });

  describe('disabling an account', () => {
    it('ends its tokens at once, and they do not come back when it is enabled', async () => {
      const { access, refresh } = await login('asha', PASSWORD);
      const bearer = (token: string) =>
        authenticate('bearer', { authorization: `Bearer ${token}` }, { tokens, users: stores.users });
      await accounts.setActive(asha.id, false);
      await expect(bearer(access)).rejects.toMatchObject({ code: 'user_inactive' });
      await expect(accounts.refresh(refresh)).rejects.toMatchObject({ code: 'no_active_account' });
      await expect(login('asha', PASSWORD)).rejects.toMatchObject(noAccount);
      await accounts.setActive(asha.id, true);
      await expect(bearer(access)).rejects.toMatchObject({ code: 'token_not_valid' });
      await expect(accounts.refresh(refresh)).rejects.toMatchObject(notValid('reused'));
      expect((await bearer((await login('asha', PASSWORD)).access)).user.id).toBe(asha.id);
    });

    it('names a user that nobody is', async () => {
      await expect(accounts.setActive(99, false)).rejects.toMatchObject({ code: 'user_not_found' });
    });
  });

  describe('new accounts', () => {
    it('are ordinary or superusers, active, with a hash', async () => {
      expect(asha).toMatchObject({ isActive: true, isSuperuser: false, firstName: '', contactNumber: null });
      expect(asha.passwordHash).toBe(`hash of ${PASSWORD}`);
      const root = await accounts.createSuperuser({ username: 'test_user_0042', password: PASSWORD });
      expect(root.isSuperuser).toBe(true);
    });

    it('are refused with every bad field', async () => {
      const bad = { username: 'a b', password: '123', email: 'nobody', firstName: 'x'.repeat(151), lastName: '\0' };
      await expect(accounts.createUser(bad)).rejects.toMatchObject({
        code: 'validation',
        fields: {
          username: [{ rule: 'invalid' }],
          password: [
            { rule: 'weak', message: expect.stringContaining('too short') },
            { rule: 'weak', message: expect.stringContaining('numeric') },
          ],
          email: [{ rule: 'invalid' }],
          firstName: [{ rule: 'too_long', limit: 150 }],
          lastName: [{ rule: 'not_text' }],
        },
      });
      await expect(accounts.createUser({ username: '', password: '' })).rejects.toMatchObject({
        fields: { username: [{ rule: 'blank' }], password: [{ rule: 'blank' }] },
      });
    });

    it('are refused when the name is taken', async () => {
      await expect(accounts.createUser({ username: 'ASHA', password: PASSWORD })).rejects.toMatchObject({
        code: 'conflict',
        fields: { username: [{ rule: 'taken' }] },
      });
    });

    it('resetPassword keeps the rules and changes what login takes', async () => {
      await expect(accounts.resetPassword(asha.id, 'short')).rejects.toMatchObject({ code: 'validation' });
      await expect(accounts.resetPassword(99, PASSWORD)).rejects.toMatchObject({ code: 'user_not_found' });
      await accounts.resetPassword(asha.id, 'another-meadow-42');
      await expect(login('asha', PASSWORD)).rejects.toMatchObject(noAccount);
      expect((await login('asha', 'another-meadow-42')).user.id).toBe(asha.id);
    });

    it('a new password ends every session: access and refresh tokens made before it', async () => {
      const badi = await accounts.createUser({ username: 'badi', password: PASSWORD });
      const [mine, other] = [await login('asha', PASSWORD), await login('badi', PASSWORD)];
      await accounts.resetPassword(asha.id, 'another-meadow-42');
      await expect(accounts.refresh(mine.refresh)).rejects.toMatchObject(notValid('reused'));
      const deps = { tokens, users: stores.users };
      const bearer = (token: string) => authenticate('bearer', { authorization: `Bearer ${token}` }, deps);
      await expect(bearer(mine.access)).rejects.toMatchObject({ code: 'token_not_valid' });
      expect((await bearer(other.access)).user.id).toBe(badi.id);
      const again = await login('asha', 'another-meadow-42');
      expect((await bearer((await accounts.refresh(again.refresh)).access)).user.id).toBe(asha.id);
    });
  });
});
