import type { Organization } from '@headwater/identity';
import { z } from 'zod';
import { BODY_ERRORS, ok, PARAMETER_ERRORS, SUPERUSER_ERRORS } from '../../../rows/common.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json } from '../../../seam/reply.ts';
import { absent } from '../../../wire/absent.ts';
import { paths } from '../../../wire/paths.ts';
import { sentences } from '../../../wire/sentences.ts';
import { integerText } from '../../../wire/text.ts';

/** Which organisations of the list. */
const OrganizationListQuery = z.object({
  limit: integerText(1, 1000).optional().describe('Organisations at most; default 1000.'),
  offset: integerText(0).optional().describe('Organisations to skip; default 0.'),
});

/** Path parameter of an organisation. */
const OrganizationId = z.object({ id: z.string().max(150).describe('Id of an organisation.') });

/** Body of a change. */
const OrganizationChange = z
  .object({ is_listed: z.boolean(sentences.notBoolean).describe('Whether whoever registers is shown it.') })
  .meta({ id: 'OrganizationChange' });

/** An organisation as superusers see it. */
const OrganizationBody = z
  .object({ id: z.string(), name: z.string(), is_listed: z.boolean() })
  .meta({ id: 'Organization' });

/** Several of them. */
const WholeOrganizationList = z.array(OrganizationBody);

/** The same, of a stored one. */
function organizationBody({ id, name, isListed }: Organization): z.infer<typeof OrganizationBody> {
  return { id, name, is_listed: isListed };
}

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
