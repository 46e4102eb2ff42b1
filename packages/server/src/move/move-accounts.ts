import { type DomainError, fieldError, invalidField, isDomainError } from '@headwater/core';
import {
  checkedName,
  GROUPS,
  MAX_EXPIRY_DAYS,
  MOST_KEYS,
  type MovedRights,
  namedProblems,
  nameTaken,
  normalizedUsername,
  ORGANIZATION_ADMIN,
  organizationTaken,
  projectTaken,
  refuseProblems,
  tooManyKeys,
  usernameKey,
} from '@headwater/identity';
import type { Dump, RecordOf } from '@headwater/ingest';
import { parseDjangoHash } from '@headwater/http-service';
import type { RecordRef } from './move-report.ts';
import { type Move, type MovedRows, movedRows } from './moved-rows.ts';

type AccountRecord = RecordOf<'organization' | 'group' | 'user' | 'project' | 'api_key' | 'eo_account'>;

/** Moves one `AccountRecord`. Throws a `DomainError` if the record is refused. */
export type AccountMover = (record: AccountRecord, ref: RecordRef) => Promise<void>;

/**
 * Group of the live system (the CoRE Stack backend that is moved). `idHere`: id of the corresponding group of this
 * service.
 */
interface LiveGroup {
  readonly name: string;
  readonly idHere: number | undefined;
}

interface AccountMove extends Move {
  readonly highest: Dump['highest'];
  readonly madeAt: string;
  readonly rows: Readonly<Record<'organization' | 'group' | 'user' | 'project' | 'apiKey' | 'eoAccount', MovedRows>>;
  readonly groups: Map<number, LiveGroup>;
  /** Taken names. The value is the owner's id in the live system, or '' if the owner was not moved. */
  readonly names: Readonly<Record<'organization' | 'user' | 'project', Map<string, string>>>;
  /** Number of active API keys, by the id of the user in this service. */
  readonly keysOf: Map<number, number>;
}

/** Ids of our groups, by the lower-case names of groups of the live system. */
const GROUP_NAMES: ReadonlyMap<string, number> = new Map([
  ...GROUPS.map(({ id, name }) => [name.toLowerCase(), id] as const),
  ['org admin', ORGANIZATION_ADMIN],
  ['administrator', ORGANIZATION_ADMIN],
]);

/** Creates the function that moves organisations, groups, users, projects, API keys and Earth-observation accounts. */
export async function accountMover(
  move: Move,
  { highest, header }: Pick<Dump, 'highest' | 'header'>,
): Promise<AccountMover> {
  const rows = {
    organization: await movedRows(move, 'organization'),
    group: await movedRows(move, 'group'),
    user: await movedRows(move, 'user'),
    project: await movedRows(move, 'project'),
    apiKey: await movedRows(move, 'apiKey'),
    eoAccount: await movedRows(move, 'eoAccount'),
  };
  const state: AccountMove = {
    ...move,
    highest,
    madeAt: header.made_at,
    rows,
    groups: new Map(),
    names: { organization: new Map(), user: new Map(), project: await projectNames(move) },
    keysOf: new Map(),
  };
  return async (record, ref) => {
    switch (record.type) {
      case 'organization':
        return await moveOrganization(state, record, ref);
      case 'group':
        return await moveGroup(state, record, ref);
      case 'user':
        return await moveUser(state, record, ref);
      case 'project':
        return await moveProject(state, record, ref);
      case 'api_key':
        return await moveKey(state, record, ref);
      case 'eo_account':
        return await moveEoAccount(state, record, ref);
    }
  };
}

/** Projects of this service: id in the live system ('' if the project was not moved), by lower-case name. */
async function projectNames({ stores, source }: Move): Promise<Map<string, string>> {
  const rows = await stores.moves.moved(source, 'project');
  const sources = new Map(rows.map(({ sourceId, targetId }) => [targetId, sourceId]));
  const projects = await stores.teams.projects();
  return new Map(projects.map(({ id, name }) => [name.toLowerCase(), sources.get(String(id)) ?? '']));
}

