import { beforeEach, describe, expect, it } from 'vitest';
import { TOKEN_DEFAULTS } from '../auth/token-settings.ts';
import { secondsOf } from '../auth/tokens.ts';
import { accountBench, notValid, PASSWORD, principalOf, type AccountBench } from './bench.fixture.ts';

let b: AccountBench;
beforeEach(async () => {
  b = await accountBench();
});

describe('refresh', () => {
  const reused = { code: 'token_not_valid', details: { token: 'refresh', problem: 'reused' } };

  it('returns a new pair at every refresh', async () => {
    let { refresh } = await b.login('asha', PASSWORD);
    for (let turn = 0; turn < 3; turn += 1) {
      const pair = await b.accounts.refresh(refresh);
      expect(pair.refresh).not.toBe(refresh);
      expect(await b.tokens.verify(pair.access, 'access')).toMatchObject({ ok: true });
      refresh = pair.refresh;
    }
  });

  it('with a token that was used before ends the session of this token, and no other session', async () => {
    const [first, other] = [await b.login('asha', PASSWORD), await b.login('asha', PASSWORD)];
    const next = await b.accounts.refresh(first.refresh);
    await expect(b.accounts.refresh(first.refresh)).rejects.toMatchObject(reused);
    await expect(b.accounts.refresh(next.refresh)).rejects.toMatchObject(reused);
    expect(await b.accounts.refresh(other.refresh)).toHaveProperty('access');
  });

  it('succeeds only once for eight concurrent uses of one token', async () => {
    const { refresh } = await b.login('asha', PASSWORD);
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => b.accounts.refresh(refresh)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('reports why a token is refused', async () => {
    const { access, refresh } = await b.login('asha', PASSWORD);
    const problem = (token: string) => b.accounts.refresh(token).catch((error: unknown) => error);
    expect(await problem('nonsense')).toMatchObject(notValid('invalid'));
    expect(await problem(access)).toMatchObject(notValid('wrong_type'));
    const session = { userId: b.asha.id, familyId: 'never-stored', sessionVersion: 0, signedInAt: secondsOf(b.time) };
    const { token: stranger } = await b.tokens.issueRefresh(session);
    expect(await problem(stranger)).toMatchObject(notValid('invalid'));
    await b.time.advance(TOKEN_DEFAULTS.refreshTtlSeconds * 1000);
    expect(await problem(refresh)).toMatchObject(notValid('expired'));
  });

  it('refuses disabled and deleted users', async () => {
    const { refresh } = await b.login('asha', PASSWORD);
    await b.stores.users.setActive(b.asha.id, false);
    const gone = { code: 'no_active_account', details: { given: 'token' } };
    await expect(b.accounts.refresh(refresh)).rejects.toMatchObject(gone);
    await expect(b.accounts.refresh(refresh)).rejects.toMatchObject(gone);
    const session = { userId: b.asha.id + 1, familyId: 'f', sessionVersion: 0, signedInAt: secondsOf(b.time) };
    const { token: orphan } = await b.tokens.issueRefresh(session);
    await expect(b.accounts.refresh(orphan)).rejects.toMatchObject(gone);
  });
});

describe('access tokens', () => {
  const refused = { code: 'token_not_valid', details: { token: 'access', problem: 'invalid' } };

  it('of one session end when the user signs out of it', async () => {
    const [mine, other] = [await b.login('asha', PASSWORD), await b.login('asha', PASSWORD)];
    const next = await b.accounts.refresh(mine.refresh);
    expect((await b.bearer(mine.access)).user.id).toBe(b.asha.id);
    await b.accounts.logout(principalOf(b.asha), next.refresh);
    for (const { access } of [mine, next]) await expect(b.bearer(access)).rejects.toMatchObject(refused);
    expect((await b.bearer(other.access)).user.id).toBe(b.asha.id);
  });

  it('end with the second use of a refresh token', async () => {
    const first = await b.login('asha', PASSWORD);
    const next = await b.accounts.refresh(first.refresh);
    await expect(b.accounts.refresh(first.refresh)).rejects.toMatchObject({ code: 'token_not_valid' });
    for (const { access } of [first, next]) await expect(b.bearer(access)).rejects.toMatchObject(refused);
  });

  it('end a year after the sign-in, even if the session is refreshed often', async () => {
    const yearMs = 365 * 86_400_000;
    const endMs = b.time.now().getTime() + yearMs;
    let pair = await b.login('asha', PASSWORD);
    for (let day = 60; day < 365; day += 60) {
      await b.time.advance(60 * 86_400_000);
      const { access, refresh } = await b.accounts.refresh(pair.refresh);
      pair = { ...pair, access, refresh };
    }
    await b.time.advance(endMs - b.time.now().getTime() - 1000);
    expect((await b.bearer(pair.access)).user.id).toBe(b.asha.id);
    await b.time.advance(1000);
    await expect(b.bearer(pair.access)).rejects.toMatchObject({ details: { problem: 'expired' } });
    await expect(b.accounts.refresh(pair.refresh)).rejects.toMatchObject(notValid('expired'));
  });
});

describe('logout', () => {
  it('ends the session; a second logout of this session is not an error', async () => {
    const { refresh } = await b.login('asha', PASSWORD);
    const next = await b.accounts.refresh(refresh);
    await b.accounts.logout(principalOf(b.asha), next.refresh);
    await b.accounts.logout(principalOf(b.asha), next.refresh);
    await expect(b.accounts.refresh(next.refresh)).rejects.toMatchObject(notValid('reused'));
  });

  it('refuses invalid tokens, access tokens, and tokens of other users', async () => {
    const badi = await b.accounts.createUser({ username: 'badi', password: PASSWORD });
    const { refresh, access } = await b.login('asha', PASSWORD);
    for (const [user, token] of [
      [b.asha, 'nonsense'],
      [b.asha, access],
      [badi, refresh],
    ] as const) {
      const fields = { refreshToken: [{ rule: expect.any(String), message: expect.any(String) }] };
      await expect(b.accounts.logout(principalOf(user), token)).rejects.toMatchObject({ code: 'validation', fields });
    }
    expect(await b.accounts.refresh(refresh)).toHaveProperty('access');
  });
});
