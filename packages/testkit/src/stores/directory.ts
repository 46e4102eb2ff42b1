import { type DirectoryPage, groupOf, type ListedMember, type MembersOf } from '@headwater/http-service/testing';
import { describe, expect, it } from 'vitest';
import { type Get, newUser } from './sample.ts';

const NOW = '2026-03-10T00:30:00.000Z';
const PART = { limit: 100, offset: 0 };
const UNKNOWN_ID = '0190a000-0000-7000-8000-000000000009';

/** Test cases of the lists on the operators' pages: API keys, organisations, projects, people, sessions. */
export function directoryCases(get: Get): void {
  const named = <T>({ rows, total }: DirectoryPage<T>, name: (row: T) => string): unknown => [rows.map(name), total];

  /** Creates keys of two users. `old` has expired; `ended` was deactivated. */
  const someKeys = async () => {
    const { users, apiKeys } = get();
    const [asha, binod] = [await users.create(newUser('asha')), await users.create(newUser('Binod'))];
    const make = async (userId: number, prefix: string, rest: { name?: string; expiresAt?: string } = {}) =>
      await apiKeys.create(
        {
          prefix,
          hash: prefix,
          userId,
          sessionVersion: 0,
          name: 'field',
          expiresAt: '2034-01-01T00:00:00.000Z',
          ...rest,
        },
        { most: 20 },
      );
    const first = await make(asha.id, 'first000', { name: '100% of_it' });
    await make(binod.id, 'old00000', { name: 'Laptop', expiresAt: NOW });
    await make(binod.id, 'ended000', { name: 'b' });
    await apiKeys.deactivate('ended000');
    const last = await make(asha.id, 'last0000', { name: 'a', expiresAt: '2030-01-01T00:00:00.000Z' });
    return { asha, binod, first, last };
  };

  describe('the directory of API keys', () => {
    const keys = async (query: object = {}): Promise<unknown> =>
      named(await get().directory.keys({ ...PART, now: NOW, ...query }), ({ prefix }) => prefix);

    it('lists keys with owner and counts of uses today, since yesterday and in the last 30 days', async () => {
      const { first, binod } = await someKeys();
      const { apiKeys, directory, users } = get();
      const days = ['2026-03-11', '2026-03-10', '2026-03-09', '2026-03-08', '2026-02-09', '2026-02-08'];
      const uses = days.map((day, at) => ({ prefix: 'first000', usedAt: `${day}T00:00:00.000Z`, count: 10 ** at }));
      await apiKeys.noteUses(uses);
      const counts = { usesToday: 10, usesSinceYesterday: 110, usesInMonth: 11_110 };
      const lastUsedAt = '2026-03-11T00:00:00.000Z';
      const listed = { ...first, lastUsedAt, username: 'asha', ownerIsActive: true, ...counts };
      expect(await directory.keys({ ...PART, now: NOW, prefix: 'first000' })).toEqual({ rows: [listed], total: 1 });
      await users.setActive(binod.id, false);
      const { rows } = await directory.keys({ ...PART, now: NOW, prefix: 'ended000' });
      const unused = { usesToday: 0, usesSinceYesterday: 0, usesInMonth: 0, lastUsedAt: null };
      expect(rows).toMatchObject([{ isActive: false, ownerIsActive: false, ...unused }]);
    });

    it('finds keys by words in owner, prefix and name; no character of a word is a wildcard', async () => {
      await someKeys();
      expect(await keys({ search: ' BINOD  lap ' })).toEqual([['old00000'], 1]);
      expect(await keys({ search: 'last' })).toEqual([['last0000'], 1]);
      expect(await keys({ search: '0% F_' })).toEqual([['first000'], 1]);
      for (const search of ['%', '_', '\\', "' or true --"])
        expect(await keys({ search })).toEqual(search === '%' || search === '_' ? [['first000'], 1] : [[], 0]);
      for (const search of ['a\0b', 'a\uD83Db']) expect(await keys({ search })).toEqual([[], 0]);
    });

    it('filters by state, sorts, and returns the total number with each page', async () => {
      await someKeys();
      expect(await keys({ state: 'active' })).toEqual([['first000', 'last0000'], 2]);
      expect(await keys({ state: 'expired' })).toEqual([['old00000'], 1]);
      expect(await keys({ state: 'ended' })).toEqual([['ended000'], 1]);
      expect(await keys({ isDescending: true })).toEqual([['last0000', 'ended000', 'old00000', 'first000'], 4]);
      expect(await keys({ limit: 2, offset: 1 })).toEqual([['old00000', 'ended000'], 4]);
      expect(await keys({ offset: 9 })).toEqual([[], 4]);
      expect(await keys({ order: 'name' })).toEqual([['first000', 'old00000', 'last0000', 'ended000'], 4]);
      expect(await keys({ order: 'username' })).toEqual([['old00000', 'ended000', 'first000', 'last0000'], 4]);
      const byExpiry = ['old00000', 'last0000', 'first000', 'ended000'];
      expect(await keys({ order: 'expiresAt' })).toEqual([byExpiry, 4]);
      await get().apiKeys.noteUses([{ prefix: 'first000', usedAt: NOW, count: 1 }]);
      expect(await keys({ order: 'lastUsedAt', isDescending: true, limit: 1 })).toEqual([['first000'], 4]);
    });
  });

  describe('the directory of organisations and projects', () => {
    it('lists organisations with the numbers of their members, requests and projects, and projects with their organisation', async () => {
      const { users, people, teams, directory } = get();
      const [ours, theirs] = [
        await people.organizationNamed('Ours', true),
        await people.organizationNamed('theirs', false),
      ];
      const one = await users.create(newUser('one', { organizationId: ours.id }));
      await users.create(newUser('two', { requestedOrganizationId: ours.id }));
      const shared = await teams.createProject({ name: 'Wells', organizationId: ours.id });
      const alone = await teams.createProject({ name: 'Alone', organizationId: null });
      await teams.setMember(shared.id, { userId: one.id, groupId: 3 });

      const listed = { ...ours, members: 1, requests: 1, projects: 1 };
      const empty = { ...theirs, members: 0, requests: 0, projects: 0 };
      expect(await directory.organizations(PART)).toEqual({ rows: [listed, empty], total: 2 });
      for (const query of [{ search: 'OUR' }, { isListed: true }, { hasRequests: true }, { name: 'OURS' }])
        expect(await directory.organizations({ ...PART, ...query })).toEqual({ rows: [listed], total: 1 });
      const last = { ...PART, limit: 1, isDescending: true };
      expect(await directory.organizations(last)).toEqual({ rows: [empty], total: 2 });

      const wells = { ...shared, organizationName: 'Ours', members: 1 };
      const other = { ...alone, organizationName: null, members: 0 };
      expect(await directory.projects(PART)).toEqual({ rows: [wells, other], total: 2 });
      expect(await directory.projects({ ...PART, order: 'name' })).toEqual({ rows: [other, wells], total: 2 });
      for (const query of [{ search: 'our well' }, { organizationId: ours.id }])
        expect(await directory.projects({ ...PART, ...query })).toEqual({ rows: [wells], total: 1 });
      for (const organizationId of [UNKNOWN_ID, 'x'])
        expect(await directory.projects({ ...PART, organizationId })).toEqual({ rows: [], total: 0 });
    });

    it('lists the people of an organisation, a group and a project', async () => {
      const { users, people, teams, directory } = get();
      const ours = await people.organizationNamed('Ours', true);
      const one = await users.create(newUser('one', { organizationId: ours.id }));
      const two = await users.create(newUser('two', { requestedOrganizationId: ours.id, isActive: false }));
      const project = await teams.createProject({ name: 'Wells', organizationId: null });
      for (const { id } of [two, one]) await teams.joinGroup(id, 2);
      const roles = [await teams.setMember(project.id, { userId: two.id, groupId: 3 })];
      roles.push(await teams.setMember(project.id, { userId: one.id, groupId: 2 }));
      const shown = ({ id, username, firstName, lastName, isActive }: typeof one): ListedMember => {
        return { userId: id, username, firstName, lastName, isActive, member: null };
      };
      const inProject = [one, two].map((user, at) => ({
        ...shown(user),
        member: { id: roles[1 - at]?.id ?? 0, group: groupOf(at === 0 ? 2 : 3) },
      }));
      const cases: readonly (readonly [MembersOf, readonly ListedMember[]])[] = [
        [{ organization: ours.id }, [shown(one)]],
        [{ requests: ours.id.toUpperCase() }, [shown(two)]],
        [{ group: 2 }, [shown(one), shown(two)]],
        [{ group: 1 }, []],
        [{ project: project.id }, inProject],
        ...[{ organization: 'x' }, { requests: UNKNOWN_ID }, { group: 2 ** 40 }, { project: 1.5 }].map(
          (of) => [of, []] as const,
        ),
      ];
      for (const [of, rows] of cases) {
        expect(await directory.members(of, {}), JSON.stringify(of)).toEqual({ rows, total: rows.length });
        const part = { rows: rows.slice(1, 2), total: rows.length };
        expect(await directory.members(of, { limit: 1, offset: 1 })).toEqual(part);
      }
      const only = { rows: inProject.slice(1), total: 1 };
      expect(await directory.members({ project: project.id }, { userId: two.id })).toEqual(only);
      expect(await directory.members({ group: 2 }, { userId: 2 ** 40 })).toEqual({ rows: [], total: 0 });
      expect(await directory.groupSizes()).toEqual(new Map([[2, 2]]));
    });

    it('lists the people who want to join an organisation', async () => {
      const { users, people, directory } = get();
      const [ours, theirs] = [
        await people.organizationNamed('Ours', true),
        await people.organizationNamed('Theirs', true),
      ];
      await users.create(newUser('member', { organizationId: ours.id }));
      const requests = [];
      for (const [name, organization] of [
        ['one', ours],
        ['two', theirs],
      ] as const) {
        const user = await users.create(newUser(name, { requestedOrganizationId: organization.id }));
        const { id: userId, username, firstName, lastName, createdAt } = user;
        const wanted = { organizationId: organization.id, organizationName: organization.name };
        requests.push({ userId, username, firstName, lastName, createdAt, ...wanted });
      }
      expect(await directory.requests(PART)).toEqual({ rows: requests, total: 2 });
      expect(await directory.requests({ ...PART, limit: 1, offset: 1 })).toEqual({ rows: requests.slice(1), total: 2 });
      expect(await directory.requests({ ...PART, search: 'theirs DEVI' })).toEqual({
        rows: requests.slice(1),
        total: 1,
      });
      await people.change(requests[0]?.userId ?? 0, { organizationId: null });
      expect(await directory.requests(PART)).toEqual({ rows: requests.slice(1), total: 1 });
    });

    it('adds and changes organisations, whose names are unique regardless of upper and lower case', async () => {
      const { people } = get();
      const taken = { code: 'conflict', fields: { name: [{ rule: 'taken' }] } };
      const listed = (name: string) => ({ name, isListed: true });
      const added = await people.addOrganization('Jal Samiti', true);
      expect(await people.organization(added.id)).toEqual({ id: added.id, name: 'Jal Samiti', isListed: true });
      await expect(people.addOrganization('JAL samiti', false)).rejects.toMatchObject(taken);
      const other = await people.addOrganization('Other', false);
      await expect(people.changeOrganization(other.id, listed('jal samiti'))).rejects.toMatchObject(taken);
      expect(await people.organization(other.id)).toEqual(other);
      expect(await people.changeOrganization(other.id, listed('OTHER'))).toEqual({ id: other.id, ...listed('OTHER') });
      expect(await people.organizationNamed('other', false)).toEqual({ id: other.id, ...listed('OTHER') });
      for (const id of [UNKNOWN_ID, 'x']) expect(await people.changeOrganization(id, listed('New'))).toBeUndefined();
      await expect(people.changeOrganization(other.id, listed('a\0b'))).rejects.toMatchObject({ code: 'validation' });
      await expect(people.addOrganization('a\0b', true)).rejects.toMatchObject({ code: 'validation' });
    });
  });

  it('the directory of sessions lists the open sessions, newest first', async () => {
    const { users, pageSessions, directory } = get();
    const [asha, binod] = [await users.create(newUser('asha')), await users.create(newUser('binod'))];
    const open = async (hash: string, userId: number, expiresAt = '2026-03-10T08:00:00.000Z') => {
      const session = { hash, userId, sessionVersion: 0, createdAt: `2026-03-0${hash}T00:00:00.000Z`, expiresAt };
      await pageSessions.add(session);
      return session;
    };
    const [one, two] = [await open('1', asha.id), await open('2', binod.id)];
    await open('3', asha.id, NOW);
    const query = { ...PART, now: NOW };
    const all = [
      { ...two, username: 'binod' },
      { ...one, username: 'asha' },
    ];
    expect(await directory.sessions(query)).toEqual({ rows: all, total: 2 });
    expect(await directory.sessions({ ...query, isDescending: true })).toEqual({ rows: all.toReversed(), total: 2 });
    expect(await directory.sessions({ ...query, search: 'BIN' })).toEqual({ rows: all.slice(0, 1), total: 1 });
    await users.setPassword(asha.id, 'scrypt$2$new');
    await users.setActive(binod.id, false);
    expect(await directory.sessions(query)).toEqual({ rows: [], total: 0 });
  });
}