async function moveOrganization(state: AccountMove, record: RecordOf<'organization'>, ref: RecordRef): Promise<void> {
  const { stores, rows, names } = state;
  const id = record.id.toLowerCase();
  const name = checkedName(record.name);
  const other = await firstOwner(names.organization, name.toLowerCase(), async () => {
    const query = { name, limit: 1, offset: 0 };
    return (await stores.directory.organizations(query)).rows[0]?.id;
  });
  if (other !== undefined && other !== id) throw organizationTaken();
  const known = { ...ref, id };
  if (rows.organization.idHere(id) === undefined && (await stores.people.organization(id)) !== undefined)
    throw invalidField('id', 'belongs to another organization of this service; change it in the dump', 'taken');
  const moved = { id, name, isListed: false };
  const store = stores.moves.organization;
  await rows.organization.put(known, { content: moved, expected: id, store: (from) => store(from, moved) });
  names.organization.set(name.toLowerCase(), id);
}

/** Owner of a taken name, as in `names`: the owner in an earlier record, otherwise the result of `stored`. */
async function firstOwner(
  names: ReadonlyMap<string, string>,
  key: string,
  stored: () => Promise<string | undefined>,
): Promise<string | undefined> {
  return names.get(key) ?? (await stored());
}

async function moveGroup(state: AccountMove, { id, name }: RecordOf<'group'>, ref: RecordRef): Promise<void> {
  const { groups, report, rows } = state;
  const idHere = GROUP_NAMES.get(name.trim().replaceAll(/\s+/g, ' ').toLowerCase());
  groups.set(id, { name, idHere });
  const expected = String(idHere ?? '');
  await rows.group.put(ref, { content: [name, expected], expected, store: async () => expected });
  const here = GROUPS.find((group) => group.id === idHere);
  if (here === undefined) {
    const known = GROUPS.map((group) => group.name).join(', ');
    report.note(ref, `no group here corresponds to ${name}; memberships are left out. Groups here: ${known}`);
  } else if (here.name !== name || here.id !== id) report.note(ref, `is the group ${here.name} (${here.id}) here`);
}

async function moveUser(state: AccountMove, record: RecordOf<'user'>, ref: RecordRef): Promise<void> {
  const { stores, rows, names, highest, mayCompute, madeAt } = state;
  const { age = null, education_qualification: education, gender = null, account_type: accountType = null } = record;
  const account = {
    username: normalizedUsername(record.username),
    email: (record.email ?? '').trim(),
    firstName: (record.first_name ?? '').trim(),
    lastName: (record.last_name ?? '').trim(),
    contactNumber: blankIsNull(record.contact_number),
    profile: { age, educationQualification: blankIsNull(education), gender, accountType },
  };
  const { contactNumber, ...others } = account;
  refuseProblems(namedProblems(contactNumber === null ? others : { ...others, contactNumber }));
  const key = usernameKey(account.username);
  const own = rows.user.idHere(ref.id);
  const other = await firstOwner(names.user, key, async () => {
    const stored = await stores.users.byUsername(account.username);
    return stored === undefined || String(stored.id) === own ? undefined : '';
  });
  if (other !== undefined && other !== ref.id) throw nameTaken();
  const moved = {
    ...account,
    passwordHash: passwordOf(state, record, ref),
    isActive: record.is_active,
    isSuperuser: isSuperuser(state, record, ref),
    mayCompute,
    organizationId: organizationOf(state, record.organization, ref),
    groupIds: groupsOf(state, record, ref),
    createdAt: isoOf(record.date_joined ?? madeAt),
  };
  const isFree = own !== undefined || (isKept(record) && (await stores.users.byId(record.id)) === undefined);
  const wanted = { id: record.id, reserved: reservedOf(highest.user) };
  const store = (from: Parameters<typeof stores.moves.user>[0]) => stores.moves.user(from, { ...moved, wanted });
  // `content` is compared with that of an earlier move, so options and the time of the dump must not change it.
  const { isSuperuser: superuser, mayCompute: _computes, ...rest } = moved;
  const content = { ...rest, createdAt: record.date_joined };
  const adds = (given: MovedRights): boolean =>
    (superuser && given.isSuperuser !== true) || (mayCompute && given.mayCompute !== true);
  await rows.user.put(ref, { content, expected: ref.id, isFree, adds, store });
  names.user.set(key, ref.id);
}

