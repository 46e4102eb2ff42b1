import { createMemoryStores } from '@headwater/identity/memory';
import { beforeAll, describe, expect, it } from 'vitest';
import { toFetchHandler } from '../hosts/fetch-handler.ts';
import { createHeadwater } from '../headwater.ts';
import { createScryptHasher } from '../features/accounts/scrypt-hasher.ts';

const PASSWORD = 'a long password';
const NO_RUN = '0190a000-0000-7000-8000-00000000dead';

interface BodyParts {
  readonly flat?: object;
  readonly texts?: object;
  readonly more?: object;
}

function bodyOf(
  [status, title, code]: readonly [number, string, string],
  text: string,
  { flat = {}, texts = { detail: text }, more = {} }: BodyParts = {},
): string {
  const own = { type: 'about:blank', title, status, code, ...texts, request_id: 'r1' };
  return JSON.stringify({ ...flat, ...own, ...more });
}

describe('error bodies, byte for byte as existing clients expect them', () => {
  let refresh: string;
  let access: string;
  let send: (path: string, body: unknown, authorization?: string) => Promise<string>;

  beforeAll(async () => {
    const { accounts, service } = createHeadwater({
      baseUrl: 'http://localhost',
      secret: crypto.getRandomValues(new Uint8Array(32)),
      stores: createMemoryStores(),
      identity: { hasher: createScryptHasher({ N: 1024, r: 8, p: 1 }) },
    });
    await accounts.createUser({ username: 'asha', password: PASSWORD });
    ({ access, refresh } = await accounts.login({ username: 'asha', password: PASSWORD }, undefined));
    const handler = toFetchHandler(service);
    send = async (path, body, authorization = '') => {
      const headers = { authorization, 'content-type': 'application/json', 'x-request-id': 'r1' };
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      return (await handler(new Request(`http://localhost/api/v1/${path}`, { ...init, headers }))).text();
    };
  });

  it('logging in', async () => {
    const wrong = { username: 'asha', password: 'x' };
    const text = 'No active account found with the given credentials';
    expect(await send('auth/login/', wrong)).toBe(bodyOf([401, 'Unauthorized', 'no_active_account'], text));
    const errors = { username: ['This field is required.'], password: ['This field may not be blank.'] };
    const summary = 'username: This field is required.; password: This field may not be blank.';
    expect(await send('auth/login/', { password: '' })).toBe(
      bodyOf([400, 'Bad Request', 'validation'], summary, { flat: errors, more: { errors } }),
    );
  });

  it('refreshing', async () => {
    const refused = [401, 'Unauthorized', 'token_not_valid'] as const;
    expect(await send('auth/token/refresh/', { refresh: 'x' })).toBe(bodyOf(refused, 'Token is invalid'));
    expect(await send('auth/token/refresh/', { refresh: access })).toBe(bodyOf(refused, 'Token has wrong type'));
  });

  it('an operation with a bearer token', async () => {
    expect(await send('runs/', undefined)).toBe(
      bodyOf(
        [401, 'Unauthorized', 'not_authenticated'],
        'Authentication credentials were not provided. Send Authorization: Bearer <token>, with the access token that POST /api/v1/auth/login/ returns.',
      ),
    );
    const messages = [{ token_class: 'AccessToken', token_type: 'access', message: 'Token has wrong type' }];
    expect(await send('runs/', undefined, `Bearer ${refresh}`)).toBe(
      bodyOf([401, 'Unauthorized', 'token_not_valid'], 'Given token not valid for any token type', {
        more: { messages },
      }),
    );
    const text = `No run "${NO_RUN}" of yours exists; GET /api/v1/runs/ lists them.`;
    expect(await send(`runs/${NO_RUN}/`, undefined, `Bearer ${access}`)).toBe(
      bodyOf([404, 'Not Found', 'not_found'], text),
    );
  });

  it('logging out', async () => {
    const errors = { refresh_token: ['Token is invalid'] };
    expect(await send('auth/logout/', { refresh_token: 'x' }, `Bearer ${access}`)).toBe(
      bodyOf([400, 'Bad Request', 'validation'], 'Token is invalid', {
        flat: errors,
        texts: { detail: 'Token is invalid', error: 'Token is invalid' },
        more: { success: false, errors },
      }),
    );
  });
});
