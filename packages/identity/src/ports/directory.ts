import type { User, PageSession } from './accounts.ts';
import type { ApiKey } from './api-keys.ts';
import type { ListPart, Organization } from './people.ts';
import type { Group, Project } from './teams.ts';

/** A requested part of a list, and the words that its rows must contain. */
export interface DirectoryQuery {
  /** Words that a row must contain, ignoring case; default: every row. */
  readonly search?: string;
  readonly limit: number;
  readonly offset: number;
  /** True for the reverse order. */
  readonly isDescending?: boolean;
}

/** Rows of a part, and the number of all rows that match. */
export interface DirectoryPage<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** An API key with its owner and its uses on days (UTC). */
export interface ListedKey extends ApiKey {
  readonly username: string;
  /** False if the owner's account is disabled, so that the key does not work. */
  readonly ownerIsActive: boolean;
  readonly usesToday: number;
  /** Uses today and on the day before. */
  readonly usesSinceYesterday: number;
  /** Uses in the last 30 days, including today. */
  readonly usesInMonth: number;
}

/** State of a key at a given time: usable, expired, or ended by a person. */
export type KeyState = 'active' | 'expired' | 'ended';

/** Column by which keys are sorted; `id`: the order of their creation. */
export type KeyOrder = 'id' | 'username' | 'name' | 'expiresAt' | 'lastUsedAt';

/** A part of all API keys. */
export interface KeyQuery extends DirectoryQuery {
  /** Present time, ISO 8601 UTC. This time determines which keys have expired, and which day is today. */
  readonly now: string;
  readonly state?: KeyState | undefined;
  /** Only the key with this prefix. */
  readonly prefix?: string;
  readonly order?: KeyOrder;
}

/** An organisation with numbers of its people and projects. */
export interface ListedOrganization extends Organization {
  readonly members: number;
  /** Number of people who want to join the organisation. */
  readonly requests: number;
  readonly projects: number;
}

/** A part of all organisations, sorted by name. */
interface OrganizationQuery extends DirectoryQuery {
  readonly isListed?: boolean | undefined;
  /** True: only organisations that people want to join. */
  readonly hasRequests?: boolean;
  /** Only the organisation with this name, ignoring case. */
  readonly name?: string;
}

/** A project with the name of its organisation and the number of its members. */
export interface ListedProject extends Project {
  readonly organizationName: string | null;
  readonly members: number;
}

/** A part of all projects. */
interface ProjectQuery extends DirectoryQuery {
  /** Only the projects of this organisation. */
  readonly organizationId?: string;
  /** Default: `id`, the order of their creation. */
  readonly order?: 'id' | 'name';
}

/** People of one organisation, group or project; `requests`: people who want to join this organisation. */
export type MembersOf =
  | { readonly organization: string }
  | { readonly requests: string }
  | { readonly group: number }
  | { readonly project: number };

/** A person in a list of members. */
export interface ListedMember extends Pick<User, 'username' | 'firstName' | 'lastName' | 'isActive'> {
  readonly userId: number;
  /** Id and role of a member of a project; null in other lists. */
  readonly member: { readonly id: number; readonly group: Group } | null;
}

/** A person who wants to join an organisation. */
export interface ListedRequest extends Pick<User, 'username' | 'firstName' | 'lastName' | 'createdAt'> {
  readonly userId: number;
  readonly organizationId: string;
  readonly organizationName: string;
}

/** An open browser session with the name of its user. */
export interface ListedSession extends PageSession {
  readonly username: string;
}

/** Lists of accounts for operators. The store searches the lists and returns one part of them. */
export interface DirectoryStore {
  keys(query: KeyQuery): Promise<DirectoryPage<ListedKey>>;
  organizations(query: OrganizationQuery): Promise<DirectoryPage<ListedOrganization>>;
  projects(query: ProjectQuery): Promise<DirectoryPage<ListedProject>>;
  /** People sorted by the id of the user, or only the user `userId`. */
  members(of: MembersOf, part: ListPart & { readonly userId?: number }): Promise<DirectoryPage<ListedMember>>;
  /** People who want to join an organisation, sorted by id. */
  requests(query: DirectoryQuery): Promise<DirectoryPage<ListedRequest>>;
  /** Number of members by the id of the group; groups without members are left out. */
  groupSizes(): Promise<ReadonlyMap<number, number>>;
  /** Sessions that are open at `now`, newest first. */
  sessions(query: DirectoryQuery & { readonly now: string }): Promise<DirectoryPage<ListedSession>>;
}
