import { DomainError, fieldError } from '@headwater/core';
import type { Person } from '../ports/people.ts';
import type { Group } from '../ports/teams.ts';

/** Groups of every installation. Only the first group gives rights. */
export const GROUPS: readonly Group[] = [
  { id: 1, name: 'Organization Admin' },
  { id: 2, name: 'Project Manager' },
  { id: 3, name: 'Member' },
];

/** Group whose members may read the people of their organisation. */
export const ORGANIZATION_ADMIN = 1;

/** Returns the group with this id. Throws `not_found` for an unknown id. */
export function groupOf(id: number): Group {
  const group = GROUPS.find((each) => each.id === id);
  if (group === undefined) throw teamPartNotFound('group', id);
  return group;
}

/**
 * True if `reader` may read the details of `other`. Superusers may read all people, and users may read themselves.
 * Administrators of an organisation may read people who belong, or want to belong, to it.
 */
export function mayRead(reader: Person, other: Person): boolean {
  if (reader.user.isSuperuser || reader.user.id === other.user.id) return true;
  if (!isOrganizationAdmin(reader)) return false;
  return [other.organization?.id, other.requestedOrganization?.id].includes(reader.organization?.id);
}

/** True for an administrator of an organisation. */
export function isOrganizationAdmin({ groups, organization }: Person): boolean {
  return organization !== null && groups.some(({ id }) => id === ORGANIZATION_ADMIN);
}

/** Error for an unknown user, group or project. */
export function teamPartNotFound(kind: 'user' | 'group' | 'project', id: number): DomainError {
  return new DomainError('not_found', `There is no ${kind} ${id}.`, { details: { kind, id: String(id) } });
}

/** Error for a project name that is taken. */
export function projectTaken(): DomainError {
  return fieldError('conflict', { name: [{ rule: 'taken', message: 'is the name of another project.' }] });
}