/**
 * Largest id that is kept. Larger ids are replaced, because new ids follow the largest id, and would soon reach the end
 * of the sequence.
 */
const MOST_KEPT = 1_000_000_000;
const isKept = ({ id }: { readonly id: number }): boolean => id <= MOST_KEPT;
const reservedOf = (highest: number): number => Math.min(highest, MOST_KEPT);

const blankIsNull = (text: string | null | undefined): string | null => {
  const trimmed = (text ?? '').trim();
  return trimmed === '' ? null : trimmed;
};

const isoOf = (time: string): string => new Date(time).toISOString();

/**
 * Password hash of a user. If this service cannot verify it, returns an unusable hash and adds a note to the report.
 */
function passwordOf({ report }: Move, { password }: RecordOf<'user'>, ref: RecordRef): string {
  if (parseDjangoHash(password) !== undefined) return password;
  const isUnusable = password === '' || password.startsWith('!');
  const why = isUnusable ? 'has no password in the live system' : 'has a password hash that is not pbkdf2_sha256';
  report.note(ref, `${why}; let the user request a link for a new password, or let a superuser set one`);
  return '!';
}

function isSuperuser({ report, withSuperusers }: Move, record: RecordOf<'user'>, ref: RecordRef): boolean {
  if (record.is_superuser !== true && record.is_superadmin !== true) return false;
  if (withSuperusers) report.superuser(record.username);
  else
    report.note(
      ref,
      'is a superuser in the live system, and is moved without these rights; --with-superusers keeps them',
    );
  return withSuperusers;
}

function organizationOf(state: AccountMove, id: string | null | undefined, ref: RecordRef): string | null {
  if (id === null || id === undefined) return null;
  const here = state.rows.organization.idHere(id.toLowerCase());
  if (here === undefined)
    state.report.note(ref, `its organization ${id} was not moved, so it has none; move that organization first`);
  return here ?? null;
}

/**
 * Ids of a user's groups. In the live system, individuals become administrators when they register. So only
 * accounts of organizations stay administrators.
 */
function groupsOf({ groups, report }: AccountMove, record: RecordOf<'user'>, ref: RecordRef): readonly number[] {
  const ids = new Set<number>();
  for (const id of record.groups ?? []) {
    const group = groups.get(id);
    if (group === undefined)
      report.note(ref, `its group ${id} is left out, because no earlier line of the dump has this group`);
    else if (group.idHere === ORGANIZATION_ADMIN && record.account_type !== 'org')
      report.note(
        ref,
        `its group ${group.name} is left out: the live system gives it to everyone who registers as an individual, and account_type is not "org"`,
      );
    else if (group.idHere !== undefined) ids.add(group.idHere);
  }
  return [...ids].toSorted((a, b) => a - b);
}

async function moveProject(state: AccountMove, record: RecordOf<'project'>, ref: RecordRef): Promise<void> {
  const { stores, rows, names, highest, report } = state;
  const own = rows.project.idHere(ref.id);
  const isOfOther = (name: string): boolean => (names.project.get(name.toLowerCase()) ?? ref.id) !== ref.id;
  const wish = checkedName(record.name);
  const isTaken = isOfOther(wish);
  const name = isTaken ? checkedName(`${wish} (${ref.id})`) : wish;
  if (isTaken && isOfOther(name)) throw projectTaken();
  if (isTaken) report.note(ref, `another project is named ${wish}, so this project is named ${name} in this service`);
  const moved = {
    name,
    organizationId: organizationOf(state, record.organization, ref),
    members: membersOf(state, record, ref),
  };
  const isFree = own !== undefined || (isKept(record) && (await stores.teams.project(record.id)) === undefined);
  const wanted = { id: record.id, reserved: reservedOf(highest.project) };
  const store = (from: Parameters<typeof stores.moves.project>[0]) => stores.moves.project(from, { ...moved, wanted });
  await rows.project.put(ref, { content: moved, expected: ref.id, isFree, store });
  names.project.set(name.toLowerCase(), ref.id);
}

