import type { EoAccount } from '@headwater/core';
import type { NewUser } from './accounts.ts';
import type { ApiKey } from './api-keys.ts';
import type { Organization } from './people.ts';
import type { Project } from './teams.ts';

/** Kind of a row that was copied from another system ("moved"). */
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
 * Rights that a row had in the other system at the last move (`isSuperuser`, `mayCompute`: at any move; decision 240).
 * The next move applies only rights that differ from these, so rights that were changed here stay.
 */
export interface MovedRights {
  readonly isActive?: boolean;
  readonly isSuperuser?: boolean;
  readonly mayCompute?: boolean;
  readonly organizationId?: string | null;
  readonly groupIds?: readonly number[];
  readonly members?: MovedProject['members'];
}

/** Row of another system that was moved to this one. */
export interface MovedRow {
  /** Name of the other system. */
  readonly source: string;
  readonly kind: MovedKind;
  /** Id in the other system, unique within its kind. */
  readonly sourceId: string;
  /** Id in this service. */
  readonly targetId: string;
  /** Digest of the moved data; an unchanged row is skipped. */
  readonly digest: string;
  /** Rights in the other system (see `MovedRights`); empty for kinds without rights. */
  readonly rights: MovedRights;
}

/** Origin of a row that is moved. */
export type MoveFrom = Pick<MovedRow, 'source' | 'sourceId' | 'digest'>;

/** Id in the other system. The moved row keeps this id if the id is free here and at most `reserved`. */
export interface WantedId {
  readonly id: number;
  /** Greatest id that a moved row may keep; new ids are greater. */
  readonly reserved: number;
}

/** User to move, with groups. */
export interface MovedUser extends Omit<NewUser, 'mustChangePassword' | 'requestedOrganizationId'> {
  readonly wanted: WantedId;
  readonly groupIds: readonly number[];
  readonly createdAt: string;
}

/** Project to move, with its members. */
export interface MovedProject extends Omit<Project, 'id'> {
  readonly wanted: WantedId;
  readonly members: readonly { readonly userId: number; readonly groupId: number }[];
}

/** API key to move. Its prefix is its id in both systems. */
export interface MovedKey extends Omit<ApiKey, 'lastUsedAt'> {
  /** See `NewApiKey.hash`. */
  readonly hash: string;
}

/** Earth-observation account to move, without credentials. */
export interface MovedEoAccount extends Pick<
  EoAccount,
  'name' | 'accountEmail' | 'serviceAccountEmail' | 'isVisible' | 'platform'
> {
  /** At first, only this user may use the account. A later move does not change who may use it. */
  readonly ownerId: number;
}

/**
 * Moves accounts from another system; each call is one transaction. A move changes only rights that differ from the
 * last move, and keeps a password that was set here.
 */
export interface MoveStore {
  /** All rows of a kind that were moved from a system. */
  moved(source: string, kind: MovedKind): Promise<readonly MovedRow[]>;
  /** Records the move of a row that is in another store, such as a tehsil or a layer. */
  note(row: Omit<MovedRow, 'rights'>): Promise<void>;
  /**
   * Moves an organisation, which keeps its UUID. Throws `conflict` (fields `name`, `id`) if another organisation has
   * this name or id.
   */
  organization(from: MoveFrom, organization: Organization): Promise<string>;
  /**
   * Moves a user, and returns the id in this service. Throws `conflict` (field `username`) for a taken name,
   * `validation` (field `organization`) for an unknown organisation.
   */
  user(from: MoveFrom, user: MovedUser): Promise<number>;
  /** Moves a project, and returns the id in this service. Throws `conflict` (field `name`) for a taken name. */
  project(from: MoveFrom, project: MovedProject): Promise<number>;
  /**
   * Moves an API key. Throws `conflict` for a taken prefix (field `prefix`) or if the owner has `most`
   * active keys, and `user_not_found`.
   */
  apiKey(from: MoveFrom, key: MovedKey, limit: { readonly most: number }): Promise<void>;
  /** Moves an Earth-observation account, and returns the id in this service. A removed account is added again. */
  eoAccount(from: MoveFrom, account: MovedEoAccount): Promise<number>;
}
