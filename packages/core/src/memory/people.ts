import { unknownOrganization } from '../accounts/unknown-organization.ts';
import type { Organization, PeopleStore, Person } from '../ports/people.ts';
import type { MemoryUsers } from './accounts.ts';
import { byText, copy } from './copy.ts';

/** People in memory, beside the users of the same stores. */
export function memoryPeople({ users, facts }: MemoryUsers): PeopleStore {
  const organizations = new Map<string, Organization>();
  const named = (name: string): Organization | undefined =>
    [...organizations.values()].find((each) => each.name.toLowerCase() === name.toLowerCase());
  const personOf = (id: number): Person | undefined => {
    const [user, fact] = [users.get(id), facts.get(id)];
    if (user === undefined || fact === undefined) return undefined;
    const { profile, organizationId } = fact;
    const organization = organizationId === null ? undefined : organizations.get(organizationId);
    return copy({ user, profile, organization: organization ?? null });
  };
  return {
    organizations: async () => copy([...organizations.values()].sort((a, b) => byText(a.name, b.name))),
    organization: async (id) => copy(organizations.get(id.toLowerCase())),
    organizationNamed: async (name) => {
      const known = named(name);
      if (known !== undefined) return copy(known);
      const made = { id: globalThis.crypto.randomUUID(), name };
      organizations.set(made.id, made);
      return copy(made);
    },
    person: async (id) => personOf(id),
    people: async () => [...users.keys()].flatMap((id) => personOf(id) ?? []),
    change: async (id, { profile, organizationId, ...change }) => {
      const [user, fact] = [users.get(id), facts.get(id)];
      if (user === undefined || fact === undefined) return undefined;
      if (typeof organizationId === 'string' && !organizations.has(organizationId)) throw unknownOrganization();
      users.set(id, { ...user, ...change });
      facts.set(id, {
        profile: { ...fact.profile, ...profile },
        organizationId: organizationId === undefined ? fact.organizationId : organizationId,
      });
      return personOf(id);
    },
  };
}
