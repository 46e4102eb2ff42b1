import {
  groupOf,
  membersToMove,
  type MovedEoAccount,
  type MovedKey,
  type MovedKind,
  type MovedProject,
  type MovedRights,
  type MovedRow,
  type MovedUser,
  type MoveFrom,
  type MoveStore,
  nameTaken,
  type Organization,
  organizationTaken,
  projectTaken,
  rightsToMove,
  tooManyKeys,
  usernameKey,
  type WantedId,
} from '@headwater/identity';
import { DomainError, fieldError } from '@headwater/core';
import type { Database, Sql } from '../database.ts';
import { isInt4, storable, textKey } from '../guards.ts';
import { eoAccountStore } from './eo-accounts.ts';
import { lockOrganization } from './people.ts';
import { refuseAbsent } from './teams.ts';
import { profileValues, refuseOldName } from './users.ts';

const MOVED = `select source, kind, source_id as "sourceId", target_id as "targetId", digest, rights from headwater.moved_rows
  where source = $1 and kind = $2 order by source_id`;

const TARGET = `select target_id as "targetId", rights from headwater.moved_rows
  where source = $1 and kind = $2 and source_id = $3 for update`;

const NOTE = `insert into headwater.moved_rows (source, kind, source_id, target_id, digest, rights) values ($1, $2, $3, $4, $5, $6::jsonb)
  on conflict (source, kind, source_id) do update set target_id = excluded.target_id, digest = excluded.digest, rights = excluded.rights`;

type Known = Pick<MovedRow, 'targetId' | 'rights'>;

/** Id of a moved row in this database, and its rights. The next move is compared with these rights. */
interface Moved<T> {
  readonly id: T;
  readonly rights?: MovedRights;
}

/** Moved accounts in PostgreSQL. */
export function moveStore(database: Database): MoveStore {
  const move = async <T extends string | number>(
    kind: MovedKind,
    from: MoveFrom,
    work: (sql: Sql, known: Known | undefined) => Promise<Moved<T>>,
  ): Promise<T> =>
    await database.tx(async (sql) => {
      const { source, sourceId, digest } = from;
      const values = [storable('source', source), kind, storable('id', sourceId)];
      const { id, rights = {} } = await work(sql, await sql.first<Known>(TARGET, values));
      await sql.run(NOTE, [...values, String(id), digest, JSON.stringify(rights)]);
      return id;
    });
  return {
    moved: async (source, kind) => await database.rows<MovedRow>(MOVED, [storable('source', source), kind]),
    note: async ({ source, kind, sourceId, targetId, digest }) => {
      const values = [
        storable('source', source),
        kind,
        storable('id', sourceId),
        storable('id', targetId),
        digest,
        '{}',
      ];
      await database.run(NOTE, values);
    },
    organization: async (from, organization) =>
      await move('organization', from, (sql, known) => moveOrganization(sql, organization, known?.targetId)),
    user: async (from, user) => await move('user', from, (sql, known) => moveUser(sql, user, known)),
    project: async (from, project) => await move('project', from, (sql, known) => moveProject(sql, project, known)),
    apiKey: async (from, key, { most }) => {
      await move('apiKey', from, (sql, known) => moveKey(sql, key, { isKnown: known !== undefined, most }));
    },
    eoAccount: async (from, account) =>
      await move('eoAccount', from, (sql, known) => moveEoAccount(sql, account, known?.targetId)),
  };
}

const ADD_ORGANIZATION = `insert into headwater.organizations (id, name, name_key, is_listed) values ($1::uuid, $2, $3, $4)
  on conflict do nothing returning id`;
const RENAME_ORGANIZATION = `update headwater.organizations set name = $2, name_key = $3 where id = $1::uuid
  and not exists (select from headwater.organizations where name_key = $3 and id <> $1::uuid) returning id`;
const HAS_ORGANIZATION = 'select id from headwater.organizations where id = $1::uuid';

async function moveOrganization(
  sql: Sql,
  { id, name, isListed }: Organization,
  known?: string,
): Promise<Moved<string>> {
  const values = [id, storable('name', name), textKey(name.toLowerCase())];
  // An organisation that a superuser removed here is added again.
  const isHere = known !== undefined && (await sql.first(HAS_ORGANIZATION, [id])) !== undefined;
  const changed = isHere
    ? await sql.first(RENAME_ORGANIZATION, values)
    : await sql.first(ADD_ORGANIZATION, [...values, isListed]);
  if (changed !== undefined) return { id };
  const isTaken = !isHere && (await sql.first(HAS_ORGANIZATION, [id])) !== undefined;
  throw isTaken ? idTaken() : organizationTaken();
}

