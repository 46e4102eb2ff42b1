/** A role with a name, in an organisation or a project. */
export interface Group {
  readonly id: number;
  readonly name: string;
}

/** A project that several people work on. Membership gives no rights. */
export interface Project {
  readonly id: number;
  /** Unique, ignoring case. */
  readonly name: string;
  readonly organizationId: string | null;
}

/** A member of a project. */
export interface ProjectMember {
  readonly id: number;
  readonly projectId: number;
  readonly userId: number;
  readonly username: string;
  readonly group: Group;
}

/** Membership in groups and projects. */
export interface TeamStore {
  /**
   * Adds a user to a group; does nothing if the user is a member. Throws `not_found` if the user or the group does not exist;
   * `details.kind` names the missing one.
   */
  joinGroup(userId: number, groupId: number): Promise<void>;
  /** Removes a user from a group; does nothing if the user is not a member. */
  leaveGroup(userId: number, groupId: number): Promise<void>;
  /** Throws `conflict` (field `name`) if a project has this name, and `validation` for an unknown organisation. */
  createProject(project: Omit<Project, 'id'>): Promise<Project>;
  /** All projects, sorted by id. */
  projects(): Promise<readonly Project[]>;
  project(id: number): Promise<Project | undefined>;
  /** Undefined for an unknown project; throws `conflict` (field `name`) if another project has this name. */
  renameProject(id: number, name: string): Promise<Project | undefined>;
  /** Removes a project with its memberships; false if it does not exist. */
  removeProject(id: number): Promise<boolean>;
  /** Members sorted by id; empty for an unknown project. */
  members(projectId: number): Promise<readonly ProjectMember[]>;
  /** Adds a user to a project, or changes the group of a member. Throws `not_found` if project, user or group does not exist. */
  setMember(projectId: number, member: { readonly userId: number; readonly groupId: number }): Promise<ProjectMember>;
  /** False if the project has no such member. */
  removeMember(projectId: number, memberId: number): Promise<boolean>;
}
