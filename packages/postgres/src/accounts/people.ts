import {
  isStorable,
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

const PEOPLE = `select p.*, o.name as "organizationName"
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

async function organization(sql: Sql, id: string): Promise<Organization | undefined> {
  if (!isStorable(id) || !UUID.test(id)) return undefined;
  return await sql.first<Organization>('select id, name from headwater.organizations where id = $1::uuid', [id]);
}

interface PersonRow extends User, UserProfile {
  readonly organizationId: string | null;
  readonly organizationName: string | null;
}

async function person(sql: Sql, id: number): Promise<Person | undefined> {
  const row = isInt4(id) ? await sql.first<PersonRow>(`${PEOPLE} where p.id = $1`, [id]) : undefined;
  return row === undefined ? undefined : personOf(row);
}

function personOf(row: PersonRow): Person {
  const { age, educationQualification, gender, accountType, organizationId: id, organizationName: name, ...user } = row;
  const profile = { age, educationQualification, gender, accountType };
  return { user, profile, organization: id === null || name === null ? null : { id, name } };
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
