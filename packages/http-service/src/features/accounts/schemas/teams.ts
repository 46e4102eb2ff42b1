import { GROUPS, type Group, ORGANIZATION_ADMIN, type Project, type ProjectMember } from '@headwater/identity';
import { z } from 'zod';
import { idOrText, integerText, text } from '../../../wire/text.ts';
import { UserBody } from './users.ts';

const Permission = z.object({ id: z.int(), codename: z.string(), name: z.string() });
const READ_USERS = { id: 1, codename: 'view_user', name: 'Can read the users of the organisation' };

/** A group. */
export const GroupBody = z
  .object({ id: z.int(), name: z.string(), permissions: z.array(Permission) })
  .meta({ id: 'Group' });

/** All groups. */
export const GroupList = z.array(GroupBody);

/** Path parameter of a group. */
export const GroupId = z.object({
  id: integerText(1).describe(`Id of a group: ${GROUPS.map(({ id }) => id).join(', ')}.`),
});

/** A group in wire form. */
export function groupBody({ id, name }: Group): z.infer<typeof GroupBody> {
  return { id, name, permissions: id === ORGANIZATION_ADMIN ? [READ_USERS] : [] };
}

/** Body that names a group. */
export const GroupRequest = z.object({ group_id: idOrText.describe('Id of a group.') }).meta({ id: 'GroupRequest' });

/** Body that names an organisation. */
export const OrganizationRequest = z
  .object({ organization_id: text(150).nullable().describe('Id of an organisation; null for none.') })
  .meta({ id: 'OrganizationRequest' });

/** A message and the changed user. */
export const ChangedUserBody = z.object({ message: z.string(), user: UserBody }).meta({ id: 'ChangedUser' });

/** A project. */
export const ProjectBody = z
  .object({ id: z.int(), name: z.string(), organization: z.string().nullable() })
  .meta({ id: 'Project' });

/** List of projects. */
export const ProjectList = z.array(ProjectBody);

/** Body of a new project. */
export const ProjectRequest = z
  .object({
    name: text(150).describe('Name of the project, which must be unique.'),
    organization: text(150).nullable().optional().describe('Id of an organisation.'),
  })
  .meta({ id: 'ProjectRequest' });

/** A project in wire form. */
export function projectBody({ id: projectId, name, organizationId }: Project): z.infer<typeof ProjectBody> {
  return { id: projectId, name, organization: organizationId };
}

/** Path parameter of a project. */
export const ProjectPk = z.object({ project_pk: integerText(1).describe('Id of a project.') });

/** Path parameters of a member of a project. */
export const MemberId = ProjectPk.extend({
  id: integerText(1).describe('Id of the membership (`id` in the list of members), not of the user.'),
});

/** Body that adds a member, or changes the group of a member. */
export const MemberRequest = z
  .object({ user_id: idOrText.describe('Id of a user.'), group_id: idOrText.describe('Id of a group.') })
  .meta({ id: 'ProjectUserRequest' });

/** A member of a project. */
export const MemberBody = z
  .object({
    id: z.int(),
    user_id: z.int(),
    username: z.string(),
    group_id: z.int(),
    group_name: z.string(),
    project_id: z.int(),
  })
  .meta({ id: 'ProjectUser' });

/** All members of a project. */
export const MemberList = z.array(MemberBody);

/** Converts a member of a project into its wire form. */
export function memberBody({
  id: memberId,
  userId,
  username,
  group,
  projectId,
}: ProjectMember): z.infer<typeof MemberBody> {
  return {
    id: memberId,
    user_id: userId,
    username,
    group_id: group.id,
    group_name: group.name,
    project_id: projectId,
  };
}
