import type { Caller, User } from './accounts.ts';
import type { Group, Project } from './teams.ts';
import type { UserProfile } from './accounts.ts';

/** Whom people work for. Being one of an organisation gives no right. */
export interface Organization {
  /** UUID. */
  readonly id: string;
  /** Unique without regard to case. */
  readonly name: string;
  /** A superuser named it, or accepted it: it is shown to whoever registers. Others are told to their own people and to superusers. */
  readonly isListed: boolean;
}

/** A user with what is told of him. */
export interface Person {
  /** Without what nobody is told. */
  readonly user: Omit<User, 'passwordHash'>;
  readonly profile: UserProfile;
  readonly organization: Organization | null;
  /** By id. */
  readonly groups: readonly Group[];
  /** Those that he is in; of who administers an organisation, all of it. By id. */
  readonly projects: readonly Pick<Project, 'id' | 'name'>[];
}

/** What of a person is to change; what is absent stays. */
export interface PersonChange extends Partial<Pick<User, 'email' | 'firstName' | 'lastName' | 'contactNumber'>> {
  readonly profile?: Partial<UserProfile>;
  /** Null: none. Another one than before takes the group that administers organisations from him. */
  readonly organizationId?: string | null;
  readonly mayCompute?: boolean;
  /** False also raises `sessionVersion` by one where he was active. */
  readonly isActive?: boolean;
}

/** Which part of a list; without a limit all of it. */
export interface ListPart {
  readonly limit?: number | undefined;
  /** How many are left out first; default: none. */
  readonly offset?: number | undefined;
}

/** Users as people: what a dashboard shows of them, beside what a request needs. */
export interface PeopleStore {
  /** By name; all, or those that are listed alone. */
  organizations(wanted: ListPart & { readonly onlyListed: boolean }): Promise<readonly Organization[]>;
  organization(id: string): Promise<Organization | undefined>;
  /**
   * The one of this name without regard to case, made where there is none; of several that come at once one is made. `isListed` lists it under
   * this spelling where it was not listed; false leaves one that is there as it is.
   */
  organizationNamed(name: string, isListed: boolean): Promise<Organization>;
  /** Lists it for whoever registers, or no longer; undefined where there is none. */
  listOrganization(id: string, isListed: boolean): Promise<Organization | undefined>;
  /** Removes it: its people and projects are of none from then on. False where there is none. */
  removeOrganization(id: string): Promise<boolean>;
  person(userId: number): Promise<Person | undefined>;
  /** By id; all, or those of an organisation alone. */
  people(wanted?: ListPart & { readonly organizationId?: string | undefined }): Promise<readonly Person[]>;
  /**
   * The person afterwards, all of it changed or nothing; undefined where there is no such user. Throws `validation` (field `organization`) where
   * there is no such organisation, and `token_not_valid` if the sessions of `by` have ended (default: the operator, who has none).
   */
  change(userId: number, change: PersonChange, by?: Caller): Promise<Person | undefined>;
}
