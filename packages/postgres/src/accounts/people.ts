import {
  type Caller,
  GROUPS,
  type ListPart,
  ORGANIZATION_ADMIN,
  type Organization,
  type PeopleStore,
  type Person,
  type PersonChange,
  organizationTaken,
  unknownOrganization,
  type UserProfile,
} from '@headwater/identity';
import { isDomainError } from '@headwater/core';
import { isStorable } from '@headwater/core/values';
import type { Database, Sql } from '../database.ts';
import { isInt4, storable, textKey } from '../guards.ts';
import { refuseEnded, SHOWN_COLUMNS } from './users.ts';

const PROFILE = `age, education_qualification as "educationQualification", gender, account_type as "accountType"`;

const GROUPS_OF = 'array(select ug.group_id from headwater.user_groups as ug where ug.user_id = p.id)';

const PROJECTS_OF = `coalesce((select json_agg(json_build_object('id', j.id, 'name', j.name) order by j.id) from headwater.projects as j
  where exists (select from headwater.project_members as m where m.project_id = j.id and m.user_id = p.id)
    or (j.organization_id = p."organizationId" and exists (
      select from headwater.user_groups as ug where ug.user_id = p.id and ug.group_id = ${ORGANIZATION_ADMIN}))), '[]')`;

const PEOPLE = `select p.*, o.name as "organizationName", o.is_listed as "organizationIsListed", r.name as "requestedName",
    r.is_listed as "requestedIsListed", ${GROUPS_OF} as "groupIds",
    ${PROJECTS_OF} as projects
  from (select ${SHOWN_COLUMNS}, ${PROFILE}, organization_id as "organizationId",
    requested_organization_id as "requestedId" from headwater.users) as p
  left join headwater.organizations as o on o.id = p."organizationId"
  left join headwater.organizations as r on r.id = p."requestedId"`;

/** Members of organisation $1 and people who requested it; all people if $1 is null. If $2 is null: no limit. */
const LIST_PEOPLE = `${PEOPLE} where $1::uuid is null or p."organizationId" = $1::uuid or p."requestedId" = $1::uuid order by p.id limit $2::int offset $3::int`;

const ORGANIZATION = 'id, name, is_listed as "isListed"';

const LIST_ORGANIZATIONS = `select ${ORGANIZATION} from headwater.organizations where is_listed or not $1::boolean
  order by name collate "C", id limit $2::int offset $3::int`;

/**
 * Adds an organisation or finds it by its name. The name gets the spelling of the first caller. The first caller
 * with a true `is_listed` replaces this spelling.
 */
const MAKE_ORGANIZATION = `insert into headwater.organizations (name, name_key, is_listed) values ($1, $2, $3)
  on conflict (name_key) do update set is_listed = organizations.is_listed or excluded.is_listed,
    name = case when excluded.is_listed and not organizations.is_listed then excluded.name else organizations.name end
  returning ${ORGANIZATION}`;

const ADD_ORGANIZATION = `insert into headwater.organizations (name, name_key, is_listed) values ($1, $2, $3)
  on conflict (name_key) do nothing returning ${ORGANIZATION}`;

const CHANGE_ORGANIZATION = `update headwater.organizations set name = $2, name_key = $3, is_listed = $4 where id = $1::uuid
  returning ${ORGANIZATION}`;

const SET_LISTED = `update headwater.organizations set is_listed = $2 where id = $1::uuid returning ${ORGANIZATION}`;

const REMOVE_ADMINS = `delete from headwater.user_groups where group_id = ${ORGANIZATION_ADMIN}
  and user_id in (select id from headwater.users where organization_id = $1::uuid)`;

const REMOVE_ADMIN = `delete from headwater.user_groups where group_id = ${ORGANIZATION_ADMIN}
  and user_id in (select id from headwater.users where id = $1 and organization_id is distinct from $2::uuid)`;

const END_REQUESTS = `update headwater.users set requested_organization_id = null where requested_organization_id = $1::uuid`;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Users with profile, organisation and projects in PostgreSQL. */
export function peopleStore(database: Database): PeopleStore {
  return {
    organizations: async ({ onlyListed, ...part }) =>
      await database.rows<Organization>(LIST_ORGANIZATIONS, [onlyListed, ...partOf(part)]),
    organization: async (id) => await organization(database, id),
    organizationNamed: async (name, isListed) => {
      const values = [storable('organization', name), textKey(name.toLowerCase()), isListed];
      const saved = await database.first<Organization>(MAKE_ORGANIZATION, values);
      if (saved === undefined) throw new Error('insert returned no row');
      return saved;
    },
    addOrganization: async (name, isListed) => {
      const added = await database.first<Organization>(ADD_ORGANIZATION, [...nameValues(name), isListed]);
      if (added === undefined) throw organizationTaken();
      return added;
    },
    changeOrganization: async (id, { name, isListed }) => {
      const values = [id, ...nameValues(name), isListed];
      if (!isOrganizationId(id)) return undefined;
      try {
        return await database.first<Organization>(CHANGE_ORGANIZATION, values);
      } catch (error) {
        if (isDomainError(error) && error.code === 'conflict') throw organizationTaken();
        throw error;
      }
    },
    listOrganization: async (id, isListed) =>
      isOrganizationId(id) ? await database.first<Organization>(SET_LISTED, [id, isListed]) : undefined,
    removeOrganization: async (id) => isOrganizationId(id) && (await removeOrganization(database, id)),
    person: async (id) => await person(database, id),
    people: async ({ organizationId, ...part } = {}) => {
      if (organizationId !== undefined && !isOrganizationId(organizationId)) return [];
      const rows = await database.rows<PersonRow>(LIST_PEOPLE, [organizationId ?? null, ...partOf(part)]);
      return rows.map(personOf);
    },
    change: async (id, change, by) => await changePerson(database, { id, change, by }),
  };
}

