import type { User, PageSession } from './accounts.ts';
import type { ApiKey } from './api-keys.ts';
import type { ListPart, Organization } from './people.ts';
import type { Group, Project } from './teams.ts';

/** Requested part of a list, and words that its rows must contain. */
export interface DirectoryQuery {
  /** Words in each row, ignoring case. */
  readonly search?: string;
  readonly limit: number;
  readonly offset: number;
  readonly isDescending?: boolean;
}

/** Rows of a part, and the number of all matching rows. */
export interface DirectoryPage<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** API key with its owner and its uses on days (UTC). */
export interface ListedKey extends ApiKey {
  readonly username: string;
  /** False if the owner is disabled, so that the key does not work. */
  readonly ownerIsActive: boolean;
  readonly usesToday: number;
  /** Uses today and on the day before. */
  readonly usesSinceYesterday: number;
  /** Uses in the last 30 days, including today. */
  readonly usesInMonth: number;
}

/** State of a key: neither expired nor ended (`active`), expired, or ended, for example by its owner. */
export type KeyState = 'active' | 'expired' | 'ended';

/** Order of keys; `id`: by creation. */
export type KeyOrder = 'id' | 'username' | 'name' | 'expiresAt' | 'lastUsedAt';

/** A part of all API keys. */
export interface KeyQuery extends DirectoryQuery {
  /** ISO 8601 UTC; determines expired keys and today. */
  readonly now: string;
  readonly state?: KeyState | undefined;
  readonly prefix?: string;
  readonly order?: KeyOrder;
}

/** Organisation with numbers of its people and projects. */
export interface ListedOrganization extends Organization {
  readonly members: number;
  /** People who want to join. */
  readonly requests: number;
  readonly projects: number;
}

interface OrganizationQuery extends DirectoryQuery {
  readonly isListed?: boolean | undefined;
  readonly hasRequests?: boolean;
  readonly name?: string;
}

/** Project with the name of its organisation and the number of its members. */
export interface ListedProject extends Project {
  readonly organizationName: string | null;
  readonly members: number;
}

interface ProjectQuery extends DirectoryQuery {
  readonly organizationId?: string;
  /** Order of the list; default: `id`, the order of creation. */
  readonly order?: 'id' | 'name';
}

/** People of one organisation, group or project. `requests`: people who want to join the organisation with this id. */
export type MembersOf =
  | { readonly organization: string }
  | { readonly requests: string }
  | { readonly group: number }
  | { readonly project: number };

/** Person in a list of members. */
export interface ListedMember extends Pick<User, 'username' | 'firstName' | 'lastName' | 'isActive'> {
  readonly userId: number;
  /** Membership in the project; null in lists of an organisation or a group. */
  readonly member: { readonly id: number; readonly group: Group } | null;
}

/** Person who wants to join an organisation. */
export interface ListedRequest extends Pick<User, 'username' | 'firstName' | 'lastName' | 'createdAt'> {
  readonly userId: number;
  readonly organizationId: string;
  readonly organizationName: string;
}

/** Open browser session with its user's name. */
export interface ListedSession extends PageSession {
  readonly username: string;
}

/** Lists of accounts for operators. The store searches a list and returns one part of it. */
export interface DirectoryStore {
  keys(query: KeyQuery): Promise<DirectoryPage<ListedKey>>;
  organizations(query: OrganizationQuery): Promise<DirectoryPage<ListedOrganization>>;
  projects(query: ProjectQuery): Promise<DirectoryPage<ListedProject>>;
  /** Members sorted by user id, or only the user `userId`. */
  members(of: MembersOf, part: ListPart & { readonly userId?: number }): Promise<DirectoryPage<ListedMember>>;
  /** People who want to join an organisation, sorted by user id. */
  requests(query: DirectoryQuery): Promise<DirectoryPage<ListedRequest>>;
  /** Number of members by group id, without empty groups. */
  groupSizes(): Promise<ReadonlyMap<number, number>>;
  /** Sessions that are open at `now`, newest first. */
  sessions(query: DirectoryQuery & { readonly now: string }): Promise<DirectoryPage<ListedSession>>;
}
