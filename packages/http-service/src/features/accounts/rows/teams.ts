import { teamPartNotFound, groupOf, GROUPS, type UserPrincipal } from '@headwater/identity';
import { DomainError } from '@headwater/core';
import type { Ports } from '../../../deps.ts';
import { knownPerson } from '../handlers/known-person.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json, type Reply } from '../../../seam/reply.ts';
import { absent } from '../../../wire/absent.ts';
import { paths } from '../../../wire/paths.ts';
import {
  ChangedUserBody,
  groupBody,
  GroupBody,
  GroupId,
  GroupList,
  GroupRequest,
  memberBody,
  MemberBody,
  MemberId,
  MemberList,
  MemberRequest,
  OrganizationRequest,
  projectBody,
  ProjectBody,
  ProjectList,
  ProjectPk,
  ProjectRequest,
} from '../schemas/teams.ts';
import { UserBody, userBody, UserId } from '../schemas/users.ts';
import { sentences } from '../../../wire/sentences.ts';
import { BEARER_ERRORS, BODY_ERRORS, ok, PARAMETER_ERRORS, SUPERUSER_ERRORS } from '../../../rows/common.ts';

const TAG = { tag: 'accounts', noStore: true } as const;
const READ = { ...TAG, method: 'GET', auth: 'bearer' } as const;
const FOR_SUPERUSERS = { ...TAG, auth: 'superuser' } as const;
const CHANGE_ERRORS = [...SUPERUSER_ERRORS, ...BODY_ERRORS, 'not_found'] as const;
const USER_2 = { id: '2' };

const setOrganization = operation({
  ...TAG,
  auth: 'bearer',
  id: 'setOrganization',
  method: 'PUT',
  path: paths.setOrganization,
  summary: 'Sets the organisation of a user (superusers, and members of the organisation that the user wants to join)',
  description:
    'A user who registers can name an organisation. With this request, a superuser or a member of that organisation accepts the user. If the user was the administrator of another organisation, the user loses that role; a superuser can add the user to the group Organization Admin again.',
  params: UserId,
  body: OrganizationRequest,
  responses: { 200: ok('The user', UserBody) },
  errors: CHANGE_ERRORS,
  examples: [
    { name: 'by a reader of data', params: USER_2, body: { organization_id: null }, status: 403 },
    { name: 'an unknown organisation', params: USER_2, body: { organization_id: 'x' }, status: 404 },
  ],
  async handler({ principal, params, body, remoteAddress }, { accounts, stores }) {
    const { organization_id: organizationId } = body;
    const known = organizationId === null ? null : await stores.people.organization(organizationId);
    if (known === undefined) throw absent('organization', {});
    // Only superusers get an error about an unknown user. Other users get the same error as for a user whom they may
    // not change.
    if (principal.user.isSuperuser) await knownPerson(stores, params.id);
    const request = { userId: params.id, change: { organizationId: known === null ? null : known.id } };
    return json(200, userBody(await accounts.changePerson(principal, request, remoteAddress)));
  },
});

const GROUP_ROW = {
  ...FOR_SUPERUSERS,
  method: 'PUT',
  params: UserId,
  body: GroupRequest,
  responses: { 200: ok('The user', ChangedUserBody) },
  errors: CHANGE_ERRORS,
  examples: [
    { name: 'a member', params: USER_2, body: { group_id: 3 }, status: 200 },
    { name: 'an unknown group', params: USER_2, body: { group_id: 99 }, status: 404 },
    { name: 'nobody', params: { id: '99999' }, body: { group_id: 3 }, status: 404 },
  ],
} as const;

const setGroup = operation({
  ...GROUP_ROW,
  id: 'setGroup',
  path: paths.setGroup,
  summary: 'Adds a user to a group (superusers only)',
  async handler({ params, body }, deps) {
    await deps.stores.teams.joinGroup(params.id, body.group_id);
    return await changedGroup(deps, params.id, sentences.joined(groupOf(body.group_id).name));
  },
});

const removeGroup = operation({
  ...GROUP_ROW,
  id: 'removeGroup',
  path: paths.removeGroup,
  summary: 'Removes a user from a group (superusers only)',
  async handler({ params, body }, deps) {
    const group = groupOf(body.group_id);
    await knownPerson(deps.stores, params.id);
    await deps.stores.teams.leaveGroup(params.id, group.id);
    return await changedGroup(deps, params.id, sentences.left(group.name));
  },
});

async function changedGroup({ stores }: Ports<'stores'>, id: number, message: string): Promise<Reply> {
  return json(200, { message, user: userBody(await knownPerson(stores, id)) });
}

const listGroups = operation({
  ...READ,
  id: 'listGroups',
  path: paths.groups,
  summary: 'Lists groups and the rights of their members',
  responses: { 200: ok('Groups, ordered by id', GroupList) },
  errors: BEARER_ERRORS,
  examples: [{ name: 'all', status: 200 }],
  handler: () => json(200, GROUPS.map(groupBody)),
});

