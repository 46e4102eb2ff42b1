/** What people are to each other: a role of one of these names, in an organisation or a project. */
export interface Group {
  readonly id: number;
  readonly name: string;
}

/** A piece of work that several people have in common. Being in one gives no right. */
export interface Project {
  readonly id: number;
  /** Unique without regard to case. */
  readonly name: string;
  readonly organizationId: string | null;
}

/** Somebody in a project. */
export interface ProjectMember {
  readonly id: number;
  readonly projectId: number;
  readonly userId: number;
  readonly username: string;
  readonly group: Group;
}

/** Who is in which group and project. */
export interface TeamStore {
  /** Puts a user into a group, where he may be already. Throws `not_found` (`details.kind`) where either is not there. */
  joinGroup(userId: number, groupId: number): Promise<void>;
  /** Takes him out, where he may be no longer. */
  leaveGroup(userId: number, groupId: number): Promise<void>;
  /** Throws `conflict` (field `name`) where a project has this name, and `validation` where there is no such organisation. */
  createProject(project: Omit<Project, 'id'>): Promise<Project>;
  /** All, by id. */
  projects(): Promise<readonly Project[]>;
  project(id: number): Promise<Project | undefined>;
  /** By id; none where there is no such project. */
  members(projectId: number): Promise<readonly ProjectMember[]>;
  /** Puts a user into a project, or into another group of it. Throws `not_found` where project, user or group is not there. */
  setMember(projectId: number, member: { readonly userId: number; readonly groupId: number }): Promise<ProjectMember>;
  /** False where there is no such member in it. */
  removeMember(projectId: number, memberId: number): Promise<boolean>;
}
