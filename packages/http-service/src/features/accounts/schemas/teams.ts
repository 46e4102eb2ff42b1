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

/** A group as on the wire. */
export function groupBody({ id, name }: Group): z.infer<typeof GroupBody> {
  return { id, name, permissions: id === ORGANIZATION_ADMIN ? [READ_USERS] : [] };
}

/** Which group. */
export const GroupRequest = z.object({ group_id: idOrText.describe('Id of a group.') }).meta({ id: 'GroupRequest' });

/** Which organisation. */
export const OrganizationRequest = z
  .object({ organization_id: text(150).nullable().describe('Id of an organisation; null for none.') })
  .meta({ id: 'OrganizationRequest' });

/** A sentence and the user afterwards. */
export const ChangedUserBody = z.object({ message: z.string(), user: UserBody }).meta({ id: 'ChangedUser' });

/** A project. */
export const ProjectBody = z
  .object({ id: z.int(), name: z.string(), organization: z.string().nullable() })
  .meta({ id: 'Project' });

/** Several of them. */
export const ProjectList = z.array(ProjectBody);

/** Body of a new project. */
export const ProjectRequest = z
  .object({
    name: text(150).describe('No other project may have it.'),
    organization: text(150).nullable().optional().describe('Id of an organisation.'),
  })
  .meta({ id: 'ProjectRequest' });

/** A project as on the wire. */
export function projectBody({ id: projectId, name, organizationId }: Project): z.infer<typeof ProjectBody> {
  return { id: projectId, name, organization: organizationId };
}

/** Path parameter of a project. */
export const ProjectPk = z.object({ project_pk: integerText(1).describe('Id of a project.') });

/** Path parameters of somebody in a project. */
export const MemberId = ProjectPk.extend({ id: integerText(1).describe('Id under which the project has him.') });

/** Whom a project gets, and as what. */
export const MemberRequest = z
  .object({ user_id: idOrText.describe('Id of a user.'), group_id: idOrText.describe('Id of a group.') })
  .meta({ id: 'ProjectUserRequest' });

/** Somebody in a project. */
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

/** Everybody in it. */
export const MemberList = z.array(MemberBody);

/** Somebody in a project as on the wire. */
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
