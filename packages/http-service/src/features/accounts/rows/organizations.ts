import { operation, type Operation } from '../../../rows/operation.ts';
import { json } from '../../../seam/reply.ts';
import { absent } from '../../../wire/absent.ts';
import { paths } from '../../../wire/paths.ts';
import {
  OrganizationChange,
  organizationBody,
  OrganizationBody,
  OrganizationId,
  OrganizationListQuery,
  WholeOrganizationList,
} from '../schemas/organizations.ts';
import { BODY_ERRORS, ok, PARAMETER_ERRORS, SUPERUSER_ERRORS } from '../../../rows/common.ts';

const FOR_SUPERUSERS = { tag: 'accounts', noStore: true, auth: 'superuser' } as const;
const NOBODY = { id: '0190a000-0000-7000-8000-000000000009' };
const MOST = 1000;

const listOrganizations = operation({
  ...FOR_SUPERUSERS,
  id: 'listAllOrganizations',
  method: 'GET',
  path: paths.organizations,
  summary: 'Lists organisations, also those that were named by people who registered, for superusers',
  query: OrganizationListQuery,
  responses: { 200: ok('By name', WholeOrganizationList) },
  errors: [...SUPERUSER_ERRORS, ...PARAMETER_ERRORS],
  examples: [
    { name: 'the first', query: { limit: '10' }, status: 200 },
    { name: 'none', query: { limit: '0' }, status: 400 },
  ],
  async handler({ query: { limit = MOST, offset = 0 } }, { stores }) {
    const found = await stores.people.organizations({ onlyListed: false, limit, offset });
    return json(200, found.map(organizationBody));
  },
});

const changeOrganization = operation({
  ...FOR_SUPERUSERS,
  id: 'changeOrganization',
  method: 'PATCH',
  path: paths.organization,
  summary: 'Shows an organisation to whoever registers, or no longer, for superusers',
  params: OrganizationId,
  body: OrganizationChange,
  responses: { 200: ok('The organisation', OrganizationBody) },
  errors: [...SUPERUSER_ERRORS, ...BODY_ERRORS, 'not_found'],
  examples: [
    { name: 'unknown', params: NOBODY, body: { is_listed: true }, status: 404 },
    { name: 'no wish', params: NOBODY, body: {}, status: 400 },
  ],
  async handler({ params, body }, { stores }) {
    const changed = await stores.people.listOrganization(params.id, body.is_listed);
    if (changed === undefined) throw absent('organization', {});
    return json(200, organizationBody(changed));
  },
});

const removeOrganization = operation({
  ...FOR_SUPERUSERS,
  id: 'removeOrganization',
  method: 'DELETE',
  path: paths.organization,
  summary: 'Removes an organisation, for superusers: its people and projects are of none then',
  params: OrganizationId,
  responses: { 204: { description: 'It is gone' } },
  errors: [...SUPERUSER_ERRORS, ...PARAMETER_ERRORS, 'not_found'],
  examples: [{ name: 'unknown', params: NOBODY, status: 404 }],
  async handler({ params }, { stores }) {
    if (!(await stores.people.removeOrganization(params.id))) throw absent('organization', {});
    return { status: 204, headers: {}, body: undefined };
  },
});

/** Organisations, for superusers: strangers name them, nobody else cleans up. */
export const organizationOperations = [
  listOrganizations,
  changeOrganization,
  removeOrganization,
] satisfies readonly Operation[];
