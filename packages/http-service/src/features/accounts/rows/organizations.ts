import type { Organization } from '@headwater/identity';
import { z } from 'zod';
import { BODY_ERRORS, ok, PARAMETER_ERRORS, SUPERUSER_ERRORS } from '../../../rows/common.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json } from '../../../seam/reply.ts';
import { absent } from '../../../wire/absent.ts';
import { paths } from '../../../wire/paths.ts';
import { sentences } from '../../../wire/sentences.ts';
import { integerText } from '../../../wire/text.ts';

const OrganizationListQuery = z.object({
  limit: integerText(1, 1000).optional().describe('Maximum number of organisations; default 1000.'),
  offset: integerText(0).optional().describe('Number of organisations to skip; default 0.'),
});

const OrganizationId = z.object({ id: z.string().max(150).describe('Id of an organisation.') });

const OrganizationChange = z
  .object({
    is_listed: z.boolean(sentences.notBoolean).describe('True: the registration page lists the organisation.'),
  })
  .meta({ id: 'OrganizationChange' });

const OrganizationBody = z
  .object({ id: z.string(), name: z.string(), is_listed: z.boolean() })
  .meta({ id: 'Organization' });

const WholeOrganizationList = z.array(OrganizationBody);

function organizationBody({ id, name, isListed }: Organization): z.infer<typeof OrganizationBody> {
  return { id, name, is_listed: isListed };
}

const FOR_SUPERUSERS = { tag: 'accounts', noStore: true, auth: 'superuser' } as const;
const UNKNOWN = { id: '0190a000-0000-7000-8000-000000000009' };
const DEFAULT_LIMIT = 1000;

const listOrganizations = operation({
  ...FOR_SUPERUSERS,
  id: 'listAllOrganizations',
  method: 'GET',
  path: paths.organizations,
  summary: 'Lists all organisations, including those that users named when they registered (superusers only)',
  query: OrganizationListQuery,
  responses: { 200: ok('Organisations, ordered by name', WholeOrganizationList) },
  errors: [...SUPERUSER_ERRORS, ...PARAMETER_ERRORS],
  examples: [
    { name: 'the first', query: { limit: '10' }, status: 200 },
    { name: 'none', query: { limit: '0' }, status: 400 },
  ],
  async handler({ query: { limit = DEFAULT_LIMIT, offset = 0 } }, { stores }) {
    const found = await stores.people.organizations({ onlyListed: false, limit, offset });
    return json(200, found.map(organizationBody));
  },
});

const changeOrganization = operation({
  ...FOR_SUPERUSERS,
  id: 'changeOrganization',
  method: 'PATCH',
  path: paths.organization,
  summary: 'Lists an organisation on the registration page, or stops listing it (superusers only)',
  params: OrganizationId,
  body: OrganizationChange,
  responses: { 200: ok('The organisation', OrganizationBody) },
  errors: [...SUPERUSER_ERRORS, ...BODY_ERRORS, 'not_found'],
  examples: [
    { name: 'unknown', params: UNKNOWN, body: { is_listed: true }, status: 404 },
    { name: 'without is_listed', params: UNKNOWN, body: {}, status: 400 },
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
  summary: 'Removes an organisation (superusers only); its users and projects then have none',
  params: OrganizationId,
  responses: { 204: { description: 'The organisation is removed' } },
  errors: [...SUPERUSER_ERRORS, ...PARAMETER_ERRORS, 'not_found'],
  examples: [{ name: 'unknown', params: UNKNOWN, status: 404 }],
  async handler({ params }, { stores }) {
    if (!(await stores.people.removeOrganization(params.id))) throw absent('organization', {});
    return { status: 204, headers: {}, body: undefined };
  },
});

/** Operations for superusers: list, change and remove organisations, also those that new users named. */
export const organizationOperations = [
  listOrganizations,
  changeOrganization,
  removeOrganization,
] satisfies readonly Operation[];
