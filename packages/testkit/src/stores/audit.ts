import type { AuditEntry } from '@headwater/http-service/testing';
import { describe, expect, it } from 'vitest';
import { type Get, newUser } from './sample.ts';

const BASE = {
  at: '2026-01-01T00:00:00.000Z',
  actorId: 7,
  actorName: 'asha',
  action: 'change',
  resource: 'users',
  rowId: '12',
  title: 'Ravi',
  changes: { z: { before: '', after: 'on' }, a: { before: "'; --", after: '<b>' } },
  address: '127.0.0.1',
} as const satisfies Omit<AuditEntry, 'id'>;

/** Test cases of the audit log and the operators' list of users. */
export function auditCases(get: Get): void {
  describe('the audit log', () => {
    const add = (change: Partial<AuditEntry> = {}): Promise<AuditEntry> => get().audit.append({ ...BASE, ...change });
    const ids = async (wish: Partial<Parameters<ReturnType<Get>['audit']['list']>[0]>): Promise<readonly number[]> =>
      (await get().audit.list({ limit: 10, offset: 0, ...wish })).entries.map(({ id }) => id);

    it('returns an entry as it was appended, with the order of its changes', async () => {
      const entry = await add();
      expect(entry).toEqual({ ...BASE, id: entry.id });
      expect(await get().audit.byId(entry.id)).toEqual(entry);
      expect(Object.keys(entry.changes)).toEqual(['z', 'a']);
      expect(await add({ address: null, changes: {} })).toMatchObject({ address: null, changes: {} });
      for (const unknown of [entry.id + 9, -1, 2 ** 40]) expect(await get().audit.byId(unknown)).toBeUndefined();
    });

    it('lists entries newest first, page by page, with their total number', async () => {
      const added = [await add(), await add({ at: '2020-01-01T00:00:00.000Z' }), await add()].map(({ id }) => id);
      const [first, second, third] = added;
      expect(await get().audit.list({ limit: 2, offset: 0 })).toMatchObject({
        entries: [{ id: third }, { id: second }],
        total: 3,
      });
      expect(await ids({ limit: 2, offset: 2 })).toEqual([first]);
      expect(await ids({ limit: 2, isAscending: true })).toEqual([first, second]);
      expect(await ids({ offset: 9 })).toEqual([]);
    });

    it('returns the latest entries of all rows, of the rows of one kind, or of one row', async () => {
      const { audit } = get();
      const [first, second] = [await add(), await add({ resource: 'places' })];
      const third = await add({ rowId: '13' });
      const latest = async (wish: Partial<Parameters<typeof audit.latest>[0]>): Promise<readonly number[]> =>
        (await audit.latest({ limit: 10, ...wish })).map(({ id }) => id);
      expect(await latest({})).toEqual([third.id, second.id, first.id]);
      expect(await latest({ limit: 2 })).toEqual([third.id, second.id]);
      expect(await latest({ resource: 'users' })).toEqual([third.id, first.id]);
      expect(await latest({ resource: 'users', rowId: '12' })).toEqual([first.id]);
      for (const rowId of ['99', '\0', '\ud800']) expect(await latest({ rowId })).toEqual([]);
      expect(await audit.latest({ limit: 1 })).toEqual([third]);
    });

    it('finds entries by row, by action, by kind, and by texts in upper or lower case', async () => {
      const own = await add();
      const other = await add({
        resource: 'places',
        rowId: '12',
        action: 'remove',
        title: 'Pond 100%_\\',
        actorName: 'Bela',
      });
      expect(await ids({ resource: 'users', rowId: '12' })).toEqual([own.id]);
      expect(await ids({ rowId: '12' })).toEqual([other.id, own.id]);
      expect(await ids({ action: 'remove' })).toEqual([other.id]);
      for (const search of ['RAVI', 'rav', 'ASHA']) expect([search, await ids({ search })]).toEqual([search, [own.id]]);
      for (const search of ['100%_\\', 'bel', 'pond'])
        expect([search, await ids({ search })]).toEqual([search, [other.id]]);
      for (const search of ['12', '']) expect([search, await ids({ search })]).toEqual([search, [other.id, own.id]]);
      for (const search of ['%', '_vi', '\0', '\ud800', "' or 1=1"])
        expect([search, (await ids({ search })).includes(own.id)]).toEqual([search, false]);
    });

    it('removes entries before a time', async () => {
      await add({ at: '2025-12-31T23:59:59.999Z' });
      const kept = await add({ at: '2026-01-01T00:00:00.000Z' });
      expect([await get().audit.removeBefore(BASE.at), await get().audit.removeBefore(BASE.at)]).toEqual([1, 0]);
      expect(await ids({})).toEqual([kept.id]);
      expect((await add()).id).toBeGreaterThan(kept.id);
    });
  });

  describe('the list of users', () => {
    const make = async (): Promise<void> => {
      const { users } = get();
      await users.create(newUser('Ravi', { email: 'z@example.org', firstName: 'Ravi', lastName: 'Kumar' }));
      await users.create(newUser('asha', { email: 'Asha@Example.org', mayCompute: false }));
      await users.create(newUser('boss', { email: 'b@x_y.org', isSuperuser: true, mayCompute: false }));
      await users.create(newUser('bela', { email: '', isActive: false }));
    };
    const names = async (wish: Partial<Parameters<ReturnType<Get>['users']['list']>[0]>): Promise<readonly string[]> =>
      (await get().users.list({ limit: 10, offset: 0, ...wish })).users.map(({ username }) => username);

    it('has users without their passwords, sorted by user name, page by page, with their total number', async () => {
      await make();
      const { users, total } = await get().users.list({ limit: 2, offset: 1 });
      expect([users.map(({ username }) => username), total]).toEqual([['bela', 'boss'], 4]);
      expect(users.every((user) => !('passwordHash' in user))).toBe(true);
      expect(users[0]).toMatchObject({ isActive: false, sessionVersion: 0, createdAt: expect.stringMatching(/Z$/) });
      expect(await names({})).toEqual(['asha', 'bela', 'boss', 'Ravi']);
      expect(await names({ isDescending: true })).toEqual(['Ravi', 'boss', 'bela', 'asha']);
      expect(await names({ sort: 'email' })).toEqual(['bela', 'asha', 'boss', 'Ravi']);
      expect(await names({ sort: 'createdAt', isDescending: true })).toEqual(['bela', 'boss', 'asha', 'Ravi']);
    });

    it('can be filtered by state and by text; no character of the text is a wildcard', async () => {
      await make();
      expect(await names({ isActive: false })).toEqual(['bela']);
      expect(await names({ isSuperuser: true })).toEqual(['boss']);
      expect(await names({ mayCompute: true, isActive: true })).toEqual(['boss', 'Ravi']);
      expect(await names({ mayCompute: false })).toEqual(['asha']);
      expect(await names({ search: 'EXAMPLE.ORG' })).toEqual(['asha', 'Ravi']);
      expect(await names({ search: 'ravi kum' })).toEqual(['Ravi']);
      expect(await names({ search: '_y' })).toEqual(['boss']);
      for (const search of ['%', 'a%a', "' or '1'='1", '\0', '\ud800']) expect(await names({ search })).toEqual([]);
      expect((await get().users.list({ search: 'example', limit: 1, offset: 0 })).total).toBe(2);
    });

    it('sessions of a user can be ended without a new password, but not by a caller whose own sessions have ended', async () => {
      const { users } = get();
      const [one, boss] = [await users.create(newUser('one')), await users.create(newUser('boss'))];
      await users.endSessions(one.id, boss);
      expect(await users.byId(one.id)).toEqual({ ...one, sessionVersion: 1 });
      await users.endSessions(boss.id);
      await expect(users.endSessions(one.id, boss)).rejects.toMatchObject({ code: 'token_not_valid' });
      expect((await users.byId(one.id))?.sessionVersion).toBe(1);
      for (const unknown of [boss.id + 9, 2 ** 40]) await users.endSessions(unknown);
    });
  });
}
