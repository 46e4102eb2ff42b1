import { type EoAccountStore, fieldError, invalidField } from '@headwater/core';
import { copy } from '@headwater/core/memory';
import { isStorable } from '@headwater/core/values';
import { groupOf, projectTaken, teamPartNotFound } from '../accounts/groups.ts';
import { membersToMove, rightsToMove } from '../accounts/moved-rights.ts';
import { nameTaken, organizationTaken, unknownOrganization } from '../accounts/registration.ts';
import { usernameKey } from '../accounts/username.ts';
import type {
  MovedKind,
  MovedProject,
  MovedRights,
  MovedRow,
  MovedUser,
  MoveFrom,
  MoveStore,
  WantedId,
} from '../ports/moves.ts';
import type { Organization } from '../ports/people.ts';
import { type MemoryUsers, NO_PROFILE } from './accounts.ts';
import type { MemoryApiKeys } from './api-keys.ts';
import type { MemoryTeams } from './teams.ts';

interface MovedTables {
  readonly stored: MemoryUsers;
  readonly teams: MemoryTeams;
  readonly organizations: Map<string, Organization>;
  readonly moveKey: MemoryApiKeys['move'];
  readonly eoAccounts: Pick<EoAccountStore, 'create' | 'change'>;
}

/** Moved accounts in memory. Each call checks everything before it changes anything. */
export function memoryMoves(tables: MovedTables): MoveStore {
  const rows = new Map<string, MovedRow>();
  const keyOf = ({ source, kind, sourceId }: Pick<MovedRow, 'source' | 'kind' | 'sourceId'>): string =>
    JSON.stringify([source, kind, sourceId]);
  const move = <T extends string | number>(
    kind: MovedKind,
    from: MoveFrom,
    work: (known: MovedRow | undefined) => { readonly id: T; readonly rights?: MovedRights },
  ): T => {
    const key = keyOf({ ...from, kind });
    const { id, rights = {} } = work(rows.get(key));
    rows.set(key, { ...from, kind, targetId: String(id), rights: copy(rights) });
    return id;
  };
  return {
    moved: async (source, kind) =>
      copy([...rows.values()].filter((row) => row.source === source && row.kind === kind)).sort((a, b) =>
        a.sourceId < b.sourceId ? -1 : 1,
      ),
    note: async (row) => void rows.set(keyOf(row), { ...copy(row), rights: {} }),
    organization: async (from, organization) =>
      move('organization', from, (known) => ({ id: moveOrganization(tables, organization, known?.targetId) })),
    user: async (from, user) =>
      move('user', from, (known) => ({
        id: moveUser(tables, user, known),
        rights: rightsToMove(user, known?.rights).rights,
      })),
    project: async (from, project) =>
      move('project', from, (known) => ({
        id: moveProject(tables, project, known),
        rights: { members: project.members },
      })),
    apiKey: async (from, key, { most }) => {
      move('apiKey', from, (known) => {
        tables.moveKey(key, { isKnown: known !== undefined, most });
        return { id: key.prefix };
      });
    },
    eoAccount: async (from, { ownerId, ...account }) => {
      const known = rows.get(keyOf({ ...from, kind: 'eoAccount' }));
      const changed = known && (await tables.eoAccounts.change(Number(known.targetId), account));
      const { id } = changed ?? (await tables.eoAccounts.create({ ...account, ownerId, visibleTo: 'owner' }));
      return move('eoAccount', from, () => ({ id }));
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

const isFree = ({ id, reserved }: WantedId, given: { has(id: number): boolean }): boolean =>
  id <= reserved && !given.has(id);

function moveUser({ stored, teams, organizations }: MovedTables, moved: MovedUser, last?: MovedRow): number {
  const { wanted, groupIds: _groups, profile, organizationId: _organization, passwordHash, ...account } = moved;
  const { users, facts } = stored;
  const { changes } = rightsToMove(moved, last?.rights);
  const known = last?.targetId;
  const groups = changes.groupIds.map((id) => groupOf(id).id);
  const { organizationId = null } = changes;
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
  const isActive = !changes.ends && before?.isActive !== false;
  const ends = before?.isActive === true && !isActive;
  const isKept = before !== undefined && !/^(pbkdf2_|!)/.test(before.passwordHash);
  users.set(id, {
    mustChangePassword: false,
    sessionVersion: 0,
    ...before,
    ...copy(account),
    id,
    isActive,
    isSuperuser: changes.isSuperuser || before?.isSuperuser === true,
    mayCompute: changes.mayCompute || before?.mayCompute === true,
    passwordHash: isKept ? before.passwordHash : passwordHash,
    createdAt: before?.createdAt ?? account.createdAt,
    ...(ends && { sessionVersion: before.sessionVersion + 1 }),
  });
  const own = facts.get(id) ?? { organizationId: null, requestedOrganizationId: null };
  const kept = changes.organizationId === undefined ? own : { ...own, organizationId };
  facts.set(id, { ...kept, profile: { ...NO_PROFILE, ...copy(profile) } });
  teams.joined.set(id, new Set([...(teams.joined.get(id) ?? []), ...groups]));
  return id;
}

function moveProject({ stored, teams, organizations }: MovedTables, moved: MovedProject, last?: MovedRow): number {
  const known = last?.targetId;
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
  for (const { userId, groupId, before } of membersToMove(moved, isHere ? last?.rights.members : [])) {
    const own = [...members.values()].find((each) => each.projectId === id && each.userId === userId);
    if (own?.groupId !== before) continue;
    const memberId = own?.id ?? (teams.lastMemberId += 1);
    members.set(memberId, { id: memberId, projectId: id, userId, groupId });
  }
  return id;
}
