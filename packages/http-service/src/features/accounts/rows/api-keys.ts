import { MOST_KEYS } from '@headwater/identity';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json } from '../../../seam/reply.ts';
import { paths } from '../../../wire/paths.ts';
import {
  apiKeyCommand,
  ApiKeyFields,
  apiKeyListBody,
  ApiKeyListBody,
  ApiKeyRequest,
  EndedApiKeyBody,
  endedApiKeyBody,
  MadeApiKeyBody,
  madeApiKeyBody,
} from '../schemas/api-keys.ts';
import { BEARER_ERRORS, BODY_ERRORS, ok } from '../../../rows/common.ts';

const changeApiKeys = operation({
  id: 'changeApiKeys',
  method: 'POST',
  path: paths.changeApiKeys,
  auth: 'token',
  tag: 'accounts',
  summary: 'Creates an API key for the caller, or deactivates one',
  description:
    'The response shows a new key once. Programs send it in the header `X-API-Key`. A deactivated key never works again. ' +
    `A superuser can also deactivate the keys of other users. An account has at most ${MOST_KEYS} active keys. ` +
    'An empty body counts as {}. JSON and forms are accepted with any content type. A body that cannot be parsed is refused and creates no key, because the caller may have wanted to deactivate one.',
  body: {
    kind: 'fields',
    schema: ApiKeyFields,
    documented: ApiKeyRequest,
    accepts: ['json', 'form', 'multipart'],
    lenient: true,
  },
  responses: { 201: ok('The new key', MadeApiKeyBody), 200: ok('The deactivated key', EndedApiKeyBody) },
  errors: [...BEARER_ERRORS, ...BODY_ERRORS, 'not_found', 'conflict'],
  errorFormat: 'apiKeys',
  noStore: true,
  examples: [
    { name: 'a new key', body: {}, status: 201 },
    { name: 'a new key with a name, for a month', body: { name: 'field laptop', expiry_days: 30 }, status: 201 },
    {
      name: 'deactivate an unknown key',
      body: { action: 'deactivate', user_id: 1, api_key: 'Unknown0.********************************' },
      status: 404,
    },
    { name: 'zero days', body: { expiry_days: 0 }, status: 400 },
    { name: 'an unknown action', body: { action: 'renew' }, status: 400 },
  ],
  async handler({ principal, body }, { apiKeys }) {
    const command = apiKeyCommand(body);
    if (command.action === 'deactivate') {
      return json(200, endedApiKeyBody(await apiKeys.deactivate(principal, command.named)));
    }
    const { text, key } = await apiKeys.generate(principal, command.wish);
    return json(201, madeApiKeyBody(text, key));
  },
});

const listApiKeys = operation({
  id: 'listApiKeys',
  method: 'GET',
  path: paths.listApiKeys,
  auth: 'token',
  tag: 'accounts',
  summary: "Lists the caller's active API keys, newest first, with masked secrets",
  responses: { 200: ok('The keys', ApiKeyListBody) },
  errors: BEARER_ERRORS,
  errorFormat: 'apiKeys',
  noStore: true,
  examples: [{ name: 'all', status: 200 }],
  async handler({ principal }, { apiKeys }) {
    return json(200, apiKeyListBody(await apiKeys.list(principal)));
  },
});

/** Operations of API keys, with which programs call in the name of a user. */
export const apiKeyOperations = [changeApiKeys, listApiKeys] satisfies readonly Operation[];