function membersOf({ rows, groups, report }: AccountMove, record: RecordOf<'project'>, ref: RecordRef) {
  return (record.members ?? []).flatMap((member) => {
    const userId = rows.user.idHere(String(member.user));
    const groupId = groups.get(member.group)?.idHere;
    if (userId !== undefined && groupId !== undefined) return [{ userId: Number(userId), groupId }];
    const why = userId === undefined ? 'the user was not moved' : 'its group has no counterpart here';
    report.note(ref, `the member ${member.user} is left out: ${why}`);
    return [];
  });
}

async function moveKey(state: AccountMove, record: RecordOf<'api_key'>, ref: RecordRef): Promise<void> {
  const { stores, rows, keysOf, report } = state;
  const { prefix, hashed_key: hash } = record;
  const owner = rows.user.idHere(String(record.user));
  if (owner === undefined)
    throw invalidField('user', `the user ${record.user} was not moved; move the user first`, 'unknown');
  const userId = Number(owner);
  const own = rows.apiKey.idHere(prefix);
  if (own === undefined && (await stores.apiKeys.find(prefix)) !== undefined)
    throw fieldError('conflict', {
      prefix: [{ rule: 'taken', message: 'is taken by another key here; make a new key.' }],
    });
  const isActive = record.is_active && !record.revoked;
  const active = keysOf.get(userId) ?? (await stores.apiKeys.activeOf(userId)).length;
  if (own === undefined && isActive && active >= MOST_KEYS) throw tooManyKeys(MOST_KEYS);
  const name = checkedName(record.name.trim() === '' ? 'API Key' : record.name);
  const createdAt = isoOf(record.created);
  const expiresAt = record.expires_at ?? undefined;
  if (expiresAt === undefined)
    report.note(ref, 'never expires in the live system; here it expires a hundred years after its creation');
  const moved = {
    prefix,
    hash,
    userId,
    name,
    isActive,
    createdAt,
    expiresAt: expiresAt === undefined ? after(createdAt, MAX_EXPIRY_DAYS) : isoOf(expiresAt),
  };
  const store = (from: Parameters<typeof stores.moves.apiKey>[0]) =>
    stores.moves.apiKey(from, moved, { most: MOST_KEYS });
  const outcome = await rows.apiKey.put(ref, { content: moved, expected: prefix, store });
  keysOf.set(userId, active + (outcome === 'new' && isActive ? 1 : 0));
}

/** Moves an Earth-observation account without its credentials. A superuser must add these. */
async function moveEoAccount(state: AccountMove, record: RecordOf<'eo_account'>, ref: RecordRef): Promise<void> {
  const { stores, rows, report, ownerId } = state;
  const { helper_account: helper } = record;
  const moved = {
    name: checkedName(record.name),
    serviceAccountEmail: blankIsNull(record.service_account_email),
    accountEmail: blankIsNull(record.account_email),
    isVisible: record.is_visible,
    platform: 'earth_engine',
  } as const;
  if (helper !== null && helper !== undefined) report.note(ref, `its helper account ${helper} is left out`);
  const store = (from: Parameters<typeof stores.moves.eoAccount>[0]) =>
    stores.moves.eoAccount(from, { ...moved, ownerId });
  await rows.eoAccount.put(ref, { content: moved, expected: ref.id, isFree: false, store });
}

const after = (time: string, days: number): string => new Date(Date.parse(time) + days * 86_400_000).toISOString();

/** Problems of a refused record for the report, with fields as in the dump. Throws other errors unchanged. */
export function refusalOf(error: unknown): readonly { readonly field?: string; readonly problem: string }[] {
  if (!isDomainError(error) || !REFUSALS.has(error.code)) throw error;
  const fields = Object.entries(error.fields);
  if (fields.length === 0) return [{ problem: error.message }];
  return fields.flatMap(([field, problems]) =>
    problems.map(({ message }) => ({ field: DUMP_FIELDS[field] ?? field, problem: message })),
  );
}

const REFUSALS: ReadonlySet<DomainError['code']> = new Set([
  'validation',
  'conflict',
  'not_found',
  'user_not_found',
  'input_data',
]);

const DUMP_FIELDS: Readonly<Record<string, string>> = {
  firstName: 'first_name',
  lastName: 'last_name',
  contactNumber: 'contact_number',
  educationQualification: 'education_qualification',
};
