import type { EoAccount } from '@headwater/core';
import type { NewUser } from './accounts.ts';
import type { ApiKey } from './api-keys.ts';
import type { Organization } from './people.ts';
import type { Project } from './teams.ts';

/** Kind of a row that was moved from another system. */
export type MovedKind =
  | 'organization'
  | 'group'
  | 'user'
  | 'project'
  | 'apiKey'
  | 'eoAccount'
  | 'boundaries'
  | 'tehsil'
  | 'dataset'
  | 'layer';

/**
 * Rights that a row had in the dump of the last move. The next move applies only the differences from these rights. So rights that were
 * given or revoked in this service stay as they are. A right that only an option of a move gives stays, also if a later move lacks the option.
 */
export interface MovedRights {
  readonly isActive?: boolean;
  readonly isSuperuser?: boolean;
  readonly mayCompute?: boolean;
  readonly organizationId?: string | null;
  readonly groupIds?: readonly number[];
  readonly members?: MovedProject['members'];
}

/** A row of another system that was moved to this one. */
export interface MovedRow {
  /** Name of the other system. */
  readonly source: string;
  readonly kind: MovedKind;
  /** Id in the other system, unique within its kind. */
  readonly sourceId: string;
  /** Id in this service. */
  readonly targetId: string;
  /** Digest of the moved data. If a later move finds the same digest, nothing needs to be moved. */
  readonly digest: string;
  /** Rights in the last dump; empty for kinds of rows without rights. */
  readonly rights: MovedRights;
}

/** Origin of a row that is being moved. */
export type MoveFrom = Pick<MovedRow, 'source' | 'sourceId' | 'digest'>;

/**
 * Id of the row in the other system. The row keeps this id in this service if no other row has the id, and if the id is
 * at most `reserved`.
 */
export interface WantedId {
  readonly id: number;
  /**
   * Greatest id that any row to move may keep. New ids are greater, so that rows that are moved later can keep their ids.
   */
  readonly reserved: number;
}

/** A user to move, with the groups that the user joins in the same step. */
export interface MovedUser extends Omit<NewUser, 'mustChangePassword' | 'requestedOrganizationId'> {
  readonly wanted: WantedId;
  readonly groupIds: readonly number[];
  /** ISO 8601 UTC. */
  readonly createdAt: string;
}

/** A project to move, with its members. */
export interface MovedProject extends Omit<Project, 'id'> {
  readonly wanted: WantedId;
  readonly members: readonly { readonly userId: number; readonly groupId: number }[];
}

/** An API key to move. Its prefix is its id in both systems. */
export interface MovedKey extends Omit<ApiKey, 'lastUsedAt'> {
  /** See `NewApiKey.hash`. */
  readonly hash: string;
}

/** An Earth-observation account to move. Credentials are not moved. */
export interface MovedEoAccount extends Pick<
  EoAccount,
  'name' | 'accountEmail' | 'serviceAccountEmail' | 'isVisible' | 'platform'
> {
  /**
   * At first, only this user may use the moved account. A superuser can allow other users to use the account when it
   * has credentials. A later move does not change who may use the account.
   */
  readonly ownerId: number;
}

/**
 * Moves accounts from another system. Each call stores one row and its `MovedRow` in one transaction. If the row was moved before, the call
 * changes the moved row. Only rights that differ from the last move are changed. A user may be disabled, but keeps all rights, and a
 * password that was set or upgraded here stays.
 */
export interface MoveStore {
  /** All rows of a kind that were moved from a system. */
  moved(source: string, kind: MovedKind): Promise<readonly MovedRow[]>;
  /** Stores that a row was moved. Called for kinds of rows that another store contains. */
  note(row: Omit<MovedRow, 'rights'>): Promise<void>;
  /**
   * The organisation gets the same UUID as in the other system. Throws `conflict` (fields `name`, `id`) if another organisation
   * has the name, ignoring case, or the id.
   */
  organization(from: MoveFrom, organization: Organization): Promise<string>;
  /**
   * Returns the id in this service: the wanted id, or a new id if another user has the wanted id. Throws `conflict` (field `username`) if
   * another user has the name, and `validation` (field `organization`) for an unknown organisation.
   */
  user(from: MoveFrom, user: MovedUser): Promise<number>;
  /**
   * Returns the id in this service, chosen as for a user. Throws `conflict` (field `name`) if another project has the
   * name.
   */
  project(from: MoveFrom, project: MovedProject): Promise<number>;
  /**
   * Throws `conflict` (field `prefix`) if another key has the prefix. Throws `conflict` without a field if the user has `most` active
   * keys, and `user_not_found` for an unknown user.
   */
  apiKey(from: MoveFrom, key: MovedKey, limit: { readonly most: number }): Promise<void>;
  /** Returns the id in this service. An account that was removed from this service is added again. */
  eoAccount(from: MoveFrom, account: MovedEoAccount): Promise<number>;
}
