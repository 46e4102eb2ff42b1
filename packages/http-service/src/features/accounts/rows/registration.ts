import { z } from 'zod';
import { knownPerson } from '../handlers/known-person.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json } from '../../../seam/reply.ts';
import { refusedWhereTaken } from '../handlers/refused-where-taken.ts';
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
  summary: 'Makes an account for whoever asks; sign in with it afterwards',
  description:
    'Who registers may make API keys and read public data. He may compute once a superuser has allowed it. ' +
    'Where the operator makes accounts himself the answer is 403; who asks too often gets 429 with Retry-After.',
  body: {
    kind: 'fields',
    schema: RegisterFields,
    documented: RegisterRequest,
    accepts: ['json', 'form', 'multipart'],
  },
  responses: { 201: ok('The account is made', RegisteredBody) },
  errors: [...BODY_ERRORS, 'forbidden', 'throttled', 'unavailable'],
  noStore: true,
  examples: [
    { name: 'two different passwords', body: { ...NEW_USER, password_confirm: 'another' }, status: 400 },
    { name: 'a new user', body: NEW_USER, status: 201 },
    { name: 'fields missing', body: {}, status: 400 },
  ],
  async handler({ body, remoteAddress }, { accounts, stores }) {
    const { id } = await refusedWhereTaken(accounts.register(registrationOf(body), remoteAddress));
    return json(201, registeredBody(await knownPerson(stores, id)));
  },
});

const listOrganizations = operation({
  id: 'listOrganizations',
  method: 'GET',
  path: paths.listedOrganizations,
  auth: 'public',
  tag: 'auth',
  summary: 'Lists the organisations that one may register for',
  description: 'Those that superusers made or accepted, 1,000 at most. One may name others as well.',
  query: z.object({
    app_type: z.string().max(100).optional().describe('Not looked at: all organisations are listed.'),
  }),
  responses: { 200: ok('By name', OrganizationList) },
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

/** Making an account for oneself. */
export const registrationOperations = [register, listOrganizations] satisfies readonly Operation[];
