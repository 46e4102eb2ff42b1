import type { Caller, User } from './accounts.ts';
import type { Group, Project } from './teams.ts';
import type { UserProfile } from './accounts.ts';

/** Employer or group of people. Members may only approve new members, and use its Earth-observation accounts. */
export interface Organization {
  /** UUID. */
  readonly id: string;
  /** Unique, ignoring case. */
  readonly name: string;
  /**
   * True if a superuser created or accepted the organisation. The registration page lists such an organisation. Other organisations are
   * visible only to their members and to superusers.
   */
  readonly isListed: boolean;
}

/** A user with further details. */
export interface Person {
  /** The user without the password hash. */
  readonly user: Omit<User, 'passwordHash'>;
  readonly profile: UserProfile;
  readonly organization: Organization | null;
  /**
   * Organisation that the person named when registering; null after a superuser or a member of the organisation has approved the request.
   */
  readonly requestedOrganization: Organization | null;
  /** Sorted by id. */
  readonly groups: readonly Group[];
  /** Projects of the person; for an administrator, all projects of the organisation. Sorted by id. */
  readonly projects: readonly Pick<Project, 'id' | 'name'>[];
}

/** Changes of a person; members that are absent do not change. */
export interface PersonChange extends Partial<Pick<User, 'email' | 'firstName' | 'lastName' | 'contactNumber'>> {
  readonly profile?: Partial<UserProfile>;
  /**
   * Id of the person's organisation; null for none. A change also ends a request to join an organisation. If the organisation changes, the
   * person leaves the group that administers organisations.
   */
  readonly organizationId?: string | null;
  readonly mayCompute?: boolean;
  /** False disables the user; if the user was active, this also increments `sessionVersion`. */
  readonly isActive?: boolean;
}

/** Requested page of a list. Without a limit, the page is the whole list. */
export interface ListPart {
  readonly limit?: number | undefined;
  /** Number of skipped entries; default: none. */
  readonly offset?: number | undefined;
}

/** Users with their details, for dashboards. */
export interface PeopleStore {
  /** Organisations, sorted by name: all organisations, or only the listed organisations. */
  organizations(wanted: ListPart & { readonly onlyListed: boolean }): Promise<readonly Organization[]>;
  organization(id: string): Promise<Organization | undefined>;
  /**
   * Finds the organisation of this name, ignoring case, or creates it. Concurrent calls create only one organisation. If `isListed` is
   * true, an unlisted organisation becomes listed and gets this spelling of its name. If `isListed` is false, an existing organisation does
   * not change.
   */
  organizationNamed(name: string, isListed: boolean): Promise<Organization>;
  /** Creates an organisation. Throws `conflict` (field `name`) if another one has this name, ignoring case. */
  addOrganization(name: string, isListed: boolean): Promise<Organization>;
  /**
   * Changes the name and the listing in one step; undefined if the organisation does not exist. Throws `conflict` (field `name`) if another
   * organisation has this name, ignoring case.
   */
  changeOrganization(id: string, change: Omit<Organization, 'id'>): Promise<Organization | undefined>;
  /** Lists or unlists an organisation for registration; undefined if the organisation does not exist. */
  listOrganization(id: string, isListed: boolean): Promise<Organization | undefined>;
  /**
   * Removes an organisation. Afterwards its people and projects have no organisation, and requests to join it have ended. Returns false
   * if the organisation does not exist.
   */
  removeOrganization(id: string): Promise<boolean>;
  person(userId: number): Promise<Person | undefined>;
  /** People, sorted by id: all people, or only the members of an organisation and the people who want to join it. */
  people(wanted?: ListPart & { readonly organizationId?: string | undefined }): Promise<readonly Person[]>;
  /**
   * Changes a person completely or not at all, and returns the person; undefined for an unknown user. Throws `validation` (field
   * `organization`) for an unknown organisation, and `token_not_valid` if the sessions of `by` have ended (default: the operator, without a
   * session).
   */
  change(userId: number, change: PersonChange, by?: Caller): Promise<Person | undefined>;
}
