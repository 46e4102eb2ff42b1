import { beforeEach, describe, expect, it } from 'vitest';
import { accountBench, noAccount, notValid, PASSWORD, type AccountBench } from './bench.fixture.ts';

let b: AccountBench;
beforeEach(async () => {
  b = await accountBench();
});

describe('disabling an account', () => {
  it('ends its tokens immediately; they stay invalid after the account is enabled again', async () => {
    const { access, refresh } = await b.login('asha', PASSWORD);
    await b.accounts.setActive(b.asha.id, false);
    await expect(b.bearer(access)).rejects.toMatchObject({ code: 'user_inactive' });
    await expect(b.accounts.refresh(refresh)).rejects.toMatchObject({ code: 'no_active_account' });
    await expect(b.login('asha', PASSWORD)).rejects.toMatchObject(noAccount);
    await b.accounts.setActive(b.asha.id, true);
    await expect(b.bearer(access)).rejects.toMatchObject({ code: 'token_not_valid' });
    await expect(b.accounts.refresh(refresh)).rejects.toMatchObject(notValid('reused'));
    expect((await b.bearer((await b.login('asha', PASSWORD)).access)).user.id).toBe(b.asha.id);
  });

  it('throws for an unknown user', async () => {
    await expect(b.accounts.setActive(99, false)).rejects.toMatchObject({ code: 'user_not_found' });
  });
});

describe('new accounts', () => {
  it('are ordinary users or superusers, active, with a password hash', async () => {
    expect(b.asha).toMatchObject({ isActive: true, isSuperuser: false, firstName: '', contactNumber: null });
    expect(b.asha.passwordHash).toBe(`hash of ${PASSWORD}`);
    const root = await b.accounts.createSuperuser({ username: 'test_user_0042', password: PASSWORD });
    expect(root.isSuperuser).toBe(true);
  });

  it('are refused with an error that lists every invalid field', async () => {
    const bad = { username: 'a b', password: '123', email: 'nobody', firstName: 'x'.repeat(151), lastName: '\0' };
    await expect(b.accounts.createUser(bad)).rejects.toMatchObject({
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
    await expect(b.accounts.createUser({ username: '', password: '' })).rejects.toMatchObject({
      fields: { username: [{ rule: 'blank' }], password: [{ rule: 'blank' }] },
    });
  });

  it('are refused when the name is taken', async () => {
    await expect(b.accounts.createUser({ username: 'ASHA', password: PASSWORD })).rejects.toMatchObject({
      code: 'conflict',
      fields: { username: [{ rule: 'taken' }] },
    });
  });
});
