import { ORGANIZATION_ADMIN } from '@headwater/http-service/testing';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { newUser } from './sample.ts';

const SOURCE = 'https://live.example.org';
const TRUST = { id: '0190a000-0000-7000-8000-000000000001', name: 'Sample Trust', isListed: false };
const CREATED = '2024-02-29T05:30:00.000Z';
const from = (sourceId: string, digest = 'one') => ({ source: SOURCE, sourceId, digest });
const wanted = (id: number, reserved = 900) => ({ id, reserved });

/** Test cases of accounts, organisations, projects and API keys that are moved from another system. */
export function moveCases(get: Get): void {
  const moved = (username: string, rest: object = {}) => {
    const { mustChangePassword: _, ...user } = newUser(username, { passwordHash: 'pbkdf2_sha256$1$a$b' });
    return { ...user, wanted: wanted(17), groupIds: [], createdAt: CREATED, ...rest };
  };
  const key = (userId: number, rest: object = {}) => {
    const [hash, name, expiresAt] = ['sha512$$ab', 'field', '2034-03-18T09:30:15.125Z'];
    return { prefix: 'AbCd0123', hash, userId, name, isActive: true, createdAt: CREATED, expiresAt, ...rest };
  };

  describe('moved accounts', () => {
    it('keep their ids, groups and times; the note of the move is stored in the same step', async () => {
      const { moves, people, users } = get();
      expect(await moves.organization(from('o'), TRUST)).toBe(TRUST.id);
      const asha = moved('Asha', { organizationId: TRUST.id, groupIds: [ORGANIZATION_ADMIN, 3], profile: { age: 41 } });
      expect(await moves.user(from('17'), asha)).toBe(17);
      expect(await users.byUsername('asha')).toMatchObject({
        id: 17,
        username: 'Asha',
        passwordHash: 'pbkdf2_sha256$1$a$b',
        createdAt: CREATED,
        sessionVersion: 0,
        mustChangePassword: false,
      });
      const person = await people.person(17);
      expect([person?.organization, person?.profile.age]).toEqual([TRUST, 41]);
      expect(person?.groups.map(({ id }) => id)).toEqual([ORGANIZATION_ADMIN, 3]);
      const row = { source: SOURCE, kind: 'user', sourceId: '17', targetId: '17', digest: 'one' };
      const given = { isActive: true, isSuperuser: false, mayCompute: asha.mayCompute };
      const rights = { ...given, organizationId: TRUST.id, groupIds: [ORGANIZATION_ADMIN, 3] };
      expect(await moves.moved(SOURCE, 'user')).toEqual([{ ...row, rights }]);
      expect(await moves.moved('elsewhere', 'user')).toEqual([]);
      expect((await users.create(newUser('later'))).id).toBeGreaterThan(900);
    });

    it('get a new id above the reserved ids if another row has the wanted id', async () => {
      const { moves, teams, users } = get();
      const own = await users.create(newUser('own'));
      const other = await moves.user(from('1'), moved('other', { wanted: wanted(own.id, 40) }));
      expect(other).toBeGreaterThan(40);
      expect(await moves.user(from('2'), moved('third', { wanted: wanted(40, 40) }))).toBe(40);
      const project = await teams.createProject({ name: 'Own', organizationId: null });
      const members = [{ userId: other, groupId: 2 }];
      const wish = { name: 'Wells', organizationId: null, wanted: wanted(project.id, 7), members };
      const id = await moves.project(from('1'), wish);
      expect(id).toBeGreaterThan(7);
      expect(await teams.members(id)).toMatchObject([{ userId: other, username: 'other', group: { id: 2 } }]);
    });

    it('are stored completely or not at all', async () => {
      const { moves, users } = get();
      const unknown = '0190a000-0000-7000-8000-000000000009';
      await users.create(newUser('asha'));
      for (const [problem, user] of [
        ['conflict', moved('ASHA')],
        ['validation', moved('binod', { organizationId: unknown })],
        ['not_found', moved('chitra', { groupIds: [3, 99] })],
        ['validation', moved('d\0')],
      ] as const)
        await expect(moves.user(from('17'), user)).rejects.toMatchObject({ code: problem });
      const project = { name: 'Wells', organizationId: null, wanted: wanted(5) };
      await expect(
        moves.project(from('5'), { ...project, members: [{ userId: 999, groupId: 3 }] }),
      ).rejects.toMatchObject({ code: 'not_found' });
      await expect(moves.apiKey(from('AbCd0123'), key(999), { most: 5 })).rejects.toMatchObject({
        code: 'user_not_found',
      });
      for (const kind of ['user', 'project', 'apiKey'] as const) expect(await moves.moved(SOURCE, kind)).toEqual([]);
      expect(await users.count()).toBe(1);
    });

    it('change when they are moved again, but keep the rights and passwords that they got in this service', async () => {
      const { moves, people, teams, users } = get();
      await moves.user(from('17'), moved('asha'));
      await moves.user(from('17', 'two'), moved('asha', { email: 'new@example.org', passwordHash: '!none' }));
      expect(await users.byId(17)).toMatchObject({ email: 'new@example.org', passwordHash: '!none' });
      await moves.user(from('17', 'three'), moved('asha'));
      await users.rehash(17, 'something else', 'scrypt$1$wrong');
      await users.rehash(17, 'pbkdf2_sha256$1$a$b', 'scrypt$1$own');
      await people.change(17, { mayCompute: true });
      await teams.joinGroup(17, 2);
      await moves.user(from('17', 'four'), moved('asha', { mayCompute: false, isActive: false, groupIds: [3] }));
      const user = { passwordHash: 'scrypt$1$own', mayCompute: true, isActive: false, sessionVersion: 1 };
      expect(await users.byId(17)).toMatchObject(user);
      expect((await people.person(17))?.groups.map(({ id }) => id)).toEqual([2, 3]);
      await moves.user(from('17', 'five'), moved('asha'));
      expect(await users.byId(17)).toMatchObject(user);
      expect(await moves.moved(SOURCE, 'user')).toMatchObject([{ targetId: '17', digest: 'five' }]);
      expect(await users.count()).toBe(1);
    });

    it('get from a later move only the rights that changed in the other system since the last move', async () => {
      const { moves, people, teams, users } = get();
      await moves.organization(from('o'), TRUST);
      const first = { organizationId: TRUST.id, groupIds: [1, 2], isActive: false, mayCompute: true };
      await moves.user(from('17'), moved('asha', first));
      const here = { organizationId: null, isActive: true, mayCompute: false };
      await people.change(17, here);
      await teams.leaveGroup(17, 1);
      const { organizationId: _, ...account } = here;
      const stays = async (groups: readonly number[]): Promise<void> => {
        expect(await users.byId(17)).toMatchObject({ ...account, contactNumber: '+91 1' });
        const person = await people.person(17);
        expect([person?.organization, person?.groups.map(({ id }) => id)]).toEqual([null, groups]);
      };
      await moves.user(from('17', 'two'), moved('asha', { ...first, contactNumber: '+91 1' }));
      await stays([2]);
      const plain = { ...first, mayCompute: false, contactNumber: '+91 1' };
      await moves.user(from('17', 'three'), moved('asha', plain));
      await moves.user(from('17', 'four'), moved('asha', { ...first, contactNumber: '+91 1', groupIds: [1, 2, 3] }));
      await stays([2, 3]);
    });

    it('keep changes and removals of project members made in this service; other members get the groups of the other system', async () => {
      const { moves, teams } = get();
      const ids = [17, 18, 19, 20];
      for (const id of ids) await moves.user(from(`${id}`), moved(`user${id}`, { wanted: wanted(id) }));
      const project = { name: 'Wells', organizationId: null, wanted: wanted(5) };
      const move = async (digest: string, groups: Readonly<Record<number, number>>): Promise<unknown> => {
        const members = Object.entries(groups).map(([userId, groupId]) => ({ userId: Number(userId), groupId }));
        await moves.project(from('5', digest), { ...project, members });
        return (await teams.members(5)).map((member) => [member.userId, member.group.id]);
      };
      await move('one', { 17: 3, 18: 3, 19: 3 });
      await teams.setMember(5, { userId: 17, groupId: 1 });
      await teams.setMember(5, { userId: 20, groupId: 1 });
      const [, , third] = await teams.members(5);
      await teams.removeMember(5, third?.id ?? 0);
      const here = [17, 18, 20].map((id) => [id, id === 18 ? 3 : 1]);
      expect(await move('two', { 17: 3, 18: 3, 19: 3, 20: 3 })).toEqual(here);
      const changed = here.map(([id, group]) => [id, id === 18 ? 2 : group]);
      expect(await move('three', { 17: 2, 18: 2, 19: 2, 20: 2 })).toEqual(changed);
    });

    it('have keys with the hashes and times of the other system; an ended key stays ended', async () => {
      const { moves, apiKeys, users } = get();
      await moves.user(from('17'), moved('asha'));
      await moves.apiKey(from('AbCd0123'), key(17), { most: 1 });
      const found = await apiKeys.find('AbCd0123');
      const { hash, ...shown } = key(17);
      expect([found?.hash, found?.key]).toEqual([hash, { ...shown, lastUsedAt: null }]);
      const second = key(17, { prefix: 'second00' });
      await expect(moves.apiKey(from('second00'), second, { most: 1 })).rejects.toMatchObject({ code: 'conflict' });
      await moves.apiKey(from('second00'), { ...second, isActive: false }, { most: 1 });
      expect((await apiKeys.find('second00'))?.key.isActive).toBe(false);
      await expect(
        moves.apiKey({ ...from('AbCd0123'), source: 'elsewhere' }, key(17), { most: 9 }),
      ).rejects.toMatchObject({ code: 'conflict', fields: { prefix: [{ rule: 'taken' }] } });
      await moves.apiKey(from('AbCd0123', 'two'), key(17, { isActive: false, name: 'old' }), { most: 1 });
      await moves.apiKey(from('AbCd0123', 'three'), key(17, { name: 'old' }), { most: 1 });
      expect((await apiKeys.find('AbCd0123'))?.key).toMatchObject({ name: 'old', isActive: false });
      expect((await users.byId(17))?.username).toBe('asha');
    });

    it('have organisations with unique names; an organisation that was removed here is added again', async () => {
      const { moves, people } = get();
      await people.addOrganization('Other', true);
      await moves.organization(from('o'), TRUST);
      await expect(moves.organization(from('p'), { ...TRUST, name: 'New' })).rejects.toMatchObject({
        code: 'conflict',
        fields: { id: [{ rule: 'taken' }] },
      });
      await expect(moves.organization(from('o', 'two'), { ...TRUST, name: 'OTHER' })).rejects.toMatchObject({
        code: 'conflict',
        fields: { name: [{ rule: 'taken' }] },
      });
      await people.listOrganization(TRUST.id, true);
      await moves.organization(from('o', 'two'), { ...TRUST, name: 'Sample Society' });
      expect(await people.organization(TRUST.id)).toEqual({ ...TRUST, name: 'Sample Society', isListed: true });
      await people.removeOrganization(TRUST.id);
      await moves.organization(from('o', 'three'), TRUST);
      expect(await people.organization(TRUST.id)).toEqual(TRUST);
    });

    it('include Earth-observation accounts that only their owner sees; a later move keeps rights that were changed here, and adds a removed account again', async () => {
      const { moves, eoAccounts } = get();
      const emails = { accountEmail: null, serviceAccountEmail: 'a@p.iam.gserviceaccount.com' };
      const account = { name: 'one', ...emails, isVisible: true, platform: 'earth_engine' } as const;
      const id = await moves.eoAccount(from('21'), { ...account, ownerId: 7 });
      const stored = { ...account, id, isActive: true, visibleTo: 'owner', ownerId: 7, hasKey: false };
      expect(await eoAccounts.byId(id)).toMatchObject(stored);
      await eoAccounts.change(id, { visibleTo: 'all', ownerId: null, isActive: false });
      const given = { visibleTo: 'all', ownerId: null, isActive: false };
      expect(await moves.eoAccount(from('21', 'two'), { ...account, name: 'two', ownerId: 8 })).toBe(id);
      expect(await eoAccounts.byId(id)).toMatchObject({ ...stored, ...given, name: 'two' });
      await eoAccounts.remove(id);
      const again = await moves.eoAccount(from('21', 'three'), { ...account, ownerId: 8 });
      expect(await eoAccounts.list()).toMatchObject([{ ...stored, id: again, ownerId: 8 }]);
      const row = { sourceId: '21', targetId: String(again), digest: 'three', rights: {} };
      expect(await moves.moved(SOURCE, 'eoAccount')).toEqual([{ source: SOURCE, kind: 'eoAccount', ...row }]);
    });

    it('notes can also be stored for rows of other stores, such as layers', async () => {
      const { moves } = get();
      const row = { source: SOURCE, kind: 'layer', sourceId: '8', targetId: 'a:b', digest: 'x' } as const;
      await moves.note(row);
      await moves.note({ ...row, digest: 'y' });
      expect(await moves.moved(SOURCE, 'layer')).toEqual([{ ...row, digest: 'y', rights: {} }]);
    });
  });
}
