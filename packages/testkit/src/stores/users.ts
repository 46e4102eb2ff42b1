import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { ACTIVITY_STEPS, newUser } from './sample.ts';

/** Test cases of users and Earth-observation accounts. */
export function userCases(get: Get): void {
  describe('users', () => {
    it('returns the stored user with id and creation time', async () => {
      const { users } = get();
      const before = Date.now() - 60_000;
      const asha = newUser('asha', { contactNumber: '+91 98', isSuperuser: true });
      const user = await users.create(asha);
      expect(user).toEqual({ ...asha, id: user.id, sessionVersion: 0, createdAt: user.createdAt });
      expect(user.id).toBeGreaterThan(0);
      expect(user.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Date.parse(user.createdAt)).toBeGreaterThan(before);
      expect(await users.byId(user.id)).toEqual(user);
    });

    it('finds a user name written in upper or lower case, and returns its original spelling', async () => {
      const { users } = get();
      const user = await users.create(newUser('Asha_Éva'));
      expect(await users.byUsername('aSHA_éVA')).toEqual(user);
      expect(await users.byUsername('asha')).toBeUndefined();
    });

    it('refuses a name that differs only in the case of letters, with a message that names the field', async () => {
      const { users } = get();
      await users.create(newUser('asha'));
      await expect(users.create(newUser('ASHA'))).rejects.toMatchObject({
        code: 'conflict',
        fields: { username: [{ rule: 'taken', message: expect.any(String) }] },
      });
      expect(await users.count()).toBe(1);
    });

    it('treats Unicode variants of a name as one name', async () => {
      const { users } = get();
      const user = await users.create(newUser('ren\u00e9'));
      for (const name of ['rene\u0301', 'RENE\u0301', '\uff52en\u00e9']) {
        expect(await users.byUsername(name)).toEqual(user);
        await expect(users.create(newUser(name))).rejects.toMatchObject({ code: 'conflict' });
      }
    });

    it('accepts one of several identical concurrent registrations', async () => {
      const { users } = get();
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => users.create(newUser('asha'))));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('changes the password and the active state of one user, and changes no other user', async () => {
      const { users } = get();
      const [one, two] = [await users.create(newUser('one')), await users.create(newUser('two'))];
      await users.setPassword(one.id, 'scrypt$2$new');
      await users.setActive(one.id, false);
      expect(await users.byId(one.id)).toEqual({
        ...one,
        passwordHash: 'scrypt$2$new',
        sessionVersion: 2,
        isActive: false,
      });
      expect(await users.byId(two.id)).toEqual(two);
    });

    it('replaces a password only if the user still has the given session version, and only once', async () => {
      const { users } = get();
      const one = await users.create(newUser('one', { mustChangePassword: true }));
      const tries = await Promise.all([1, 2, 3].map((at) => users.replacePassword(one.id, `scrypt$2$${at}`, one)));
      expect(tries.filter(Boolean)).toHaveLength(1);
      expect(await users.byId(one.id)).toMatchObject({ sessionVersion: 1, mustChangePassword: false });
      expect((await users.byId(one.id))?.passwordHash).toMatch(/^scrypt\$2\$\d$/);
      await users.setActive(one.id, false);
      expect(await users.replacePassword(one.id, 'scrypt$2$x', { sessionVersion: 2 })).toBe(false);
      expect(await users.replacePassword(99, 'scrypt$2$x', { sessionVersion: 0 })).toBe(false);
    });

    it('replaces a password only if the user still has the given e-mail address', async () => {
      const { users, people } = get();
      const one = await users.create(newUser('one'));
      await people.change(one.id, { email: 'new@example.org' });
      const { sessionVersion, email } = one;
      expect(await users.replacePassword(one.id, 'scrypt$2$x', { sessionVersion, email })).toBe(false);
      expect(await users.byId(one.id)).toEqual({ ...one, email: 'new@example.org' });
      const present = { sessionVersion, email: 'new@example.org' };
      expect(await users.replacePassword(one.id, 'scrypt$2$x', present)).toBe(true);
    });

    it('sets no password if the sessions of the caller have ended or end at the same moment', async () => {
      const { users } = get();
      const [root, one] = [await users.create(newUser('root')), await users.create(newUser('one'))];
      await users.setPassword(one.id, 'scrypt$2$first', { by: root });
      await users.setActive(root.id, false);
      const stale = users.setPassword(one.id, 'scrypt$2$thief', { by: root });
      await expect(stale).rejects.toMatchObject({ code: 'token_not_valid' });
      expect(await users.byId(one.id)).toMatchObject({ passwordHash: 'scrypt$2$first', sessionVersion: 1 });
      const [left, right] = [await users.create(newUser('left')), await users.create(newUser('right'))];
      const outcomes = await Promise.allSettled([
        users.setPassword(left.id, 'scrypt$2$x', { by: right }),
        users.setPassword(right.id, 'scrypt$2$x', { by: left }),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    });

    it('stores whether the password must be changed', async () => {
      const { users } = get();
      const { id } = await users.create(newUser('one', { mustChangePassword: true }));
      const mustChange = async (): Promise<unknown> => (await users.byId(id))?.mustChangePassword;
      expect(await mustChange()).toBe(true);
      await users.setPassword(id, 'scrypt$2$own');
      expect(await mustChange()).toBe(false);
      await users.setPassword(id, 'scrypt$2$default', { mustChange: true });
      expect(await mustChange()).toBe(true);
    });

    it('deactivating a user ends the sessions of the user; activating does not', async () => {
      const { users } = get();
      const { id } = await users.create(newUser('one'));
      const version = async (): Promise<unknown> => (await users.byId(id))?.sessionVersion;
      for (const [isActive, expected] of ACTIVITY_STEPS) {
        await users.setActive(id, isActive);
        expect(await version()).toBe(expected);
      }
    });

    it('returns the superuser with the lowest id', async () => {
      const { users } = get();
      await users.create(newUser('plain'));
      expect(await users.firstSuperuser()).toBeUndefined();
      const first = await users.create(newUser('root', { isSuperuser: true }));
      await users.create(newUser('root2', { isSuperuser: true }));
      expect((await users.firstSuperuser())?.id).toBe(first.id);
    });
  });

  describe('eo accounts', () => {
    it('lists all accounts by id, including hidden accounts', async () => {
      const { eoAccounts } = get();
      const a = await eoAccounts.create({ name: 'embedded data', accountEmail: null, isVisible: true });
      const b = await eoAccounts.create({ name: 'hidden', accountEmail: 'x@example.org', isVisible: false });
      expect(a).toEqual({
        id: a.id,
        name: 'embedded data',
        accountEmail: null,
        serviceAccountEmail: null,
        platform: 'local',
        isVisible: true,
        isActive: true,
        visibleTo: 'all',
        ownerId: null,
        organizationId: null,
        hasKey: false,
        exhaustedUntil: null,
      });
      expect(b.id).toBeGreaterThan(a.id);
      expect(await eoAccounts.list()).toEqual([a, b]);
      expect(await eoAccounts.byId(b.id)).toEqual(b);
      expect(await eoAccounts.byId(b.id + 1)).toBeUndefined();
    });

    it('changes only the given fields of one account', async () => {
      const { eoAccounts } = get();
      const a = await eoAccounts.create({ name: 'a', accountEmail: 'a@example.org', isVisible: true });
      const b = await eoAccounts.create({ name: 'b', accountEmail: null, isVisible: true });
      expect(await eoAccounts.change(a.id, {})).toEqual(a);
      const renamed = { ...a, name: 'c', isVisible: false };
      expect(await eoAccounts.change(a.id, { name: 'c', isVisible: false })).toEqual(renamed);
      expect(await eoAccounts.change(a.id, { accountEmail: null })).toMatchObject({ name: 'c', accountEmail: null });
      const others = {
        serviceAccountEmail: 'runner@example.org',
        platform: 'earth_engine',
        isActive: false,
        visibleTo: 'organization',
        ownerId: 7,
        organizationId: 'a0f4c3f0-0000-4000-8000-000000000001',
        exhaustedUntil: '2026-11-30T00:00:00.000Z',
      } as const;
      expect(await eoAccounts.change(a.id, others)).toMatchObject({ name: 'c', ...others });
      const none = { serviceAccountEmail: null, ownerId: null, organizationId: null, exhaustedUntil: null };
      expect(await eoAccounts.change(a.id, none)).toMatchObject({ ...others, ...none });
      const created = await eoAccounts.create({ name: 'd', accountEmail: null, isVisible: true, ...others });
      expect(created).toMatchObject(others);
      expect(await eoAccounts.byId(b.id)).toEqual(b);
      for (const id of [created.id + 1, 2 ** 31]) expect(await eoAccounts.change(id, { name: 'x' })).toBeUndefined();
    });

    it('does not return the encrypted credentials with an account, and removes them together with the account', async () => {
      const { eoAccounts } = get();
      const { id } = await eoAccounts.create({ name: 'a', accountEmail: null, isVisible: true });
      expect(await eoAccounts.sealedKey(id)).toBeNull();
      expect(await eoAccounts.setSealedKey(id, 'v1.sealed')).toBe(true);
      expect([await eoAccounts.sealedKey(id), (await eoAccounts.byId(id))?.hasKey]).toEqual(['v1.sealed', true]);
      expect(JSON.stringify(await eoAccounts.list())).not.toContain('sealed');
      await eoAccounts.change(id, { name: 'b' });
      expect(await eoAccounts.sealedKey(id)).toBe('v1.sealed');
      expect(await eoAccounts.setSealedKey(id, null)).toBe(true);
      expect([await eoAccounts.sealedKey(id), (await eoAccounts.byId(id))?.hasKey]).toEqual([null, false]);
      await eoAccounts.setSealedKey(id, 'v1.sealed');
      expect([await eoAccounts.remove(id), await eoAccounts.remove(id)]).toEqual([true, false]);
      expect([await eoAccounts.byId(id), await eoAccounts.sealedKey(id)]).toEqual([undefined, null]);
      for (const unknown of [id, 2 ** 31]) expect(await eoAccounts.setSealedKey(unknown, 'v1.x')).toBe(false);
      const next = await eoAccounts.create({ name: 'c', accountEmail: null, isVisible: true });
      expect(next.id).toBeGreaterThan(id);
    });
  });
}
