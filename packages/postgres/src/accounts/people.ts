import {
  GROUPS,
  isStorable,
  ORGANIZATION_ADMIN,
  type Organization,
  type PeopleStore,
  type Person,
  type PersonChange,
  unknownOrganization,
  type User,
  type UserProfile,
} from '@headwater/core';
import type { Database, Sql } from '../database.ts';
import { isInt4, storable, textKey } from '../guards.ts';
import { USER_COLUMNS } from './users.ts';

const PROFILE = `age, education_qualification as "educationQualification", gender, account_type as "accountType"`;

const GROUPS_OF = 'array(select ug.group_id from headwater.user_groups as ug where ug.user_id = p.id)';

const PROJECTS_OF = `coalesce((select json_agg(json_build_object('id', j.id, 'name', j.name) order by j.id) from headwater.projects as j
  where exists (select from headwater.project_members as m where m.project_id = j.id and m.user_id = p.id)
    or (j.organization_id = p."organizationId" and exists (
      select from headwater.user_groups as ug where ug.user_id = p.id and ug.group_id = ${ORGANIZATION_ADMIN}))), '[]')`;

const PEOPLE = `select p.*, o.name as "organizationName", ${GROUPS_OF} as "groupIds", ${PROJECTS_OF} as projects
  from (select ${USER_COLUMNS}, ${PROFILE}, organization_id as "organizationId" from headwater.users) as p
  left join headwater.organizations as o on o.id = p."organizationId"`;

/** Of several at once one inserts; the others find its row. */
const MAKE_ORGANIZATION = `insert into headwater.organizations (name, name_key) values ($1, $2)
  on conflict (name_key) do update set name = organizations.name returning id, name`;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Users as people over PostgreSQL. */
export function peopleStore(database: Database): PeopleStore {
  return {
    organizations: async () =>
      await database.rows<Organization>('select id, name from headwater.organizations order by name collate "C", id'),
    organization: async (id) => await organization(database, id),
    organizationNamed: async (name) => {
      const values = [storable('organization', name), textKey(name.toLowerCase())];
      const made = await database.first<Organization>(MAKE_ORGANIZATION, values);
      if (made === undefined) throw new Error('insert returned no row');
      return made;
    },
    person: async (id) => await person(database, id),
    people: async () => (await database.rows<PersonRow>(`${PEOPLE} order by p.id`)).map(personOf),
    change: async (id, change) => await changePerson(database, id, change),
  };
}

/** An organisation by its id; undefined for what cannot be one. */
export async function organization(sql: Sql, id: string): Promise<Organization | undefined> {
  if (!isStorable(id) || !UUID.test(id)) return undefined;
  return await sql.first<Organization>('select id, name from headwater.organizations where id = $1::uuid', [id]);
}

interface PersonRow extends User, UserProfile {
  readonly organizationId: string | null;
  readonly organizationName: string | null;
  readonly groupIds: readonly number[];
  readonly projects: Person['projects'];
}

async function person(sql: Sql, id: number): Promise<Person | undefined> {
  const row = isInt4(id) ? await sql.first<PersonRow>(`${PEOPLE} where p.id = $1`, [id]) : undefined;
  return row === undefined ? undefined : personOf(row);
}

function personOf({ groupIds, projects, ...row }: PersonRow): Person {
  const groups = GROUPS.filter((group) => groupIds.includes(group.id));
  const { age, educationQualification, gender, accountType, organizationId: id, organizationName: name, ...user } = row;
  const profile = { age, educationQualification, gender, accountType };
  return { user, profile, organization: id === null || name === null ? null : { id, name }, groups, projects };
}

async function changePerson(database: Database, id: number, change: PersonChange): Promise<Person | undefined> {
  if (!isInt4(id)) return undefined;
  return await database.tx(async (sql) => {
    const { organizationId } = change;
    if (typeof organizationId === 'string' && (await organization(sql, organizationId)) === undefined) {
      throw unknownOrganization();
    }
    const columns = columnsOf(change);
    if (columns.length > 0) {
      const set = columns.map(([column], index) => `${column} = $${index + 2}`).join(', ');
      await sql.run(`update headwater.users set ${set} where id = $1`, [id, ...columns.map(([, value]) => value)]);
    }
    return await person(sql, id);
  });
}

type Column = readonly [name: string, value: string | number | boolean | null];

/** The columns that a change writes; texts are checked. */
function columnsOf({ profile = {}, organizationId, mayCompute, ...texts }: PersonChange): readonly Column[] {
  const given: readonly (readonly [column: string, field: string, value: Column[1] | undefined])[] = [
    ['email', 'email', texts.email],
    ['first_name', 'firstName', texts.firstName],
    ['last_name', 'lastName', texts.lastName],
    ['contact_number', 'contactNumber', texts.contactNumber],
    ['may_compute', 'mayCompute', mayCompute],
    ['organization_id', 'organization', organizationId],
    ['age', 'age', profile.age],
    ['education_qualification', 'educationQualification', profile.educationQualification],
    ['gender', 'gender', profile.gender],
    ['account_type', 'accountType', profile.accountType],
  ];
  return given.flatMap(([column, field, value]): readonly Column[] => {
    if (value === undefined) return [];
    return [[column, typeof value === 'string' ? storable(field, value) : value]];
  });
}
