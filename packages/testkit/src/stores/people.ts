import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { newUser } from './sample.ts';

const NOTHING = { age: null, educationQualification: null, gender: null, accountType: null };
const ALONE = { groups: [], projects: [] };
const NOBODY = '0190a000-0000-7000-8000-000000000009';

/** Users as people: profiles and organisations. */
export function peopleCases(get: Get): void {
  describe('people', () => {
    it('tells of a user what was stored with him, and nothing where nothing was', async () => {
      const { users, people } = get();
      const organization = await people.organizationNamed('Sample Trust');
      const profile = { age: 34, educationQualification: 'M.Sc.', gender: 'F', accountType: 'org' } as const;
      const one = await users.create(newUser('one', { profile, organizationId: organization.id }));
      const two = await users.create(newUser('two', { mayCompute: false }));
      expect(await people.person(one.id)).toEqual({ user: one, profile, organization, ...ALONE });
      expect(await people.person(two.id)).toEqual({ user: two, profile: NOTHING, organization: null, ...ALONE });
      expect(two.mayCompute).toBe(false);
      expect((await people.people()).map(({ user }) => user)).toEqual([one, two]);
      expect(await people.person(two.id + 1)).toBeUndefined();
    });

    it('has one organisation of a name, whatever its letters, also where several make it at once', async () => {
      const { people } = get();
      const made = await Promise.all(Array.from({ length: 8 }, () => people.organizationNamed('Jal Samiti')));
      expect(new Set(made.map(({ id }) => id)).size).toBe(1);
      expect(await people.organizationNamed('jal samiti')).toEqual(made[0]);
      const other = await people.organizationNamed('Another');
      expect(await people.organizations()).toEqual([other, made[0]]);
      expect(await people.organization(other.id)).toEqual(other);
      for (const id of [NOBODY, 'x', '', `${other.id}'`]) expect(await people.organization(id)).toBeUndefined();
    });

    it('changes what is given of a person, and nothing else of anybody', async () => {
      const { users, people } = get();
      const { id: organizationId, ...rest } = await people.organizationNamed('Sample Trust');
      const one = await users.create(newUser('one', { mayCompute: false, profile: { age: 34 } }));
      const two = await users.create(newUser('two'));
      expect(await people.change(one.id, {})).toMatchObject({ user: one });
      const changed = await people.change(one.id, { email: 'x@example.org', mayCompute: true, organizationId });
      expect(changed).toEqual({
        user: { ...one, email: 'x@example.org', mayCompute: true },
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

    it('refuses an organisation that is not stored, and changes nothing', async () => {
      const { users, people } = get();
      const one = await users.create(newUser('one'));
      await expect(people.change(one.id, { email: 'x@example.org', organizationId: NOBODY })).rejects.toMatchObject({
        code: 'validation',
        fields: { organization: [{ rule: 'unknown' }] },
      });
      expect((await people.person(one.id))?.user).toEqual(one);
    });
  });
}
