import { invalidField } from '@headwater/core';
import { isStorable } from '@headwater/core/values';
import { ORGANIZATION_ADMIN } from '../accounts/groups.ts';
import { organizationTaken, unknownOrganization } from '../accounts/registration.ts';
import type { ListPart, Organization, PeopleStore, Person } from '../ports/people.ts';
import type { Project } from '../ports/teams.ts';
import { groupsOf, leaveGroup, type MemoryTeams } from './teams.ts';
import { type MemoryUsers, refuseEnded, type UserFacts } from './accounts.ts';
import { byText, copy } from '@headwater/core/memory';

/** People store in memory, over the users of the other memory stores. */
export function memoryPeople(
  { users, facts }: MemoryUsers,
  teams: MemoryTeams,
  organizations: Map<string, Organization>,
): PeopleStore {
  const personOf = (id: number): Person | undefined => {
    const [user, fact] = [users.get(id), facts.get(id)];
    if (user === undefined || fact === undefined) return undefined;
    const { profile, organizationId, requestedOrganizationId } = fact;
    const [organization = null, requestedOrganization = null] = [organizationId, requestedOrganizationId].map((each) =>
      each === null ? undefined : organizations.get(each),
    );
    const groups = groupsOf(teams, id);
    const isAdmin = organizationId !== null && groups.some((group) => group.id === ORGANIZATION_ADMIN);
    const isMember = (project: Project): boolean =>
      [...teams.members.values()].some((member) => member.userId === id && member.projectId === project.id);
    const projects = [...teams.projects.values()]
      .filter((project) => isMember(project) || (isAdmin && project.organizationId === organizationId))
      .map(({ id: projectId, name }) => ({ id: projectId, name }));
    const { passwordHash: _, ...shown } = user;
    return copy({ user: shown, profile, organization, requestedOrganization, groups, projects });
  };
  const move = (id: number, organizationId: string | null): void => {
    const fact = facts.get(id);
    if (fact === undefined) return;
    facts.set(id, { ...fact, organizationId, requestedOrganizationId: null });
    if (fact.organizationId === organizationId) return;
    leaveGroup(teams, id, ORGANIZATION_ADMIN);
  };
  return {
    ...memoryOrganizations(organizations),
    removeOrganization: async (wanted) => {
      const id = wanted.toLowerCase();
      if (!organizations.delete(id)) return false;
      const unlessRemoved = (each: string | null): string | null => (each === id ? null : each);
      for (const [userId, fact] of facts) {
        const { organizationId, requestedOrganizationId } = fact;
        if (organizationId === id) leaveGroup(teams, userId, ORGANIZATION_ADMIN);
        // Both ids are compared, because a user may belong to one organisation and want to join another.
        facts.set(userId, {
          ...fact,
          organizationId: unlessRemoved(organizationId),
          requestedOrganizationId: unlessRemoved(requestedOrganizationId),
        });
      }
      for (const project of teams.projects.values()) {
        if (project.organizationId === id) teams.projects.set(project.id, { ...project, organizationId: null });
      }
      return true;
    },
    person: async (id) => personOf(id),
    people: async ({ organizationId, ...part } = {}) => {
      const ids = [...users.keys()].filter((id) => organizationId === undefined || isOf(facts.get(id), organizationId));
      return partOf(ids, part).flatMap((id) => personOf(id) ?? []);
    },
    change: async (id, { profile, organizationId, isActive, ...change }, by) => {
      refuseEnded(users, by);
      const [user, fact] = [users.get(id), facts.get(id)];
      if (user === undefined || fact === undefined) return undefined;
      if (typeof organizationId === 'string' && !organizations.has(organizationId)) throw unknownOrganization();
      const sessionVersion = user.sessionVersion + (user.isActive && isActive === false ? 1 : 0);
      users.set(id, { ...user, ...change, isActive: isActive ?? user.isActive, sessionVersion });
      facts.set(id, { ...fact, profile: { ...fact.profile, ...profile } });
      if (organizationId !== undefined) move(id, organizationId);
      return personOf(id);
    },
  };
}

function memoryOrganizations(
  organizations: Map<string, Organization>,
): Omit<PeopleStore, 'removeOrganization' | 'person' | 'people' | 'change'> {
  const named = (name: string): Organization | undefined =>
    [...organizations.values()].find((each) => each.name.toLowerCase() === name.toLowerCase());
  const store = (organization: Organization): Organization => {
    organizations.set(organization.id, organization);
    return copy(organization);
  };
  return {
    organizations: async ({ onlyListed, ...part }) => {
      const all = [...organizations.values()].filter(({ isListed }) => isListed || !onlyListed);
      const sorted = all.toSorted((a, b) => byText(a.name, b.name));
      return copy(partOf(sorted, part));
    },
    organization: async (id) => copy(organizations.get(id.toLowerCase())),
    organizationNamed: async (name, isListed) => {
      const known = named(name);
      if (known === undefined) return store({ id: globalThis.crypto.randomUUID(), name, isListed });
      return isListed && !known.isListed ? store({ ...known, name, isListed }) : copy(known);
    },
    addOrganization: async (name, isListed) => {
      refuseUnstorable(name);
      if (named(name) !== undefined) throw organizationTaken();
      return store({ id: globalThis.crypto.randomUUID(), name, isListed });
    },
    changeOrganization: async (wanted, { name, isListed }) => {
      const known = organizations.get(wanted.toLowerCase());
      if (known === undefined) return undefined;
      refuseUnstorable(name);
      if ((named(name) ?? known) !== known) throw organizationTaken();
      return store({ ...known, name, isListed });
    },
    listOrganization: async (wanted, isListed) => {
      const known = organizations.get(wanted.toLowerCase());
      return known === undefined ? undefined : store({ ...known, isListed });
    },
  };
}

function refuseUnstorable(name: string): void {
  if (!isStorable(name))
    throw invalidField('name', 'cannot be stored: remove NUL and unpaired surrogates.', 'not_text');
}

function isOf(fact: UserFacts | undefined, organizationId: string): boolean {
  return fact?.organizationId === organizationId || fact?.requestedOrganizationId === organizationId;
}

function partOf<T>(all: readonly T[], { limit = all.length, offset = 0 }: ListPart): readonly T[] {
  return all.slice(offset, offset + limit);
}