const idTaken = (): DomainError =>
  fieldError('conflict', { id: [{ rule: 'taken', message: 'is the id of another organization.' }] });

/** Raises the sequence above the reserved ids. The lock keeps other processes from using a wanted id first. */
async function reserveIds(sql: Sql, table: 'users' | 'projects', reserved: number): Promise<void> {
  await sql.run(`lock table headwater.${table} in share row exclusive mode`);
  const sequence = `headwater.${table}_id_seq`;
  await sql.rows(`select setval('${sequence}', $1::bigint) from ${sequence} where last_value < $1::bigint`, [reserved]);
}

/** The wanted id; the next id of the sequence if the wanted id is null or used. */
const newId = (table: 'users' | 'projects'): string =>
  `case when $1::int is null or exists (select from headwater.${table} where id = $1::int) then nextval('headwater.${table}_id_seq')::int else $1::int end`;

/** The wanted id; null above the reserved ids, because the sequence could reach the id later. */
const wantedId = ({ id, reserved }: WantedId): number | null => (id <= reserved ? id : null);

const ADD_USER = `insert into headwater.users
  (id, username, username_key, email, first_name, last_name, contact_number, is_active, is_superuser, must_change_password, password_hash,
    may_compute, organization_id, age, education_qualification, gender, account_type, created_at)
  overriding system value values (${newId('users')}, $2, $3, $4, $5, $6, $7, $8, $9, false, $10, $11, $12::uuid, $13, $14, $15, $16, $17::timestamptz)
  on conflict (username_key) do nothing returning id`;

/**
 * Rights are only added, because a superuser may have given more rights in this database. A disabled account stays
 * disabled. A password hash is replaced only if the stored hash begins with `pbkdf2_` or `!`, as hashes of Django do.
 */
const CHANGE_USER = `update headwater.users set username = $2, username_key = $3, email = $4, first_name = $5, last_name = $6, contact_number = $7,
    session_version = session_version + (is_active and not $8)::int, is_active = is_active and $8, is_superuser = is_superuser or $9,
    password_hash = case when password_hash ~ '^(pbkdf2_|!)' then $10 else password_hash end, may_compute = may_compute or $11,
    organization_id = case when $17::boolean then $12::uuid else organization_id end, age = $13, education_qualification = $14, gender = $15, account_type = $16
  where id = $1 and not exists (select from headwater.users where username_key = $3 and id <> $1) returning id`;

const JOIN = 'insert into headwater.user_groups (user_id, group_id) values ($1, $2) on conflict do nothing';

async function moveUser(sql: Sql, user: MovedUser, known?: Known): Promise<Moved<number>> {
  const { wanted, contactNumber, createdAt } = user;
  const { changes, rights } = rightsToMove(user, known?.rights);
  const { organizationId = null } = changes;
  if (organizationId !== null) await lockOrganization(sql, organizationId);
  const values = [
    known === undefined ? wantedId(wanted) : Number(known.targetId),
    storable('username', user.username),
    textKey(usernameKey(user.username)),
    storable('email', user.email),
    storable('firstName', user.firstName),
    storable('lastName', user.lastName),
    contactNumber === null ? null : storable('contactNumber', contactNumber),
    !changes.ends,
    changes.isSuperuser,
    storable('passwordHash', user.passwordHash),
    changes.mayCompute,
    organizationId,
    ...profileValues(user.profile ?? {}),
  ];
  if (known === undefined) {
    await refuseOldName(sql, user.username);
    await reserveIds(sql, 'users', wanted.reserved);
  }
  const stored =
    known === undefined
      ? await sql.first<{ id: number }>(ADD_USER, [...values, createdAt])
      : await sql.first<{ id: number }>(CHANGE_USER, [...values, changes.organizationId !== undefined]);
  if (stored === undefined) throw nameTaken();
  for (const groupId of changes.groupIds) await sql.run(JOIN, [stored.id, groupOf(groupId).id]);
  return { id: stored.id, rights };
}

