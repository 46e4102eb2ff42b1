import type { MovedProject, MovedRights, MovedUser } from '../ports/moves.ts';

interface RightsToMove {
  readonly isSuperuser: boolean;
  readonly mayCompute: boolean;
  /** True if the copy disables the account. */
  readonly ends: boolean;
  readonly groupIds: readonly number[];
  /** New organisation; null for none, undefined for no change. */
  readonly organizationId: string | null | undefined;
}

/**
 * Returns changes since the last copy of a user from another system, and the rights to store for the next copy. Only
 * `ends` and `organizationId` can remove rights; all other changes are rights that were added in the other system.
 */
export function rightsToMove(
  user: MovedUser,
  last: MovedRights = {},
): { readonly changes: RightsToMove; readonly rights: MovedRights } {
  const { isActive, isSuperuser, mayCompute, organizationId = null, groupIds } = user;
  return {
    changes: {
      isSuperuser: isSuperuser && last.isSuperuser !== true,
      mayCompute: mayCompute && last.mayCompute !== true,
      ends: !isActive && last.isActive !== false,
      groupIds: groupIds.filter((id) => last.groupIds?.includes(id) !== true),
      organizationId: organizationId === last.organizationId ? undefined : organizationId,
    },
    rights: {
      isActive,
      // A copied right stays stored, even if a later copy runs without the option that copies this right.
      isSuperuser: isSuperuser || last.isSuperuser === true,
      mayCompute: mayCompute || last.mayCompute === true,
      organizationId,
      groupIds,
    },
  };
}

/**
 * Returns members of a project who are new or have another group since the last copy. `before`: group at the last copy.
 * The store changes a member only if the member still has this group.
 */
export function membersToMove({ members }: Pick<MovedProject, 'members'>, last: MovedRights['members'] = []) {
  return members.flatMap((member) => {
    const before = last.find(({ userId }) => userId === member.userId)?.groupId;
    return before === member.groupId ? [] : [{ ...member, before }];
  });
}
