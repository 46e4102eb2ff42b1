import { describe, expect, it } from 'vitest';
import { ORGANIZATION_ADMIN, type User } from '@headwater/identity';
import type { Get } from './sample.ts';
import { ACTIVITY_STEPS, newUser } from './sample.ts';

const NOTHING = { age: null, educationQualification: null, gender: null, accountType: null };
const ALONE = { groups: [], projects: [] };
const NOBODY = '0190a000-0000-7000-8000-000000000009';

/** What people are shown of a user. */
function shown(user: User): Omit<User, 'passwordHash'> {
  const { passwordHash: _, ...rest } = user;
  return rest;
}

/** Users as people: profiles and organisations. */
export function peopleCases(get: Get): void {
  describe('people', () => {
    it('tells of a user what was stored with him, and nothing where nothing was', async () => {
      const { users, people } = get();
      const organization = await people.organizationNamed('Sample Trust', false);
      const profile = { age: 34, educationQualification: 'M.Sc.', gender: 'F', accountType: 'org' } as const;
      const one = await users.create(newUser('one', { profile, organizationId: organization.id }));
      const two = await users.create(newUser('two', { mayCompute: false }));
      expect(await people.person(one.id)).toEqual({ user: shown(one), profile, organization, ...ALONE });
      expect(await people.person(two.id)).toEqual({ user: shown(two), profile: NOTHING, organization: null, ...ALONE });
      expect(two.mayCompute).toBe(false);
      expect((await people.people()).map(({ user }) => user)).toEqual([shown(one), shown(two)]);
      expect(await people.person(two.id + 1)).toBeUndefined();
    });

    it('has one organisation of a name, whatever its letters, also where several make it at once', async () => {
      const { people } = get();
      const made = await Promise.all(Array.from({ length: 8 }, () => people.organizationNamed('Jal Samiti', false)));
      expect(new Set(made.map(({ id }) => id)).size).toBe(1);
      expect(await people.organizationNamed('jal samiti', false)).toEqual(made[0]);
      const other = await people.organizationNamed('Another', false);
      expect(await people.organizations({ onlyListed: false })).toEqual([other, made[0]]);
      expect(await people.organization(other.id)).toEqual(other);
      for (const id of [NOBODY, 'x', '', `${other.id}'`]) expect(await people.organization(id)).toBeUndefined();
    });

    it('changes what is given of a person, and nothing else of anybody', async () => {
      const { users, people } = get();
      const { id: organizationId, ...rest } = await people.organizationNamed('Sample Trust', false);
      const one = await users.create(newUser('one', { mayCompute: false, profile: { age: 34 } }));
      const two = await users.create(newUser('two'));
      expect(await people.change(one.id, {})).toMatchObject({ user: shown(one) });
      const changed = await people.change(one.id, { email: 'x@example.org', mayCompute: true, organizationId });
      expect(changed).toEqual({
        user: { ...shown(one), email: 'x@example.org', mayCompute: true },
        profile: { ...NOTHING, age: 34 },
        organization: { id: organizationId, ...rest },
        ...ALONE,
      });
      expect(await people.change(one.id, { organizationId: null, profile: { gender: 'O', age: null } })).toMatchObject({
        profile: { ...NOTHING, gender: 'O' },
        organization: null,
      });
      expect(await users.byId(two.id)).toEqual(two);
      expect(await people.change(two.id + 1, { email: 'x@example.org' })).toBeUndefined();
    });

    it('changes nothing for a caller whose sessions have ended, also at the same moment', async () => {
      const { users, people } = get();
      const stale = { code: 'token_not_valid' };
      const [one, root] = [await users.create(newUser('one')), await users.create(newUser('root'))];
      expect((await people.change(one.id, { email: 'x@example.org' }, root))?.user.email).toBe('x@example.org');
      await users.setPassword(root.id, 'scrypt$2$own');
      await expect(people.change(one.id, { email: 'thief@example.org' }, root)).rejects.toMatchObject(stale);
      await expect(people.change(root.id, { email: 'thief@example.org' }, root)).rejects.toMatchObject(stale);
      expect((await users.byId(one.id))?.email).toBe('x@example.org');
      expect((await users.byId(root.id))?.email).toBe(root.email);
      const [left, right] = [await users.create(newUser('left')), await users.create(newUser('right'))];
      const outcomes = await Promise.allSettled([
        people.change(left.id, { isActive: false }, right),
        people.change(right.id, { isActive: false }, left),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect((await people.people()).filter(({ user }) => !user.isActive)).toHaveLength(1);
    });

    it('refuses an organisation that is not stored, and changes nothing', async () => {
      const { users, people } = get();
      const one = await users.create(newUser('one'));
      await expect(people.change(one.id, { email: 'x@example.org', organizationId: NOBODY })).rejects.toMatchObject({
        code: 'validation',
        fields: { organization: [{ rule: 'unknown' }] },
      });
      expect((await people.person(one.id))?.user).toEqual(shown(one));
    });

    it('refuses a user of an organisation that is not stored, or is removed at the same moment', async () => {
      const { users, people } = get();
      const unknown = { code: 'validation', fields: { organization: [{ rule: 'unknown' }] } };
      await expect(users.create(newUser('one', { organizationId: NOBODY }))).rejects.toMatchObject(unknown);
      expect(await users.count()).toBe(0);
      const mover = await users.create(newUser('mover'));
      for (let round = 0; round < 5; round += 1) {
        const { id: organizationId } = await people.organizationNamed(`Trust ${round}`, false);
        const names = Array.from({ length: 6 }, (_, at) => `user-${round}-${at}`);
        const create = (name: string): Promise<unknown> => users.create(newUser(name, { organizationId }));
        const outcomes = await Promise.allSettled([
          ...names.slice(0, 3).map(create),
          people.change(mover.id, { organizationId }),
          people.removeOrganization(organizationId),
          ...names.slice(3).map(create),
          people.change(mover.id, { organizationId, firstName: 'Moved' }),
        ]);
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(unknown);
        }
        expect(await people.organization(organizationId)).toBeUndefined();
      }
      expect((await people.people()).filter(({ organization }) => organization !== null)).toEqual([]);
    });

    it('disables and enables with whatever else changes, or changes nothing at all', async () => {
      const { users, people } = get();
      const one = await users.create(newUser('one'));
      const off = { firstName: 'Asha', isActive: false };
      await expect(people.change(one.id, { ...off, organizationId: NOBODY })).rejects.toMatchObject({
        code: 'validation',
      });
      expect(await users.byId(one.id)).toEqual(one);
      for (const [isActive, sessionVersion] of ACTIVITY_STEPS) {
        const changed = await people.change(one.id, { ...off, isActive });
        expect(changed?.user).toEqual({ ...shown(one), firstName: 'Asha', isActive, sessionVersion });
      }
    });

    it('tells of the people of one organisation, part by part', async () => {
      const { users, people } = get();
      const [ours, theirs] = [
        await people.organizationNamed('Ours', true),
        await people.organizationNamed('Theirs', true),
      ];
      const ids: number[] = [];
      for (const [name, organizationId] of [
        ['one', ours.id],
        ['two', theirs.id],
        ['three', ours.id],
        ['four', null],
      ] as const) {
        ids.push((await users.create(newUser(name, { organizationId }))).id);
      }
      const [one, two, three, four] = ids;
      const told = async (wanted: Parameters<typeof people.people>[0]): Promise<unknown> =>
        (await people.people(wanted)).map(({ user }) => user.id);
      expect(await told({ organizationId: ours.id })).toEqual([one, three]);
      expect(await told({ organizationId: ours.id, limit: 1, offset: 1 })).toEqual([three]);
      expect(await told({ limit: 2, offset: 1 })).toEqual([two, three]);
      expect(await told({ offset: 3 })).toEqual([four]);
      for (const organizationId of [NOBODY, 'x', '']) expect(await told({ organizationId })).toEqual([]);
      expect(JSON.stringify(await people.people())).not.toContain('scrypt');
    });

    it('lists organisations for strangers once somebody says so, spelled as he says', async () => {
      const { people } = get();
      const listed = async (): Promise<unknown> => await people.organizations({ onlyListed: true });
      const quiet = await people.organizationNamed('jAL sAMITI', false);
      expect([quiet.isListed, await listed()]).toEqual([false, []]);
      const said = { id: quiet.id, name: 'Jal Samiti', isListed: true };
      expect(await people.organizationNamed('Jal Samiti', true)).toEqual(said);
      for (const isListed of [true, false]) {
        expect(await people.organizationNamed('JAL SAMITI', isListed)).toEqual(said);
      }
      const other = await people.organizationNamed('Another', true);
      expect(await listed()).toEqual([other, said]);
      expect(await people.organizations({ onlyListed: true, limit: 1, offset: 1 })).toEqual([said]);
      expect(await people.listOrganization(other.id, false)).toEqual({ ...other, isListed: false });
      expect(await listed()).toEqual([said]);
      for (const id of [NOBODY, 'x', '']) expect(await people.listOrganization(id, true)).toBeUndefined();
    });

    it('removes an organisation: nobody works for it, administers it or has its projects any more', async () => {
      const { users, people, teams } = get();
      const [ours, theirs] = [
        await people.organizationNamed('Ours', true),
        await people.organizationNamed('Theirs', true),
      ];
      const one = await users.create(newUser('one', { organizationId: ours.id }));
      const two = await users.create(newUser('two', { organizationId: theirs.id }));
      for (const { id } of [one, two]) await teams.joinGroup(id, ORGANIZATION_ADMIN);
      const project = await teams.createProject({ name: 'Ponds', organizationId: ours.id });
      expect(await people.removeOrganization(ours.id)).toBe(true);
      expect(await people.person(one.id)).toMatchObject({ organization: null, groups: [], projects: [] });
      expect(await people.person(two.id)).toMatchObject({ organization: theirs, groups: [{ id: ORGANIZATION_ADMIN }] });
      expect(await teams.project(project.id)).toEqual({ ...project, organizationId: null });
      expect(await people.organizations({ onlyListed: false })).toEqual([theirs]);
      for (const id of [ours.id, NOBODY, 'x', '']) expect(await people.removeOrganization(id)).toBe(false);
    });
  });
}
