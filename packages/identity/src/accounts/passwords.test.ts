import { beforeEach, describe, expect, it } from 'vitest';
import { createApiKeys } from '../api-keys/api-keys.ts';
import { authenticate } from '../auth/policies.ts';
import type { User } from '../ports/accounts.ts';
import {
  accountBench,
  noAccount,
  notValid,
  PASSWORD,
  principalOf,
  RECOVERED_PASSWORD,
  recoveredDuringCheck,
  type AccountBench,
} from './bench.fixture.ts';

let b: AccountBench;
beforeEach(async () => {
  b = await accountBench();
});

describe('changing the password', () => {
  const change = (user: User, oldPassword: string, newPassword = 'another-meadow-42') =>
    b.accounts.changePassword(principalOf(user), { oldPassword, newPassword }, '10.0.0.1');

  it('requires the present password, and ends every session', async () => {
    const before = await b.login('asha', PASSWORD);
    await change(b.asha, PASSWORD);
    await expect(b.bearer(before.access)).rejects.toMatchObject({ code: 'token_not_valid' });
    await expect(b.accounts.refresh(before.refresh)).rejects.toMatchObject(notValid('reused'));
    await expect(b.login('asha', PASSWORD)).rejects.toMatchObject(noAccount);
    expect((await b.bearer((await b.login('asha', 'another-meadow-42')).access)).user.id).toBe(b.asha.id);
  });

  it('refuses a wrong present password, a weak new password and an unchanged password, and changes nothing', async () => {
    const wrong = { code: 'validation', fields: { oldPassword: [{ rule: 'wrong' }] } };
    await expect(change(b.asha, 'guess')).rejects.toMatchObject(wrong);
    for (const weak of ['short', 'test_change_me', PASSWORD]) {
      const fields = { newPassword: [{ rule: 'weak', message: expect.stringMatching(/;/) }] };
      await expect(change(b.asha, PASSWORD, weak)).rejects.toMatchObject({ code: 'validation', fields });
    }
    expect((await b.login('asha', PASSWORD)).user).toEqual(b.asha);
  });

  it('cannot be used to guess the password', async () => {
    for (const guess of ['a', 'b', 'c'])
      await expect(change(b.asha, guess)).rejects.toMatchObject({ code: 'validation' });
    await expect(change(b.asha, PASSWORD)).rejects.toMatchObject({ code: 'throttled' });
  });

  it('is refused if the account is recovered meanwhile', async () => {
    const recovered = recoveredDuringCheck(b);
    const change = { oldPassword: PASSWORD, newPassword: 'thief-meadow-42' };
    const stale = recovered.changePassword(principalOf(b.asha), change, '10.0.0.9');
    await expect(stale).rejects.toMatchObject({ code: 'token_not_valid' });
    expect((await b.login('asha', RECOVERED_PASSWORD)).user).toMatchObject({ id: b.asha.id, sessionVersion: 1 });
  });

  it("is the only action that a user with the installer's default password may do after sign-in", async () => {
    const account = { username: 'test_user_0042', password: 'test_change_me', mustChangePassword: true } as const;
    const root = await b.accounts.createSuperuser(account);
    const { access, refresh } = await b.login('test_user_0042', 'test_change_me');
    await expect(b.bearer(access)).rejects.toMatchObject({ code: 'password_change_required' });
    await expect(b.bearer((await b.accounts.refresh(refresh)).access)).rejects.toMatchObject({
      code: 'password_change_required',
    });
    const { user } = await authenticate('passwordChange', { authorization: `Bearer ${access}` }, b.auth);
    expect(user).toEqual(root);
    await change(user, 'test_change_me');
    expect((await b.bearer((await b.login('test_user_0042', 'another-meadow-42')).access)).user.isSuperuser).toBe(true);
    await b.accounts.resetPassword(root.id, 'test_change_me', { mustChange: true });
    const again = await b.login('test_user_0042', 'test_change_me');
    await expect(b.bearer(again.access)).rejects.toMatchObject({ code: 'password_change_required' });
  });
});

describe('resetting the password', () => {
  it('applies the password rules, and sign-in requires the new password', async () => {
    await expect(b.accounts.resetPassword(b.asha.id, 'short')).rejects.toMatchObject({ code: 'validation' });
    await expect(b.accounts.resetPassword(99, PASSWORD)).rejects.toMatchObject({ code: 'user_not_found' });
    await b.accounts.resetPassword(b.asha.id, 'another-meadow-42');
    await expect(b.login('asha', PASSWORD)).rejects.toMatchObject(noAccount);
    expect((await b.login('asha', 'another-meadow-42')).user.id).toBe(b.asha.id);
  });

  it('ends every API key of the account, unless keepsKeys is set', async () => {
    const { apiKeys } = b.stores;
    const keys = createApiKeys({ stores: b.stores, clock: b.time, timers: b.time });
    const badi = await b.accounts.createUser({ username: 'badi', password: PASSWORD });
    const [mine, other] = [await keys.generate(principalOf(b.asha)), await keys.generate(principalOf(badi))];
    await b.accounts.resetPassword(b.asha.id, 'another-meadow-42', { keepsKeys: true });
    expect((await keys.authenticate(mine.text)).user.id).toBe(b.asha.id);
    await b.accounts.resetPassword(b.asha.id, 'third-meadow-42');
    await expect(keys.authenticate(mine.text)).rejects.toMatchObject({ code: 'token_not_valid' });
    expect([await apiKeys.activeOf(b.asha.id), (await keys.authenticate(other.text)).user.id]).toEqual([[], badi.id]);
  });

  it('ends every session: earlier access tokens and refresh tokens become invalid', async () => {
    const badi = await b.accounts.createUser({ username: 'badi', password: PASSWORD });
    const [mine, other] = [await b.login('asha', PASSWORD), await b.login('badi', PASSWORD)];
    await b.accounts.resetPassword(b.asha.id, 'another-meadow-42');
    await expect(b.accounts.refresh(mine.refresh)).rejects.toMatchObject(notValid('reused'));
    await expect(b.bearer(mine.access)).rejects.toMatchObject({ code: 'token_not_valid' });
    expect((await b.bearer(other.access)).user.id).toBe(badi.id);
    const again = await b.login('asha', 'another-meadow-42');
    expect((await b.bearer((await b.accounts.refresh(again.refresh)).access)).user.id).toBe(b.asha.id);
  });
});
