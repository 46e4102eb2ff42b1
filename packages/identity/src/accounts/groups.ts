import { DomainError, fieldError } from '@headwater/core';
import type { Person } from '../ports/people.ts';
import type { Group } from '../ports/teams.ts';

/** Groups that every installation has. The first reads the people of its organisation; nothing follows from the others. */
export const GROUPS: readonly Group[] = [
  { id: 1, name: 'Organization Admin' },
  { id: 2, name: 'Project Manager' },
  { id: 3, name: 'Member' },
];

/** The group that reads the people of its organisation. */
export const ORGANIZATION_ADMIN = 1;

/** The group of an id; throws `not_found` where there is none. */
export function groupOf(id: number): Group {
  const group = GROUPS.find((each) => each.id === id);
  if (group === undefined) throw absentOfTeam('group', id);
  return group;
}

/** Whether one may read what is told of another: of himself, as a superuser, or as who administers their organisation. */
export function mayRead(reader: Person, other: Person): boolean {
  if (reader.user.isSuperuser || reader.user.id === other.user.id) return true;
  return isOrganizationAdmin(reader) && reader.organization?.id === other.organization?.id;
}

/** Whether somebody administers his organisation. */
export function isOrganizationAdmin({ groups, organization }: Person): boolean {
  return organization !== null && groups.some(({ id }) => id === ORGANIZATION_ADMIN);
}

/** The refusal of something that a team needs and that is not there. */
export function absentOfTeam(kind: 'user' | 'group' | 'project', id: number): DomainError {
  return new DomainError('not_found', `There is no ${kind} ${id}.`, { details: { kind, id: String(id) } });
}

/** The refusal of a project's name that another one has. */
export function projectTaken(): DomainError {
  return fieldError('conflict', { name: [{ rule: 'taken', message: 'is the name of another project.' }] });
}
