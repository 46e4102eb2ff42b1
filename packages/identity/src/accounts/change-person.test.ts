import { beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../ports/accounts.ts';
import type { PersonChange } from '../ports/people.ts';
import { accountBench, PASSWORD, principalOf, recoveredDuringCheck, type AccountBench } from './bench.fixture.ts';
import { ORGANIZATION_ADMIN } from './groups.ts';
import { createAccountService } from './service.ts';

let b: AccountBench;
let root: User;
let other: User;
beforeEach(async () => {
  b = await accountBench();
  root = await b.accounts.createSuperuser({ username: 'root', password: PASSWORD, email: 'root@example.org' });
  other = await b.accounts.createSuperuser({ username: 'other_root', password: 'deep-forest-44' });
});

const emailOf = async (user: User): Promise<unknown> => (await b.stores.users.byId(user.id))?.email;
const move = (user: User, password?: string) =>
  b.accounts.changePerson(
    principalOf(root),
    { userId: user.id, change: { email: 'thief@example.org' }, ...(password === undefined ? {} : { password }) },
    '10.0.0.1',
  );

describe('the email address of a superuser', () => {
  it("changes only with the caller's own password, because links for new passwords are mailed to this address", async () => {
    for (const user of [root, other]) {
      for (const password of [undefined, 'guess', 'deep-forest-44']) {
        const wrong = { code: 'validation', fields: { oldPassword: [{ rule: 'wrong' }] } };
        await expect(move(user, password)).rejects.toMatchObject(wrong);
        // Earlier wrong passwords no longer count after this time.
        await b.time.advance(60_000);
      }
      expect(await emailOf(user)).toBe(user.email);
    }
    expect((await move(other, PASSWORD)).user.email).toBe('thief@example.org');
  });

  it('cannot be changed for a time after too many wrong passwords, as at sign-in', async () => {
    for (const guess of ['a', 'b', 'c']) await expect(move(other, guess)).rejects.toMatchObject({ code: 'validation' });
    await expect(move(other, PASSWORD)).rejects.toMatchObject({ code: 'throttled' });
  });

  it('is better protected than that of an ordinary user, which a superuser can change without a password', async () => {
    expect((await move(b.asha)).user.email).toBe('thief@example.org');
  });
});

describe('a change of an email address', () => {
  it('is refused if the account is recovered meanwhile', async () => {
    const thief = { userId: b.asha.id, change: { email: 'thief@example.org' }, password: PASSWORD };
    const stale = recoveredDuringCheck(b).changePerson(principalOf(b.asha), thief, '10.0.0.9');
    await expect(stale).rejects.toMatchObject({ code: 'token_not_valid' });
    expect(await emailOf(b.asha)).toBe('asha@example.org');
  });

  it('is refused for another user if the session of the requesting superuser has ended meanwhile', async () => {
    const people = { ...b.stores.people };
    people.person = async (id) => {
      const found = await b.stores.people.person(id);
      await b.accounts.setActive(root.id, false);
      return found;
    };
    const accounts = createAccountService({ ...b.deps, stores: { ...b.stores, people } });
    const thief = { userId: b.asha.id, change: { email: 'thief@example.org' } };
    const stale = accounts.changePerson(principalOf(root), thief, undefined);
    await expect(stale).rejects.toMatchObject({ code: 'token_not_valid' });
    expect(await emailOf(b.asha)).toBe('asha@example.org');
  });

  it('does not overwrite an address that another request stored meanwhile, if it sends the old address unchanged', async () => {
    const people = { ...b.stores.people };
    people.person = async (id) => {
      const found = await b.stores.people.person(id);
      await b.stores.people.change(id, { email: 'new@example.org' });
      return found;
    };
    const accounts = createAccountService({ ...b.deps, stores: { ...b.stores, people } });
    const whole = { userId: b.asha.id, change: { email: 'asha@example.org', firstName: 'Asha' } };
    const after = await accounts.changePerson(principalOf(b.asha), whole, undefined);
    expect(after.user).toMatchObject({ email: 'new@example.org', firstName: 'Asha' });
  });
});

describe('a change of a person', () => {
  it('is stored with one write: completely or not at all', async () => {
    const { stores } = b;
    const failing = { ...stores.users, setActive: () => Promise.reject(new Error('the store is gone')) };
    const accounts = createAccountService({ ...b.deps, stores: { ...stores, users: failing } });
    const change = { firstName: 'Asha', isActive: false };
    const after = await accounts.changePerson(principalOf(root), { userId: b.asha.id, change }, undefined);
    expect(after.user).toMatchObject({ firstName: 'Asha', isActive: false, sessionVersion: 1 });
  });

  it('is checked only in its changed fields: unchanged values are accepted even if newer rules would refuse them', async () => {
    const old = {
      email: 'a b@example.org',
      firstName: 'A\u00adsha',
      lastName: '\u200eDevi',
      contactNumber: '98\u2060 76',
      profile: { age: 151, educationQualification: 'M.\ufeffSc.' },
    };
    await b.stores.people.change(b.asha.id, old);
    const change = async (part: PersonChange): Promise<unknown> => {
      const wanted = { userId: b.asha.id, change: { ...old, ...part } };
      return await b.accounts.changePerson(principalOf(b.asha), wanted, undefined);
    };
    expect(await change({ profile: { ...old.profile, gender: 'F' } })).toMatchObject({ profile: { gender: 'F' } });
    for (const part of [
      { firstName: 'A\u00adshi' },
      { lastName: 'Devi\u200e' },
      { contactNumber: '99\u2060 76' },
      { email: 'b a@example.org' },
    ]) {
      const [field = ''] = Object.keys(part);
      const fields = { [field]: [{ rule: expect.any(String) }] };
      await expect(change(part)).rejects.toMatchObject({ code: 'validation', fields });
    }
    for (const profile of [{ age: 152 }, { educationQualification: '\ufeffM.Sc.' }])
      await expect(change({ profile: { ...old.profile, ...profile } })).rejects.toMatchObject({ code: 'validation' });
  });

  it('ends the sessions of a user that it disables', async () => {
    const { access } = await b.login('asha', PASSWORD);
    const disable = { userId: b.asha.id, change: { isActive: false } };
    await b.accounts.changePerson(principalOf(root), disable, undefined);
    await expect(b.bearer(access)).rejects.toMatchObject({ code: 'user_inactive' });
    await b.accounts.changePerson(principalOf(root), { ...disable, change: { isActive: true } }, undefined);
    await expect(b.bearer(access)).rejects.toMatchObject({ code: 'token_not_valid' });
  });

  it('to another organisation ends the rights as administrator of the previous organisation', async () => {
    const { people, teams } = b.stores;
    const [ours, theirs] = [
      await people.organizationNamed('Ours', true),
      await people.organizationNamed('Theirs', true),
    ];
    const put = async (organizationId: string | null) =>
      (await b.accounts.changePerson(principalOf(root), { userId: b.asha.id, change: { organizationId } }, undefined))
        .groups;
    await put(ours.id);
    await teams.joinGroup(b.asha.id, ORGANIZATION_ADMIN);
    expect(await put(ours.id)).toHaveLength(1);
    expect(await put(theirs.id)).toEqual([]);
  });
});
