import type { Caller, User } from './accounts.ts';
import type { Group, Project } from './teams.ts';
import type { UserProfile } from './accounts.ts';

/** Employer or group of people. Membership gives no rights. */
export interface Organization {
  /** UUID. */
  readonly id: string;
  /** Unique, ignoring case. */
  readonly name: string;
  /**
   * True if a superuser created or accepted it: the registration page lists it. Others are visible only to their members and to superusers.
   */
  readonly isListed: boolean;
}

/** A user with further details. */
export interface Person {
  /** The user without the password hash. */
  readonly user: Omit<User, 'passwordHash'>;
  readonly profile: UserProfile;
  readonly organization: Organization | null;
  /** Organisation that the person named when registering, until a superuser or a member approves it. */
  readonly requestedOrganization: Organization | null;
  /** By id. */
  readonly groups: readonly Group[];
  /** Projects of the person; all projects of the organisation for its administrator. By id. */
  readonly projects: readonly Pick<Project, 'id' | 'name'>[];
}

/** Changes of a person; absent members stay. */
export interface PersonChange extends Partial<Pick<User, 'email' | 'firstName' | 'lastName' | 'contactNumber'>> {
  readonly profile?: Partial<UserProfile>;
  /**
   * Null: none. Ends the request for a membership. A change of the organisation removes the person from the group that administers
   * organisations.
   */
  readonly organizationId?: string | null;
  readonly mayCompute?: boolean;
  /** False also increments `sessionVersion` if the user was active. */
  readonly isActive?: boolean;
}

/** Page of a list; without a limit all of it. */
export interface ListPart {
  readonly limit?: number | undefined;
  /** Number of skipped entries; default: none. */
  readonly offset?: number | undefined;
}

/** Users with their details, for dashboards. */
export interface PeopleStore {
  /** By name; all, or only listed ones. */
  organizations(wanted: ListPart & { readonly onlyListed: boolean }): Promise<readonly Organization[]>;
  organization(id: string): Promise<Organization | undefined>;
  /**
   * Finds the organisation of this name, ignoring case, or creates it; concurrent calls create one. `isListed` lists an unlisted one under
   * this spelling; false leaves an existing one unchanged.
   */
  organizationNamed(name: string, isListed: boolean): Promise<Organization>;
  /** Lists or unlists it for registration; undefined if it does not exist. */
  listOrganization(id: string, isListed: boolean): Promise<Organization | undefined>;
  /** Removes it: its people and projects have no organisation from then on, and requests to join it end. False if it does not exist. */
  removeOrganization(id: string): Promise<boolean>;
  person(userId: number): Promise<Person | undefined>;
  /** By id; all, or only those of an organisation and those who want to join it. */
  people(wanted?: ListPart & { readonly organizationId?: string | undefined }): Promise<readonly Person[]>;
  /**
   * Changes a person completely or not at all, and returns the person; undefined for an unknown user. Throws `validation` (field
   * `organization`) for an unknown organisation, and `token_not_valid` if the sessions of `by` have ended (default: the operator, without a
   * session).
   */
  change(userId: number, change: PersonChange, by?: Caller): Promise<Person | undefined>;
}
