import { ORGANIZATION_ADMIN } from '../accounts/groups.ts';
import { unknownOrganization } from '../accounts/unknown-organization.ts';
import type { Organization, PeopleStore, Person } from '../ports/people.ts';
import type { Project } from '../ports/teams.ts';
import { groupsOf, type MemoryTeams } from './teams.ts';
import type { MemoryUsers } from './accounts.ts';
import { byText, copy } from './copy.ts';

/** People in memory, beside the users of the same stores. */
export function memoryPeople(
  { users, facts }: MemoryUsers,
  teams: MemoryTeams,
  organizations: Map<string, Organization>,
): PeopleStore {
  const named = (name: string): Organization | undefined =>
    [...organizations.values()].find((each) => each.name.toLowerCase() === name.toLowerCase());
  const personOf = (id: number): Person | undefined => {
    const [user, fact] = [users.get(id), facts.get(id)];
    if (user === undefined || fact === undefined) return undefined;
    const { profile, organizationId } = fact;
    const organization = organizationId === null ? undefined : organizations.get(organizationId);
    const groups = groupsOf(teams, id);
    const isAdmin = organizationId !== null && groups.some((group) => group.id === ORGANIZATION_ADMIN);
    const isMember = (project: Project): boolean =>
      [...teams.members.values()].some((member) => member.userId === id && member.projectId === project.id);
    const projects = [...teams.projects.values()]
      .filter((project) => isMember(project) || (isAdmin && project.organizationId === organizationId))
      .map(({ id: projectId, name }) => ({ id: projectId, name }));
    return copy({ user, profile, organization: organization ?? null, groups, projects });
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
