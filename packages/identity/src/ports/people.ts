import type { Caller, User } from './accounts.ts';
import type { Group, Project } from './teams.ts';
import type { UserProfile } from './accounts.ts';

/** Employer or group of people. Members may approve new members and use its Earth-observation accounts. */
export interface Organization {
  /** UUID. */
  readonly id: string;
  /** Unique, ignoring case. */
  readonly name: string;
  /** True if a superuser created or accepted the organisation, so that the registration page lists it. */
  readonly isListed: boolean;
}

/** User with further details. */
export interface Person {
  readonly user: Omit<User, 'passwordHash'>;
  readonly profile: UserProfile;
  readonly organization: Organization | null;
  /** Organisation that the person named at registration; null after the approval. */
  readonly requestedOrganization: Organization | null;
  readonly groups: readonly Group[];
  /** Projects of the person; for an administrator, also all projects of the organisation. Sorted by id. */
  readonly projects: readonly Pick<Project, 'id' | 'name'>[];
}

/** Changes of a person; absent members do not change. */
export interface PersonChange extends Partial<Pick<User, 'email' | 'firstName' | 'lastName' | 'contactNumber'>> {
  readonly profile?: Partial<UserProfile>;
  /**
   * New organisation; null for none. A change also ends a request to join, and membership of the group of
   * administrators.
   */
  readonly organizationId?: string | null;
  readonly mayCompute?: boolean;
  /** False disables the user and increments `sessionVersion`. */
  readonly isActive?: boolean;
}

/** Part of a list; without a limit, the whole list. */
export interface ListPart {
  readonly limit?: number | undefined;
  /** Number of skipped entries. */
  readonly offset?: number | undefined;
}

/** Users with their details, for dashboards. */
export interface PeopleStore {
  /** All or only the listed organisations, by name. */
  organizations(wanted: ListPart & { readonly onlyListed: boolean }): Promise<readonly Organization[]>;
  organization(id: string): Promise<Organization | undefined>;
  /**
   * Finds (ignoring case) or creates an organisation. If `isListed`, an unlisted organisation becomes listed and gets
   * this spelling.
   */
  organizationNamed(name: string, isListed: boolean): Promise<Organization>;
  /** Adds an organisation. Throws `conflict` (field `name`) for a taken name, ignoring case. */
  addOrganization(name: string, isListed: boolean): Promise<Organization>;
  /**
   * Changes name and listing; undefined for an unknown organisation. Throws `conflict` (field `name`) for a taken name.
   */
  changeOrganization(id: string, change: Omit<Organization, 'id'>): Promise<Organization | undefined>;
  /** Lists or unlists an organisation for registration; undefined for an unknown one. */
  listOrganization(id: string, isListed: boolean): Promise<Organization | undefined>;
  /**
   * Removes an organisation, also from its people, projects and requests to join. False for an unknown organisation.
   */
  removeOrganization(id: string): Promise<boolean>;
  person(userId: number): Promise<Person | undefined>;
  /** All people, or the members and applicants of an organisation, by id. */
  people(wanted?: ListPart & { readonly organizationId?: string | undefined }): Promise<readonly Person[]>;
  /**
   * Changes a person completely or not at all; undefined for an unknown user. Throws `validation` (field
   * `organization`), and `token_not_valid` if the sessions of `by` have ended.
   */
  change(userId: number, change: PersonChange, by?: Caller): Promise<Person | undefined>;
}