const BY_ID = `select ${ORGANIZATION} from headwater.organizations where id = $1::uuid`;

async function organization(sql: Sql, id: string): Promise<Organization | undefined> {
  return isOrganizationId(id) ? await sql.first<Organization>(BY_ID, [id]) : undefined;
}

/** Locks an organisation until the end of the transaction; throws if it does not exist. */
export async function lockOrganization(sql: Sql, id: string): Promise<void> {
  const found = isOrganizationId(id) ? await sql.first(`${BY_ID} for key share`, [id]) : undefined;
  if (found === undefined) throw unknownOrganization();
}

/** True for a possible id of an organisation. */
export function isOrganizationId(id: string): boolean {
  return isStorable(id) && UUID.test(id);
}

function nameValues(name: string): readonly [name: string, key: string] {
  return [storable('name', name), textKey(name.toLowerCase())];
}

function partOf({ limit, offset = 0 }: ListPart): readonly [number | null, number] {
  return [limit ?? null, offset];
}

async function removeOrganization(database: Database, id: string): Promise<boolean> {
  return await database.tx(async (sql) => {
    // The organisation is locked first, so that no user is added meanwhile and no deadlock is possible.
    if ((await sql.first(`${BY_ID} for update`, [id])) === undefined) return false;
    await sql.run(REMOVE_ADMINS, [id]);
    for (const table of ['users', 'projects'] as const) {
      await sql.run(`update headwater.${table} set organization_id = null where organization_id = $1::uuid`, [id]);
    }
    await sql.run(END_REQUESTS, [id]);
    return (await sql.run('delete from headwater.organizations where id = $1::uuid', [id])) === 1;
  });
}

type ShownUser = Person['user'];

interface PersonRow extends ShownUser, UserProfile {
  readonly organizationId: string | null;
  readonly organizationName: string | null;
  readonly organizationIsListed: boolean | null;
  readonly requestedId: string | null;
  readonly requestedName: string | null;
  readonly requestedIsListed: boolean | null;
  readonly groupIds: readonly number[];
  readonly projects: Person['projects'];
}

async function person(sql: Sql, id: number): Promise<Person | undefined> {
  const row = isInt4(id) ? await sql.first<PersonRow>(`${PEOPLE} where p.id = $1`, [id]) : undefined;
  return row === undefined ? undefined : personOf(row);
}

function personOf({ groupIds, projects, ...row }: PersonRow): Person {
  const groups = GROUPS.filter((group) => groupIds.includes(group.id));
  const {
    organizationId,
    organizationName,
    organizationIsListed,
    requestedId,
    requestedName,
    requestedIsListed,
    ...rest
  } = row;
  const { age, educationQualification, gender, accountType, ...user } = rest;
  const profile = { age, educationQualification, gender, accountType };
  const organization = organizationOf(organizationId, organizationName, organizationIsListed);
  const requestedOrganization = organizationOf(requestedId, requestedName, requestedIsListed);
  return { user, profile, organization, requestedOrganization, groups, projects };
}

function organizationOf(id: string | null, name: string | null, isListed: boolean | null): Organization | null {
  return id === null || name === null || isListed === null ? null : { id, name, isListed };
}

interface Change {
  readonly id: number;
  readonly change: PersonChange;
  readonly by: Caller | undefined;
}

async function changePerson(database: Database, { id, change, by }: Change): Promise<Person | undefined> {
  if (!isInt4(id)) return undefined;
  return await database.tx(async (sql) => {
    const { organizationId } = change;
    if (typeof organizationId === 'string') await lockOrganization(sql, organizationId);
    await refuseEnded(sql, by, id);
    if (organizationId !== undefined) await sql.run(REMOVE_ADMIN, [id, organizationId]);
    const columns = columnsOf(change);
    if (columns.length > 0) {
      const sets = columns.map(([column], index) => `${column} = $${index + 2}`);
      // A higher session version ends the sessions of the disabled user.
      if (change.isActive === false) sets.push('session_version = session_version + is_active::int');
      const set = sets.join(', ');
      await sql.run(`update headwater.users set ${set} where id = $1`, [id, ...columns.map(([, value]) => value)]);
    }
    return await person(sql, id);
  });
}

type Column = readonly [name: string, value: string | number | boolean | null];

/** Columns of a change with their values. Throws `validation` for a text that PostgreSQL cannot store. */
function columnsOf({ profile = {}, organizationId, mayCompute, isActive, ...texts }: PersonChange): readonly Column[] {
  const columns: readonly (readonly [column: string, field: string, value: Column[1] | undefined])[] = [
    ['email', 'email', texts.email],
    ['first_name', 'firstName', texts.firstName],
    ['last_name', 'lastName', texts.lastName],
    ['contact_number', 'contactNumber', texts.contactNumber],
    ['may_compute', 'mayCompute', mayCompute],
    ['is_active', 'isActive', isActive],
    ['organization_id', 'organization', organizationId],
    ['requested_organization_id', 'organization', organizationId === undefined ? undefined : null],
    ['age', 'age', profile.age],
    ['education_qualification', 'educationQualification', profile.educationQualification],
    ['gender', 'gender', profile.gender],
    ['account_type', 'accountType', profile.accountType],
  ];
  return columns.flatMap(([column, field, value]): readonly Column[] => {
    if (value === undefined) return [];
    return [[column, typeof value === 'string' ? storable(field, value) : value]];
  });
}
