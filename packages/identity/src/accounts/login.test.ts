import { beforeEach, describe, expect, it } from 'vitest';
import { accountBench, LIMITS, noAccount, PASSWORD, type AccountBench } from './bench.fixture.ts';
import { createAccountService } from './service.ts';

let b: AccountBench;
beforeEach(async () => {
  b = await accountBench();
});

describe('login', () => {
  it('returns a pair of tokens and the user, ignoring the case of the name', async () => {
    const { access, refresh, user } = await b.login('ASHA', PASSWORD);
    expect(user).toEqual(b.asha);
    expect(await b.tokens.verify(access, 'access')).toMatchObject({ ok: true, claims: { userId: b.asha.id } });
    expect(await b.tokens.verify(refresh, 'refresh')).toMatchObject({ ok: true, claims: { userId: b.asha.id } });
  });

  it('compares one hash and throws the same error for a wrong password, an unknown user and a disabled user', async () => {
    await expect(b.login('asha', 'wrong')).rejects.toMatchObject(noAccount);
    expect(b.hasher.verified).toEqual([`hash of ${PASSWORD}`]);
    await expect(b.login('nobody', PASSWORD)).rejects.toMatchObject(noAccount);
    expect(b.hasher.verified).toHaveLength(2);
    expect(b.hasher.verified[1]).toMatch(/^hash of [0-9a-f]{32}$/);
    await b.stores.users.setActive(b.asha.id, false);
    await expect(b.login('asha', PASSWORD)).rejects.toMatchObject(noAccount);
    expect(b.hasher.verified).toHaveLength(3);
  });

  it('accepts a password in composed and decomposed characters', async () => {
    await b.accounts.createUser({ username: 'eva', password: 'caf\u00e9-au-lait-41' });
    expect((await b.login('eva', 'cafe\u0301-au-lait-41')).user.username).toBe('eva');
  });

  it('refuses a name from an address with too many failures until the window has passed, but not from other addresses', async () => {
    for (const guess of ['a', 'b', 'c']) await expect(b.login('asha', guess)).rejects.toMatchObject(noAccount);
    await b.time.advance(20_000);
    await expect(b.login('Asha', PASSWORD)).rejects.toMatchObject({
      code: 'throttled',
      details: { retryAfterSeconds: 40 },
    });
    expect((await b.login('asha', PASSWORD, '10.9.9.9')).user.id).toBe(b.asha.id);
    await expect(b.login('asha', PASSWORD)).rejects.toMatchObject({ code: 'throttled' });
    await b.time.advance(40_000);
    expect((await b.login('asha', PASSWORD)).user.id).toBe(b.asha.id);
  });

  it('delays wrong passwords for one name from many addresses, but not sign-ins from an address that the owner of the name has used before', async () => {
    await b.login('asha', PASSWORD, '10.9.9.9');
    for (let index = 0; index < LIMITS.perName; index += 1)
      await expect(b.login('asha', 'x', `10.0.1.${index}`)).rejects.toMatchObject(noAccount);
    const slowed = [b.login('asha', 'x', '10.0.2.1'), b.login('asha', 'y', '10.0.2.2')];
    const codes = slowed.map((attempt) => attempt.catch((error: unknown) => error));
    expect((await b.login('asha', PASSWORD, '10.9.9.9')).user.id).toBe(b.asha.id);
    const before = b.hasher.verified.length;
    await b.time.advance(999);
    expect(b.hasher.verified.length - before).toBe(0);
    await b.time.advance(1);
    expect(b.hasher.verified.length - before).toBe(1);
    await b.time.advance(1000);
    expect(await Promise.all(codes)).toMatchObject([noAccount, noAccount]);
    expect((await b.login('asha', PASSWORD, '10.0.2.3')).user.id).toBe(b.asha.id);
    for (const guess of ['a', 'b', 'c'])
      await expect(b.login('asha', guess, '10.9.9.9')).rejects.toMatchObject(noAccount);
    await expect(b.login('asha', PASSWORD, '10.9.9.9')).rejects.toMatchObject({ code: 'throttled' });
  });

  it('refuses an address that tries many names, but not other addresses', async () => {
    for (let index = 0; index < 5; index += 1)
      await expect(b.login(`name${index}`, 'x')).rejects.toMatchObject(noAccount);
    await expect(b.login('asha', PASSWORD)).rejects.toMatchObject({ code: 'throttled' });
    expect((await b.login('asha', PASSWORD, '10.0.0.2')).user.id).toBe(b.asha.id);
  });

  it('a success clears the failures of the name at this address, but not the failures of the address', async () => {
    for (const guess of ['a', 'b']) await expect(b.login('asha', guess)).rejects.toMatchObject(noAccount);
    await b.login('asha', PASSWORD);
    for (const guess of ['a', 'b']) await expect(b.login('asha', guess)).rejects.toMatchObject(noAccount);
    await b.login('asha', PASSWORD);
    await expect(b.login('asha', 'a')).rejects.toMatchObject(noAccount);
    await expect(b.login('asha', PASSWORD)).rejects.toMatchObject({ code: 'throttled' });
  });

  it.each([
    ['one address', LIMITS.perNameAtAddress, () => '10.0.0.1'],
    ['many addresses', LIMITS.perName, (index: number) => `10.0.1.${index}`],
  ])('counts simultaneous guesses from %s one after the other', async (from, limit, address) => {
    const guesses = Array.from({ length: 20 }, (_, index) => b.login('asha', `guess ${index}`, address(index)));
    const codes = guesses.map((guess) => guess.catch((error: { code: string }) => error.code));
    await b.time.advance(0);
    // Above the limit, each failed check takes a second, so at most one such check has begun.
    expect(b.hasher.verified.length - limit).toBeLessThanOrEqual(1);
    await b.time.advance(30_000);
    const outcomes = await Promise.all(codes);
    const all = from === 'one address' ? limit : 20;
    expect(outcomes.filter((code) => code === 'no_active_account')).toHaveLength(all);
    expect(outcomes.filter((code) => code === 'throttled')).toHaveLength(20 - all);
  });

  it('hashes two passwords at a time, and refuses sign-ins that would wait too long', async () => {
    let [running, most] = [0, 0];
    const gate = Promise.withResolvers<void>();
    const verify = async (): Promise<boolean> => {
      running += 1;
      most = Math.max(most, running);
      await gate.promise;
      running -= 1;
      return false;
    };
    const slow = createAccountService({ ...b.deps, hasher: { ...b.hasher, verify } });
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

  it('tries again to create the decoy hash for unknown names if its creation failed', async () => {
    let failures = 1;
    const hash = async (password: string): Promise<string> => {
      if (failures-- > 0) throw new Error('no memory');
      return b.hasher.hash(password);
    };
    const flaky = createAccountService({ ...b.deps, hasher: { ...b.hasher, hash } });
    const attempt = () => flaky.login({ username: 'asha', password: PASSWORD }, '10.0.0.1');
    await expect(attempt()).rejects.toThrow('no memory');
    expect((await attempt()).user.id).toBe(b.asha.id);
  });

  it('accepts many correct sign-ins of one name at the same time', async () => {
    const sessions = await Promise.all(Array.from({ length: 20 }, () => b.login('asha', PASSWORD)));
    expect(new Set(sessions.map(({ refresh }) => refresh)).size).toBe(20);
  });

  it.each(['', '\0', '\ud800', 'x'.repeat(10_000), "o'b"])(
    'refuses the name %j like an unknown user',
    async (username) => {
      await expect(b.login(username, PASSWORD)).rejects.toMatchObject(noAccount);
    },
  );
});
