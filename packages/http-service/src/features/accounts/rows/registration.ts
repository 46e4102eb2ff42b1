import { z } from 'zod';
import { knownPerson, conflictAsFieldError } from '../handlers/known-person.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json } from '../../../seam/reply.ts';
import { paths } from '../../../wire/paths.ts';
import {
  OrganizationList,
  registeredBody,
  RegisteredBody,
  RegisterFields,
  RegisterRequest,
  registrationOf,
} from '../schemas/users.ts';
import { BODY_ERRORS, ok, PARAMETER_ERRORS } from '../../../rows/common.ts';

const NEW_USER = {
  username: 'new_reader',
  email: 'reader@example.org',
  password: 'tall-river-42',
  password_confirm: 'tall-river-42',
};

const register = operation({
  id: 'register',
  method: 'POST',
  path: paths.register,
  auth: 'public',
  tag: 'auth',
  summary: 'Creates an account for the caller, who signs in with it afterwards',
  description:
    'A new user can create API keys and read public data, and can compute after a superuser allows it. ' +
    'The response is 403 if only the operator creates accounts, and 429 with Retry-After after too many requests.',
  body: {
    kind: 'fields',
    schema: RegisterFields,
    documented: RegisterRequest,
    accepts: ['json', 'form', 'multipart'],
  },
  responses: { 201: ok('The new account', RegisteredBody) },
  errors: [...BODY_ERRORS, 'forbidden', 'throttled', 'unavailable'],
  noStore: true,
  examples: [
    { name: 'two different passwords', body: { ...NEW_USER, password_confirm: 'another' }, status: 400 },
    { name: 'a new user', body: NEW_USER, status: 201 },
    { name: 'fields missing', body: {}, status: 400 },
  ],
  async handler({ body, remoteAddress }, { accounts, stores }) {
    const { id } = await conflictAsFieldError(accounts.register(registrationOf(body), remoteAddress));
    return json(201, registeredBody(await knownPerson(stores, id)));
  },
});

const listOrganizations = operation({
  id: 'listOrganizations',
  method: 'GET',
  path: paths.listedOrganizations,
  auth: 'public',
  tag: 'auth',
  summary: 'Lists the organisations that a new user can choose',
  description: 'At most 1,000 organisations that superusers created or accepted. A new user can also name another one.',
  query: z.object({
    app_type: z.string().max(100).optional().describe('Ignored: all organisations are listed.'),
  }),
  responses: { 200: ok('Organisations, ordered by name', OrganizationList) },
  errors: [...PARAMETER_ERRORS, 'forbidden'],
  examples: [{ name: 'all', status: 200 }],
  async handler(_input, { accounts }) {
    const organizations = await accounts.organizations();
    return json(
      200,
      organizations.map(({ id, name }) => ({ id, name })),
    );
  },
});

/** Operations of users who create their own account. */
export const registrationOperations = [register, listOrganizations] satisfies readonly Operation[];
