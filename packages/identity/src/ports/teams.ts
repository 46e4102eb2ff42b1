/** Named role in an organisation or a project. */
export interface Group {
  readonly id: number;
  readonly name: string;
}

/** Project of several people. Membership gives no rights. */
export interface Project {
  readonly id: number;
  /** Unique, ignoring case. */
  readonly name: string;
  readonly organizationId: string | null;
}

/** Member of a project. */
export interface ProjectMember {
  readonly id: number;
  readonly projectId: number;
  readonly userId: number;
  readonly username: string;
  readonly group: Group;
}

/** Membership in groups and projects. */
export interface TeamStore {
  /** Adds a user to a group. Throws `not_found`, with `user` or `group` in `details.kind`. */
  joinGroup(userId: number, groupId: number): Promise<void>;
  /** Removes a user from a group; ignores a user who is no member. */
  leaveGroup(userId: number, groupId: number): Promise<void>;
  /** Creates a project. Throws `conflict` (field `name`) for a taken name, `validation` for an unknown organisation. */
  createProject(project: Omit<Project, 'id'>): Promise<Project>;
  /** All projects, sorted by id. */
  projects(): Promise<readonly Project[]>;
  project(id: number): Promise<Project | undefined>;
  /** Renames a project; undefined for an unknown project. Throws `conflict` (field `name`) for a taken name. */
  renameProject(id: number, name: string): Promise<Project | undefined>;
  /** Removes a project with its memberships; false for an unknown project. */
  removeProject(id: number): Promise<boolean>;
  /** Members by id; empty for an unknown project. */
  members(projectId: number): Promise<readonly ProjectMember[]>;
  /** Adds a user, or changes the group of a member. Throws `not_found` for an unknown project, user or group. */
  setMember(projectId: number, member: { readonly userId: number; readonly groupId: number }): Promise<ProjectMember>;
  /** Removes a member from a project; false for an unknown member. */
  removeMember(projectId: number, memberId: number): Promise<boolean>;
}
