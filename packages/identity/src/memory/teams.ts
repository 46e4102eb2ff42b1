import { teamPartNotFound, groupOf, GROUPS, projectTaken } from '../accounts/groups.ts';
import { unknownOrganization } from '../accounts/registration.ts';
import type { Group, Project, ProjectMember, TeamStore } from '../ports/teams.ts';
import type { MemoryUsers } from './accounts.ts';
import { copy } from '@headwater/core/memory';

type Member = Pick<ProjectMember, 'id' | 'projectId' | 'userId'> & { readonly groupId: number };

/** Groups, projects and their members. */
export interface MemoryTeams {
  readonly joined: Map<number, ReadonlySet<number>>;
  readonly projects: Map<number, Project>;
  readonly members: Map<number, Member>;
  /** Highest project id that is assigned, or reserved for moved projects (`WantedId`). */
  lastProjectId: number;
  lastMemberId: number;
}

/** Groups of a user, sorted by id. */
export function groupsOf({ joined }: MemoryTeams, userId: number): readonly Group[] {
  return GROUPS.filter(({ id }) => joined.get(userId)?.has(id) === true);
}

/** Removes a user from a group; ignores a user who is no member. */
export function leaveGroup({ joined }: MemoryTeams, userId: number, groupId: number): void {
  joined.set(userId, new Set([...(joined.get(userId) ?? [])].filter((id) => id !== groupId)));
}

/** Groups and projects in memory. */
export function memoryTeams(
  { users }: MemoryUsers,
  teams: MemoryTeams,
  hasOrganization: (id: string) => boolean,
): TeamStore {
  const { joined, projects, members } = teams;
  const userInGroup = (userId: number, groupId: number): { readonly username: string; readonly group: Group } => {
    const user = users.get(userId);
    if (user === undefined) throw teamPartNotFound('user', userId);
    return { username: user.username, group: groupOf(groupId) };
  };
  const shown = ({ groupId, ...member }: Member): ProjectMember =>
    copy({ ...member, ...userInGroup(member.userId, groupId) });
  const named = (name: string): Project | undefined =>
    [...projects.values()].find((each) => each.name.toLowerCase() === name.toLowerCase());
  const groupIds = (userId: number): ReadonlySet<number> => joined.get(userId) ?? new Set();
  return {
    joinGroup: async (userId, groupId) => {
      userInGroup(userId, groupId);
      joined.set(userId, new Set([...groupIds(userId), groupId]));
    },
    leaveGroup: async (userId, groupId) => leaveGroup(teams, userId, groupId),
    createProject: async (wanted) => {
      const { organizationId } = wanted;
      if (organizationId !== null && !hasOrganization(organizationId)) throw unknownOrganization();
      if (named(wanted.name) !== undefined) throw projectTaken();
      const project = { ...copy(wanted), id: (teams.lastProjectId += 1) };
      projects.set(project.id, project);
      return copy(project);
    },
    projects: async () => copy([...projects.values()]),
    project: async (id) => copy(projects.get(id)),
    renameProject: async (id, name) => {
      const project = projects.get(id);
      if (project === undefined) return undefined;
      if ((named(name) ?? project).id !== id) throw projectTaken();
      projects.set(id, { ...project, name });
      return copy({ ...project, name });
    },
    removeProject: async (id) => {
      for (const member of members.values()) if (member.projectId === id) members.delete(member.id);
      return projects.delete(id);
    },
    members: async (projectId) => [...members.values()].filter((each) => each.projectId === projectId).map(shown),
    setMember: async (projectId, { userId, groupId }) => {
      if (!projects.has(projectId)) throw teamPartNotFound('project', projectId);
      userInGroup(userId, groupId);
      const before = [...members.values()].find((each) => each.projectId === projectId && each.userId === userId);
      const member = { id: before?.id ?? (teams.lastMemberId += 1), projectId, userId, groupId };
      members.set(member.id, member);
      return shown(member);
    },
    removeMember: async (projectId, memberId) =>
      members.get(memberId)?.projectId === projectId && members.delete(memberId),
  };
}
