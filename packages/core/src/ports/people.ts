import type { User } from './accounts.ts';
import type { Group, Project } from './teams.ts';
import type { UserProfile } from './profiles.ts';

/** Whom people work for. Being one of an organisation gives no right. */
export interface Organization {
  /** UUID. */
  readonly id: string;
  /** Unique without regard to case. */
  readonly name: string;
}

/** A user with what is told of him. */
export interface Person {
  readonly user: User;
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
  /** Null: none. */
  readonly organizationId?: string | null;
  readonly mayCompute?: boolean;
}

/** Users as people: what a dashboard shows of them, beside what a request needs. */
export interface PeopleStore {
  /** All, by name. */
  organizations(): Promise<readonly Organization[]>;
  organization(id: string): Promise<Organization | undefined>;
  /** The one of this name without regard to case, made where there is none; of several that come at once one is made. */
  organizationNamed(name: string): Promise<Organization>;
  person(userId: number): Promise<Person | undefined>;
  /** All, by id. */
  people(): Promise<readonly Person[]>;
  /** The person afterwards; undefined where there is no such user. Throws `not_found` where there is no such organisation. */
  change(userId: number, change: PersonChange): Promise<Person | undefined>;
}
