import type { MovedProject, MovedRights, MovedUser } from '../ports/moves.ts';

/** Changes of a user's rights by a move, which copies accounts from another system. */
interface RightsToMove {
  readonly isSuperuser: boolean;
  readonly mayCompute: boolean;
  /** True if the move disables the account. */
  readonly ends: boolean;
  /** Groups to join. */
  readonly groupIds: readonly number[];
  /** Id of the new organisation; null for none, undefined if the organisation does not change. */
  readonly organizationId: string | null | undefined;
}

/** The rights of a user that differ from the rights of the last move, and the rights to store for the next move. */
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
      // The move gives these rights only with certain options. A right that was given once remains stored, also if a
      // later move has no such option.
      isSuperuser: isSuperuser || last.isSuperuser === true,
      mayCompute: mayCompute || last.mayCompute === true,
      organizationId,
      groupIds,
    },
  };
}

/**
 * The members of a project that differ from the members of the last move. `before` is the group that the last move gave to the member.
 * The store changes the group only if the member still has the group `before`.
 */
export function membersToMove({ members }: Pick<MovedProject, 'members'>, last: MovedRights['members'] = []) {
  return members.flatMap((member) => {
    const before = last.find(({ userId }) => userId === member.userId)?.groupId;
    return before === member.groupId ? [] : [{ ...member, before }];
  });
}
