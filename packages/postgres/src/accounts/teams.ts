import { isDomainError } from '@headwater/core';
import {
  teamPartNotFound,
  groupOf,
  type Project,
  type ProjectMember,
  projectTaken,
  type TeamStore,
} from '@headwater/identity';
import type { Database, Sql } from '../database.ts';
import { isInt4, storable, textKey } from '../guards.ts';
import { lockOrganization } from './people.ts';

const PROJECT = 'id, name, organization_id as "organizationId"';

const CREATE_PROJECT = `insert into headwater.projects (name, name_key, organization_id) values ($1, $2, $3::uuid)
  on conflict (name_key) do nothing returning ${PROJECT}`;

const JOIN_GROUP =
  'insert into headwater.user_groups (user_id, group_id) values ($1, $2) on conflict (user_id, group_id) do nothing';

const MEMBERS = `select m.id, m.project_id as "projectId", m.user_id as "userId", u.username, m.group_id as "groupId"
  from headwater.project_members as m join headwater.users as u on u.id = m.user_id`;

const SET_MEMBER = `insert into headwater.project_members (project_id, user_id, group_id) values ($1, $2, $3)
  on conflict (project_id, user_id) do update set group_id = excluded.group_id`;

/** Groups and projects in PostgreSQL. */
export function teamStore(database: Database): TeamStore {
  return {
    joinGroup: async (userId, groupId) =>
      await database.tx(async (sql) => {
        await refuseAbsent(sql, { user: userId });
        await sql.run(JOIN_GROUP, [userId, groupOf(groupId).id]);
      }),
    leaveGroup: async (userId, groupId) => {
      if (!isInt4(userId) || !isInt4(groupId)) return;
      await database.run('delete from headwater.user_groups where user_id = $1 and group_id = $2', [userId, groupId]);
    },
    createProject: async (project) => await createProject(database, project),
    projects: async () => await database.rows<Project>(`select ${PROJECT} from headwater.projects order by id`),
    project: async (id) =>
      isInt4(id)
        ? await database.first<Project>(`select ${PROJECT} from headwater.projects where id = $1`, [id])
        : undefined,
    renameProject: async (id, name) => (isInt4(id) ? await renameProject(database, { id, name }) : undefined),
    removeProject: async (id) =>
      // `on delete cascade` removes the memberships.
      isInt4(id) && (await database.run('delete from headwater.projects where id = $1', [id])) === 1,
    members: async (projectId) => {
      if (!isInt4(projectId)) return [];
      return (await database.rows<MemberRow>(`${MEMBERS} where m.project_id = $1 order by m.id`, [projectId])).map(
        shown,
      );
    },
    setMember: async (projectId, { userId, groupId }) =>
      await database.tx(async (sql) => {
        await refuseAbsent(sql, { project: projectId, user: userId });
        await sql.run(SET_MEMBER, [projectId, userId, groupOf(groupId).id]);
        const row = await sql.first<MemberRow>(`${MEMBERS} where m.project_id = $1 and m.user_id = $2`, [
          projectId,
          userId,
        ]);
        if (row === undefined) throw new Error('insert returned no row');
        return shown(row);
      }),
    removeMember: async (projectId, memberId) => {
      if (!isInt4(projectId) || !isInt4(memberId)) return false;
      const REMOVE = 'delete from headwater.project_members where project_id = $1 and id = $2';
      return (await database.run(REMOVE, [projectId, memberId])) === 1;
    },
  };
}

interface MemberRow extends Omit<ProjectMember, 'group'> {
  readonly groupId: number;
}

function shown({ groupId, ...member }: MemberRow): ProjectMember {
  return { ...member, group: groupOf(groupId) };
}

const TABLES = { project: 'projects', user: 'users' } as const;

/** Locks rows until the end of the transaction; throws for the first missing row. */
export async function refuseAbsent(sql: Sql, ids: Partial<Record<keyof typeof TABLES, number>>): Promise<void> {
  for (const kind of ['project', 'user'] as const) {
    const id = ids[kind];
    if (id === undefined) continue;
    const found = isInt4(id)
      ? await sql.first(`select id from headwater.${TABLES[kind]} where id = $1 for key share`, [id])
      : undefined;
    if (found === undefined) throw teamPartNotFound(kind, id);
  }
}

async function createProject(database: Database, { name, organizationId }: Omit<Project, 'id'>): Promise<Project> {
  return await database.tx(async (sql) => {
    if (organizationId !== null) await lockOrganization(sql, organizationId);
    const values = [storable('name', name), textKey(name.toLowerCase()), organizationId];
    const created = await sql.first<Project>(CREATE_PROJECT, values);
    if (created === undefined) throw projectTaken();
    return created;
  });
}

const RENAME_PROJECT = `update headwater.projects set name = $2, name_key = $3 where id = $1 returning ${PROJECT}`;

async function renameProject(
  database: Database,
  { id, name }: Pick<Project, 'id' | 'name'>,
): Promise<Project | undefined> {
  const values = [id, storable('name', name), textKey(name.toLowerCase())];
  try {
    return await database.first<Project>(RENAME_PROJECT, values);
  } catch (error) {
    if (isDomainError(error) && error.code === 'conflict') throw projectTaken();
    throw error;
  }
}
