import { describe, expect, it } from 'vitest';
import { ORGANIZATION_ADMIN, type User } from '@headwater/http-service/testing';
import type { Get } from './sample.ts';
import { ACTIVITY_STEPS, newUser } from './sample.ts';

const EMPTY_PROFILE = { age: null, educationQualification: null, gender: null, accountType: null };
const NO_TEAMS = { groups: [], projects: [] };
const UNKNOWN_ID = '0190a000-0000-7000-8000-000000000009';

function withoutPasswordHash(user: User): Omit<User, 'passwordHash'> {
  const { passwordHash: _, ...rest } = user;
  return rest;
}

/** Test cases of profiles and organisations of users. */
export function peopleCases(get: Get): void {
  describe('people', () => {
    it('returns the stored profile and organisation of a user, or nulls', async () => {
      const { users, people } = get();
      const organization = await people.organizationNamed('Sample Trust', false);
      const profile = { age: 34, educationQualification: 'M.Sc.', gender: 'F', accountType: 'org' } as const;
      const one = await users.create(newUser('one', { profile, organizationId: organization.id }));
      const two = await users.create(newUser('two', { mayCompute: false }));
      expect(await people.person(one.id)).toEqual({
        user: withoutPasswordHash(one),
        profile,
        organization,
        requestedOrganization: null,
        ...NO_TEAMS,
      });
      expect(await people.person(two.id)).toEqual({
        user: withoutPasswordHash(two),
        profile: EMPTY_PROFILE,
        organization: null,
        requestedOrganization: null,
        ...NO_TEAMS,
      });
      expect(two.mayCompute).toBe(false);
      expect((await people.people()).map(({ user }) => user)).toEqual([
        withoutPasswordHash(one),
        withoutPasswordHash(two),
      ]);
      expect(await people.person(two.id + 1)).toBeUndefined();
    });

    it('keeps the organisation that a user wants to join until the user joins an organisation, or until the wanted organisation is removed', async () => {
      const { users, people } = get();
      const [ours, theirs] = [
        await people.organizationNamed('Ours', true),
        await people.organizationNamed('Theirs', false),
      ];
      const request = { requestedOrganizationId: ours.id };
      const [one, two] = [await users.create(newUser('one', request)), await users.create(newUser('two', request))];
      const other = await users.create(newUser('three', { organizationId: theirs.id }));
      const requested = { organization: null, requestedOrganization: ours };
      expect(await people.person(one.id)).toMatchObject(requested);
      const idsOf = async (organizationId: string): Promise<unknown> =>
        (await people.people({ organizationId })).map(({ user }) => user.id);
      expect([await idsOf(ours.id), await idsOf(theirs.id)]).toEqual([[one.id, two.id], [other.id]]);
      expect(await people.change(one.id, { firstName: 'One' })).toMatchObject(requested);
      const joined = { organization: ours, requestedOrganization: null };
      expect(await people.change(one.id, { organizationId: ours.id })).toMatchObject(joined);
      expect(await people.removeOrganization(ours.id)).toBe(true);
      const none = { organization: null, requestedOrganization: null };
      for (const { id } of [one, two]) expect(await people.person(id)).toMatchObject(none);
      await expect(users.create(newUser('four', { requestedOrganizationId: UNKNOWN_ID }))).rejects.toMatchObject({
        code: 'validation',
        fields: { organization: [{ rule: 'unknown' }] },
      });
    });

    it('keeps the organisation of a user if the wanted one is removed, and the wanted one if that of the user is removed', async () => {
      const { users, people, teams } = get();
      const [ours, theirs, others] = [
        await people.organizationNamed('Ours', true),
        await people.organizationNamed('Theirs', true),
        await people.organizationNamed('Others', true),
      ];
      const both = { organizationId: ours.id, requestedOrganizationId: theirs.id };
      const { id } = await users.create(newUser('one', both));
      await teams.joinGroup(id, ORGANIZATION_ADMIN);
      expect(await people.removeOrganization(theirs.id)).toBe(true);
      expect(await people.person(id)).toMatchObject({
        organization: ours,
        requestedOrganization: null,
        groups: [{ id: ORGANIZATION_ADMIN }],
      });
      const { id: second } = await users.create(newUser('two', { ...both, requestedOrganizationId: others.id }));
      expect(await people.removeOrganization(ours.id)).toBe(true);
      expect(await people.person(second)).toMatchObject({ organization: null, requestedOrganization: others });
    });

    it('has one organisation per name, regardless of upper and lower case, even if it is created several times at the same moment', async () => {
      const { people } = get();
      const created = await Promise.all(Array.from({ length: 8 }, () => people.organizationNamed('Jal Samiti', false)));
      expect(new Set(created.map(({ id }) => id)).size).toBe(1);
      expect(await people.organizationNamed('jal samiti', false)).toEqual(created[0]);
      const other = await people.organizationNamed('Another', false);
      expect(await people.organizations({ onlyListed: false })).toEqual([other, created[0]]);
      expect(await people.organization(other.id)).toEqual(other);
      for (const id of [UNKNOWN_ID, 'x', '', `${other.id}'`]) expect(await people.organization(id)).toBeUndefined();
    });

    it('changes only the given fields of the user, and no other user', async () => {
      const { users, people } = get();
      const { id: organizationId, ...rest } = await people.organizationNamed('Sample Trust', false);
      const one = await users.create(newUser('one', { mayCompute: false, profile: { age: 34 } }));
      const two = await users.create(newUser('two'));
      expect(await people.change(one.id, {})).toMatchObject({ user: withoutPasswordHash(one) });
      const changed = await people.change(one.id, { email: 'x@example.org', mayCompute: true, organizationId });
      expect(changed).toEqual({
        user: { ...withoutPasswordHash(one), email: 'x@example.org', mayCompute: true },
        profile: { ...EMPTY_PROFILE, age: 34 },
        organization: { id: organizationId, ...rest },
        requestedOrganization: null,
        ...NO_TEAMS,
      });
      expect(await people.change(one.id, { organizationId: null, profile: { gender: 'O', age: null } })).toMatchObject({
        profile: { ...EMPTY_PROFILE, gender: 'O' },
        organization: null,
      });
      expect(await users.byId(two.id)).toEqual(two);
      expect(await people.change(two.id + 1, { email: 'x@example.org' })).toBeUndefined();
    });

    it('changes no user if the sessions of the caller have ended or are ended at the same moment', async () => {
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

    it('refuses an unknown organisation, and changes nothing', async () => {
      const { users, people } = get();
      const one = await users.create(newUser('one'));
      await expect(people.change(one.id, { email: 'x@example.org', organizationId: UNKNOWN_ID })).rejects.toMatchObject(
        {
          code: 'validation',
          fields: { organization: [{ rule: 'unknown' }] },
        },
      );
      expect((await people.person(one.id))?.user).toEqual(withoutPasswordHash(one));
    });

    it('refuses a user whose organisation is unknown; no user has an organisation that is removed at the same moment', async () => {
      const { users, people } = get();
      const unknown = { code: 'validation', fields: { organization: [{ rule: 'unknown' }] } };
      await expect(users.create(newUser('one', { organizationId: UNKNOWN_ID }))).rejects.toMatchObject(unknown);
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

    it('activates or deactivates a user in one step with other changes; if a change is refused, nothing changes', async () => {
      const { users, people } = get();
      const one = await users.create(newUser('one'));
      const off = { firstName: 'Asha', isActive: false };
      await expect(people.change(one.id, { ...off, organizationId: UNKNOWN_ID })).rejects.toMatchObject({
        code: 'validation',
      });
      expect(await users.byId(one.id)).toEqual(one);
      for (const [isActive, sessionVersion] of ACTIVITY_STEPS) {
        const changed = await people.change(one.id, { ...off, isActive });
        expect(changed?.user).toEqual({ ...withoutPasswordHash(one), firstName: 'Asha', isActive, sessionVersion });
      }
    });

    it('lists the users of one organisation, page by page', async () => {
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
      const idsOf = async (wanted: Parameters<typeof people.people>[0]): Promise<unknown> =>
        (await people.people(wanted)).map(({ user }) => user.id);
      expect(await idsOf({ organizationId: ours.id })).toEqual([one, three]);
      expect(await idsOf({ organizationId: ours.id, limit: 1, offset: 1 })).toEqual([three]);
      expect(await idsOf({ limit: 2, offset: 1 })).toEqual([two, three]);
      expect(await idsOf({ offset: 3 })).toEqual([four]);
      for (const organizationId of [UNKNOWN_ID, 'x', '']) expect(await idsOf({ organizationId })).toEqual([]);
      expect(JSON.stringify(await people.people())).not.toContain('scrypt');
    });

    it('lists an organisation publicly after it was approved, in the approved spelling', async () => {
      const { people } = get();
      const listed = async (): Promise<unknown> => await people.organizations({ onlyListed: true });
      const quiet = await people.organizationNamed('jAL sAMITI', false);
      expect([quiet.isListed, await listed()]).toEqual([false, []]);
      const approved = { id: quiet.id, name: 'Jal Samiti', isListed: true };
      expect(await people.organizationNamed('Jal Samiti', true)).toEqual(approved);
      for (const isListed of [true, false]) {
        expect(await people.organizationNamed('JAL SAMITI', isListed)).toEqual(approved);
      }
      const other = await people.organizationNamed('Another', true);
      expect(await listed()).toEqual([other, approved]);
      expect(await people.organizations({ onlyListed: true, limit: 1, offset: 1 })).toEqual([approved]);
      expect(await people.listOrganization(other.id, false)).toEqual({ ...other, isListed: false });
      expect(await listed()).toEqual([approved]);
      for (const id of [UNKNOWN_ID, 'x', '']) expect(await people.listOrganization(id, true)).toBeUndefined();
    });

    it('removing an organisation also ends the membership of its members and projects, and the role of its admins', async () => {
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
      for (const id of [ours.id, UNKNOWN_ID, 'x', '']) expect(await people.removeOrganization(id)).toBe(false);
    });
  });
}
