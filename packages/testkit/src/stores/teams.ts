import { GROUPS, ORGANIZATION_ADMIN } from '@headwater/http-service/testing';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { newUser } from './sample.ts';

const absent = (kind: string) => ({ code: 'not_found', details: { kind } });

/** Test cases of groups and projects. */
export function teamCases(get: Get): void {
  describe('groups and projects', () => {
    it('adds a user to groups and removes the user, repeatedly', async () => {
      const { users, people, teams } = get();
      const { id } = await users.create(newUser('one'));
      for (const groupId of [3, ORGANIZATION_ADMIN, 3]) await teams.joinGroup(id, groupId);
      const groups = async (): Promise<unknown> => (await people.person(id))?.groups;
      expect(await groups()).toEqual(GROUPS.filter((group) => group.id !== 2));
      for (let at = 0; at < 2; at += 1) await teams.leaveGroup(id, ORGANIZATION_ADMIN);
      expect(await groups()).toEqual(GROUPS.filter((group) => group.id === 3));
      await expect(teams.joinGroup(id, 99)).rejects.toMatchObject(absent('group'));
      await expect(teams.joinGroup(id + 1, 3)).rejects.toMatchObject(absent('user'));
    });

    it('has projects with unique names, each with its members', async () => {
      const { users, people, teams } = get();
      const organization = await people.organizationNamed('Sample Trust', false);
      const [one, two] = [await users.create(newUser('one')), await users.create(newUser('two'))];
      const alone = await teams.createProject({ name: 'Alone', organizationId: null });
      const shared = await teams.createProject({ name: 'Shared', organizationId: organization.id });
      expect(await teams.projects()).toEqual([alone, shared]);
      expect(await teams.project(shared.id)).toEqual(shared);
      await expect(teams.createProject({ name: 'SHARED', organizationId: null })).rejects.toMatchObject({
        code: 'conflict',
        fields: { name: [{ rule: 'taken' }] },
      });
      const unknown = '0190a000-0000-7000-8000-000000000009';
      await expect(teams.createProject({ name: 'x', organizationId: unknown })).rejects.toMatchObject({
        code: 'validation',
      });
      const member = await teams.setMember(shared.id, { userId: one.id, groupId: 3 });
      const group = GROUPS.find(({ id }) => id === 3);
      expect(member).toEqual({ id: member.id, projectId: shared.id, userId: one.id, username: 'one', group });
      const changed = await teams.setMember(shared.id, { userId: one.id, groupId: 2 });
      expect(changed).toEqual({ ...member, group: GROUPS.find(({ id }) => id === 2) });
      const other = await teams.setMember(shared.id, { userId: two.id, groupId: 3 });
      expect(await teams.members(shared.id)).toEqual([changed, other]);
      expect((await people.person(one.id))?.projects).toEqual([{ id: shared.id, name: 'Shared' }]);
      expect(await teams.removeMember(alone.id, member.id)).toBe(false);
      expect(await teams.removeMember(shared.id, member.id)).toBe(true);
      expect(await teams.removeMember(shared.id, member.id)).toBe(false);
      expect((await people.person(one.id))?.projects).toEqual([]);
      await expect(teams.setMember(99, { userId: one.id, groupId: 3 })).rejects.toMatchObject(absent('project'));
      await expect(teams.setMember(shared.id, { userId: 99, groupId: 3 })).rejects.toMatchObject(absent('user'));
      await expect(teams.setMember(shared.id, { userId: one.id, groupId: 9 })).rejects.toMatchObject(absent('group'));
    });

    it('renames projects, and removes projects with their memberships', async () => {
      const { users, people, teams } = get();
      const one = await users.create(newUser('one'));
      const [ponds, wells] = [
        await teams.createProject({ name: 'Ponds', organizationId: null }),
        await teams.createProject({ name: 'Wells', organizationId: null }),
      ];
      await teams.setMember(wells.id, { userId: one.id, groupId: 3 });
      expect(await teams.renameProject(ponds.id, 'PONDS')).toEqual({ ...ponds, name: 'PONDS' });
      expect(await teams.renameProject(ponds.id, 'Lakes')).toEqual({ ...ponds, name: 'Lakes' });
      await expect(teams.renameProject(ponds.id, 'wells')).rejects.toMatchObject({
        code: 'conflict',
        fields: { name: [{ rule: 'taken' }] },
      });
      expect((await teams.projects()).map(({ name }) => name)).toEqual(['Lakes', 'Wells']);
      for (const id of [99, -1, 2 ** 40])
        expect([await teams.renameProject(id, 'x'), await teams.removeProject(id)]).toEqual([undefined, false]);
      expect([await teams.removeProject(wells.id), await teams.removeProject(wells.id)]).toEqual([true, false]);
      expect([await teams.members(wells.id), (await people.person(one.id))?.projects]).toEqual([[], []]);
      const next = await teams.createProject({ name: 'wells', organizationId: null });
      expect([ponds.id, wells.id]).not.toContain(next.id);
    });

    it('shows an admin of an organisation all projects of that organisation, and no others', async () => {
      const { users, people, teams } = get();
      const [ours, theirs] = [
        await people.organizationNamed('Ours', false),
        await people.organizationNamed('Theirs', false),
      ];
      const one = await users.create(newUser('one', { organizationId: ours.id }));
      const { id, name } = await teams.createProject({ name: 'A', organizationId: ours.id });
      await teams.createProject({ name: 'B', organizationId: theirs.id });
      await teams.createProject({ name: 'C', organizationId: null });
      const projects = async (): Promise<unknown> => (await people.person(one.id))?.projects;
      expect(await projects()).toEqual([]);
      await teams.joinGroup(one.id, ORGANIZATION_ADMIN);
      expect(await projects()).toEqual([{ id, name }]);
      await people.change(one.id, { organizationId: null });
      expect(await projects()).toEqual([]);
    });

    it('a user who leaves an organisation also leaves the group of organisation admins', async () => {
      const { users, people, teams } = get();
      const [ours, theirs] = [
        await people.organizationNamed('Ours', false),
        await people.organizationNamed('Theirs', false),
      ];
      const [one, two] = [
        await users.create(newUser('one', { organizationId: ours.id })),
        await users.create(newUser('two', { organizationId: ours.id })),
      ];
      for (const { id } of [one, two])
        for (const groupId of [ORGANIZATION_ADMIN, 3]) await teams.joinGroup(id, groupId);
      const groups = async ({ id }: typeof one): Promise<unknown> => (await people.person(id))?.groups.map((g) => g.id);
      await people.change(one.id, { organizationId: ours.id, firstName: 'Asha' });
      expect(await groups(one)).toEqual([ORGANIZATION_ADMIN, 3]);
      await people.change(one.id, { organizationId: theirs.id });
      expect([await groups(one), await groups(two)]).toEqual([[3], [ORGANIZATION_ADMIN, 3]]);
      await people.change(two.id, { organizationId: null });
      await people.change(two.id, { organizationId: ours.id });
      expect(await groups(two)).toEqual([3]);
    });
  });
}