const ADD_PROJECT = `insert into headwater.projects (id, name, name_key, organization_id)
  overriding system value values (${newId('projects')}, $2, $3, $4::uuid) on conflict (name_key) do nothing returning id`;
const CHANGE_PROJECT = `update headwater.projects set name = $2, name_key = $3, organization_id = $4::uuid where id = $1
  and not exists (select from headwater.projects where name_key = $3 and id <> $1) returning id`;
const HAS_PROJECT = 'select id from headwater.projects where id = $1';
const ADD_MEMBER = `insert into headwater.project_members (project_id, user_id, group_id) values ($1, $2, $3)
  on conflict (project_id, user_id) do nothing`;
const CHANGE_MEMBER = `update headwater.project_members set group_id = $3
  where project_id = $1 and user_id = $2 and group_id = $4`;

async function moveProject(sql: Sql, project: MovedProject, known?: Known): Promise<Moved<number>> {
  const { name, organizationId, wanted, members } = project;
  if (organizationId !== null) await lockOrganization(sql, organizationId);
  const isHere = known !== undefined && (await sql.first(HAS_PROJECT, [Number(known.targetId)])) !== undefined;
  if (!isHere) await reserveIds(sql, 'projects', wanted.reserved);
  const values = [
    isHere ? Number(known.targetId) : wantedId(wanted),
    storable('name', name),
    textKey(name.toLowerCase()),
  ];
  const stored = await sql.first<{ id: number }>(isHere ? CHANGE_PROJECT : ADD_PROJECT, [...values, organizationId]);
  if (stored === undefined) throw projectTaken();
  for (const { userId, groupId, before } of membersToMove(project, isHere ? known.rights.members : [])) {
    await refuseAbsent(sql, { user: userId });
    const member = [stored.id, userId, groupOf(groupId).id];
    await (before === undefined ? sql.run(ADD_MEMBER, member) : sql.run(CHANGE_MEMBER, [...member, before]));
  }
  return { id: stored.id, rights: { members } };
}

const OWNER = 'select id from headwater.users where id = $1 for no key update';
const COUNT_ACTIVE = 'select count(*)::int as n from headwater.api_keys where user_id = $1 and deactivated_at is null';
const ADD_KEY = `insert into headwater.api_keys (prefix, hash, user_id, name, expires_at, deactivated_at, created_at)
  values ($1, $2, $3, $4, $5::timestamptz, case when $6 then null else clock_timestamp() end, $7::timestamptz)
  on conflict (prefix) do nothing returning prefix`;
const CHANGE_KEY = `update headwater.api_keys set name = $2, expires_at = $3::timestamptz,
  deactivated_at = case when $4 then deactivated_at else coalesce(deactivated_at, clock_timestamp()) end where prefix = $1`;

async function moveKey(
  sql: Sql,
  { prefix, hash, userId, name, expiresAt, isActive, createdAt }: MovedKey,
  { isKnown, most }: { readonly isKnown: boolean; readonly most: number },
): Promise<Moved<string>> {
  const shown = storable('name', name);
  if (isKnown) {
    await sql.run(CHANGE_KEY, [prefix, shown, expiresAt, isActive]);
    return { id: prefix };
  }
  const owner = isInt4(userId) ? await sql.first(OWNER, [userId]) : undefined;
  if (owner === undefined) throw new DomainError('user_not_found', `No user has the id ${userId}.`);
  const active = await sql.first<{ n: number }>(COUNT_ACTIVE, [userId]);
  if (isActive && active !== undefined && active.n >= most) throw tooManyKeys(most);
  const values = [storable('prefix', prefix), storable('hash', hash), userId, shown, expiresAt, isActive, createdAt];
  if ((await sql.first(ADD_KEY, values)) !== undefined) return { id: prefix };
  throw fieldError('conflict', { prefix: [{ rule: 'taken', message: 'is taken by another key.' }] });
}

async function moveEoAccount(
  sql: Sql,
  { ownerId, ...account }: MovedEoAccount,
  known?: string,
): Promise<Moved<number>> {
  const accounts = eoAccountStore(sql);
  const changed = known === undefined ? undefined : await accounts.change(Number(known), account);
  const { id } = changed ?? (await accounts.create({ ...account, ownerId, visibleTo: 'owner' }));
  return { id };
}
