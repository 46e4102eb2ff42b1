import { fieldError, invalidField } from '@headwater/core';
import { copy } from '@headwater/core/memory';
import { isStorable } from '@headwater/core/values';
import { groupOf, projectTaken, teamPartNotFound } from '../accounts/groups.ts';
import { nameTaken, organizationTaken, unknownOrganization } from '../accounts/registration.ts';
import { usernameKey } from '../accounts/username.ts';
import type { MovedKind, MovedProject, MovedRow, MovedUser, MoveFrom, MoveStore, WantedId } from '../ports/moves.ts';
import type { Organization } from '../ports/people.ts';
import { type MemoryUsers, NO_PROFILE } from './accounts.ts';
import type { MemoryApiKeys } from './api-keys.ts';
import type { MemoryTeams } from './teams.ts';

/** Contents of the other stores that a move changes. */
interface MovedTables {
  readonly stored: MemoryUsers;
  readonly teams: MemoryTeams;
  readonly organizations: Map<string, Organization>;
  readonly moveKey: MemoryApiKeys['move'];
}

/** Moved accounts in memory. Each call checks everything before it changes anything. */
export function memoryMoves(tables: MovedTables): MoveStore {
  const rows = new Map<string, MovedRow>();
  const keyOf = ({ source, kind, sourceId }: Omit<MovedRow, 'targetId' | 'digest'>): string =>
    JSON.stringify([source, kind, sourceId]);
  const move = <T extends string | number>(
    kind: MovedKind,
    from: MoveFrom,
    work: (known: string | undefined) => T,
  ): T => {
    const id = work(rows.get(keyOf({ ...from, kind }))?.targetId);
    rows.set(keyOf({ ...from, kind }), { ...from, kind, targetId: String(id) });
    return id;
  };
  return {
    moved: async (source, kind) =>
      copy([...rows.values()].filter((row) => row.source === source && row.kind === kind)).sort((a, b) =>
        a.sourceId < b.sourceId ? -1 : 1,
      ),
    note: async (row) => void rows.set(keyOf(row), copy(row)),
    organization: async (from, organization) =>
      move('organization', from, (known) => moveOrganization(tables, organization, known)),
    user: async (from, user) => move('user', from, (known) => moveUser(tables, user, known)),
    project: async (from, project) => move('project', from, (known) => moveProject(tables, project, known)),
    apiKey: async (from, key, { most }) => {
      move('apiKey', from, (known) => {
        tables.moveKey(key, { isKnown: known !== undefined, most });
        return key.prefix;
      });
    },
  };
}

function moveOrganization({ organizations }: MovedTables, moved: Organization, known?: string): string {
  const before = organizations.get(moved.id);
  const isSame = ({ name }: Organization): boolean => name.toLowerCase() === moved.name.toLowerCase();
  if (known === undefined && before !== undefined)
    throw fieldError('conflict', { id: [{ rule: 'taken', message: 'is the id of another organization.' }] });
  if ([...organizations.values()].some((each) => each.id !== moved.id && isSame(each))) throw organizationTaken();
  organizations.set(moved.id, { ...copy(moved), isListed: before?.isListed ?? moved.isListed });
  return moved.id;
}

/** True if a new row can have the wanted id. */
const isFree = ({ id, reserved }: WantedId, given: { has(id: number): boolean }): boolean =>
  id <= reserved && !given.has(id);

function moveUser({ stored, teams, organizations }: MovedTables, moved: MovedUser, known?: string): number {
  const { wanted, groupIds, profile, organizationId = null, passwordHash, ...account } = moved;
  const { users, facts } = stored;
  const groups = groupIds.map((id) => groupOf(id).id);
  for (const field of ['username', 'email', 'firstName', 'lastName'] as const)
    if (!isStorable(account[field])) throw invalidField(field, 'cannot be stored: remove NUL and unpaired surrogates.');
  if (organizationId !== null && !organizations.has(organizationId)) throw unknownOrganization();
  const isOther = ({ id, username }: { readonly id: number; readonly username: string }): boolean =>
    String(id) !== known && usernameKey(username) === usernameKey(account.username);
  if ([...users.values()].some(isOther)) throw nameTaken();
  if (known === undefined) stored.lastId = Math.max(stored.lastId, wanted.reserved);
  const newId = (): number => (isFree(wanted, users) ? wanted.id : (stored.lastId += 1));
  const id = known === undefined ? newId() : Number(known);
  const before = users.get(id);
  const isActive = account.isActive && before?.isActive !== false;
  const ends = before?.isActive === true && !isActive;
  const isKept = before !== undefined && !/^(pbkdf2_|!)/.test(before.passwordHash);
  users.set(id, {
    mustChangePassword: false,
    sessionVersion: 0,
    ...before,
    ...copy(account),
    id,
    isActive,
    isSuperuser: account.isSuperuser || before?.isSuperuser === true,
    mayCompute: account.mayCompute || before?.mayCompute === true,
    passwordHash: isKept ? before.passwordHash : passwordHash,
    createdAt: before?.createdAt ?? account.createdAt,
    ...(ends && { sessionVersion: before.sessionVersion + 1 }),
  });
  const requestedOrganizationId = facts.get(id)?.requestedOrganizationId ?? null;
  facts.set(id, { profile: { ...NO_PROFILE, ...copy(profile) }, organizationId, requestedOrganizationId });
  teams.joined.set(id, new Set([...(teams.joined.get(id) ?? []), ...groups]));
  return id;
}

function moveProject({ stored, teams, organizations }: MovedTables, moved: MovedProject, known?: string): number {
  const { name, organizationId, wanted } = moved;
  const { projects, members } = teams;
  if (organizationId !== null && !organizations.has(organizationId)) throw unknownOrganization();
  const isOther = (each: { readonly id: number; readonly name: string }): boolean =>
    String(each.id) !== known && each.name.toLowerCase() === name.toLowerCase();
  if ([...projects.values()].some(isOther)) throw projectTaken();
  for (const { userId, groupId } of moved.members) {
    if (!stored.users.has(userId)) throw teamPartNotFound('user', userId);
    groupOf(groupId);
  }
  const isHere = known !== undefined && projects.has(Number(known));
  if (!isHere) teams.lastProjectId = Math.max(teams.lastProjectId, wanted.reserved);
  const newId = (): number => (isFree(wanted, projects) ? wanted.id : (teams.lastProjectId += 1));
  const id = isHere ? Number(known) : newId();
  projects.set(id, { id, name, organizationId });
  for (const { userId, groupId } of moved.members) {
    const before = [...members.values()].find((each) => each.projectId === id && each.userId === userId);
    const memberId = before?.id ?? (teams.lastMemberId += 1);
    members.set(memberId, { id: memberId, projectId: id, userId, groupId });
  }
  return id;
}