const getGroup = operation({
  ...READ,
  id: 'getGroup',
  path: paths.group,
  summary: 'Returns a group',
  params: GroupId,
  responses: { 200: ok('The group', GroupBody) },
  errors: [...BEARER_ERRORS, ...PARAMETER_ERRORS, 'not_found'],
  examples: [
    { name: 'the first', params: { id: '1' }, status: 200 },
    { name: 'unknown', params: { id: '99' }, status: 404 },
  ],
  handler: ({ params }) => json(200, groupBody(groupOf(params.id))),
});

const PROJECTS = {
  ...READ,
  responses: { 200: ok('Projects, ordered by id', ProjectList) },
  errors: BEARER_ERRORS,
  examples: [{ name: 'all', status: 200 }],
} as const;

const myProjects = operation({
  ...PROJECTS,
  id: 'myProjects',
  path: paths.myProjects,
  summary: "Lists the caller's projects; for the administrator of an organisation, all of its projects",
  handler: async ({ principal }, deps) => json(200, await projectsOf(deps, principal)),
});

const listProjects = operation({
  ...PROJECTS,
  id: 'listProjects',
  path: paths.projects,
  summary: "Lists projects: all for superusers, the caller's own for other users",
  async handler({ principal }, deps) {
    if (!principal.user.isSuperuser) return json(200, await projectsOf(deps, principal));
    return json(200, (await deps.stores.teams.projects()).map(projectBody));
  },
});

async function projectsOf({ stores }: Ports<'stores'>, { user }: UserPrincipal) {
  const [{ projects }, all] = await Promise.all([knownPerson(stores, user.id), stores.teams.projects()]);
  const own = new Set(projects.map(({ id }) => id));
  return all.filter(({ id }) => own.has(id)).map(projectBody);
}

const createProject = operation({
  ...FOR_SUPERUSERS,
  id: 'createProject',
  method: 'POST',
  path: paths.projects,
  summary: 'Creates a project (superusers only)',
  body: ProjectRequest,
  responses: { 201: ok('The project', ProjectBody) },
  errors: [...SUPERUSER_ERRORS, ...BODY_ERRORS, 'conflict'],
  examples: [
    { name: 'no name', body: {}, status: 400 },
    { name: 'a project', body: { name: 'Ponds of the north' }, status: 201 },
  ],
  async handler({ body }, { stores }) {
    const { name, organization = null } = body;
    return json(201, projectBody(await stores.teams.createProject({ name, organizationId: organization })));
  },
});

const PROJECT = { project_pk: '99999' };

const listProjectUsers = operation({
  ...READ,
  id: 'listProjectUsers',
  path: paths.projectUsers,
  summary: 'Lists the members of a project, for its members and for superusers',
  params: ProjectPk,
  responses: { 200: ok('Members, ordered by id', MemberList) },
  errors: [...BEARER_ERRORS, ...PARAMETER_ERRORS, 'not_found'],
  examples: [{ name: 'unknown', params: PROJECT, status: 404 }],
  async handler({ principal, params }, { stores }) {
    const { project_pk: id } = params;
    const { projects } = await knownPerson(stores, principal.user.id);
    const mayRead = principal.user.isSuperuser || projects.some((project) => project.id === id);
    // Users who may not read the project get the error of an unknown project.
    if (!mayRead || (await stores.teams.project(id)) === undefined) throw teamPartNotFound('project', id);
    return json(200, (await stores.teams.members(id)).map(memberBody));
  },
});

const setProjectUser = operation({
  ...FOR_SUPERUSERS,
  id: 'setProjectUser',
  method: 'POST',
  path: paths.projectUsers,
  summary: 'Adds a user to a project, or changes the group of a member (superusers only)',
  params: ProjectPk,
  body: MemberRequest,
  responses: { 201: ok('The member, with its id in the project', MemberBody) },
  errors: CHANGE_ERRORS,
  examples: [{ name: 'unknown', params: PROJECT, body: { user_id: 2, group_id: 3 }, status: 404 }],
  async handler({ params, body }, { stores }) {
    const member = { userId: body.user_id, groupId: body.group_id };
    return json(201, memberBody(await stores.teams.setMember(params.project_pk, member)));
  },
});

const removeProjectUser = operation({
  ...FOR_SUPERUSERS,
  id: 'removeProjectUser',
  method: 'DELETE',
  path: paths.projectUser,
  summary: 'Removes a member from a project (superusers only)',
  params: MemberId,
  responses: { 204: { description: 'The member is removed' } },
  errors: [...SUPERUSER_ERRORS, ...PARAMETER_ERRORS, 'not_found'],
  examples: [{ name: 'unknown', params: { ...PROJECT, id: '1' }, status: 404 }],
  async handler({ params }, { stores }) {
    const { project_pk: projectId, id } = params;
    if (await stores.teams.removeMember(projectId, id)) return { status: 204, headers: {}, body: undefined };
    throw new DomainError('not_found', 'The project has no member with this id.', {
      details: { kind: 'member', id: String(id) },
    });
  },
});

/** Operations of organisations, groups and projects of users. */
export const teamOperations = [
  setOrganization,
  setGroup,
  removeGroup,
  listGroups,
  getGroup,
  myProjects,
  listProjects,
  createProject,
  listProjectUsers,
  setProjectUser,
  removeProjectUser,
] satisfies readonly Operation[];
