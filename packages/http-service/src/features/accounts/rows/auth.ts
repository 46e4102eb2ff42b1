import { operation, type Operation } from '../../../rows/operation.ts';
import { json } from '../../../seam/reply.ts';
import {
  ChangePasswordRequest,
  LoginBody,
  LoginRequest,
  LogoutRequest,
  RefreshRequest,
  TokenBody,
} from '../schemas/accounts.ts';
import { userBody } from '../schemas/users.ts';
import { knownPerson } from '../handlers/known-person.ts';
import { z } from 'zod';
import { BEARER_ERRORS, BODY_ERRORS, ok, TOKEN_ERRORS } from '../../../rows/common.ts';
import { paths } from '../../../wire/paths.ts';

const login = operation({
  id: 'login',
  method: 'POST',
  path: paths.login,
  auth: 'public',
  tag: 'auth',
  summary: 'Signs in and returns a bearer token, a refresh token and the user',
  description:
    'Failed attempts are limited per name and per IP address: beyond a limit the response is 429. If too many sign-ins run at the same time, it is 503. Both have Retry-After.',
  body: LoginRequest,
  responses: { 200: ok('Tokens and the user', LoginBody) },
  errors: [...BODY_ERRORS, 'no_active_account', 'throttled', 'unavailable'],
  noStore: true,
  usesReserve: true,
  examples: [
    { name: 'right', body: { username: 'test_user_0042', password: 'example-password' }, status: 200 },
    { name: 'wrong password', body: { username: 'nobody', password: 'not-it' }, status: 401 },
    { name: 'missing', body: {}, status: 400 },
  ],
  async handler({ body, remoteAddress }, { accounts, stores }) {
    const { access, refresh, user } = await accounts.login(body, remoteAddress);
    return json(200, { refresh, access, user: userBody(await knownPerson(stores, user.id)) });
  },
});

const refreshToken = operation({
  id: 'refreshToken',
  method: 'POST',
  path: paths.refreshToken,
  auth: 'public',
  tag: 'auth',
  summary: 'Exchanges a refresh token for a new pair',
  description: 'A refresh token works once. Using it again revokes every token of its session.',
  body: RefreshRequest,
  responses: { 200: ok('A new pair', TokenBody) },
  errors: [...BODY_ERRORS, 'token_not_valid', 'no_active_account', 'user_not_found', 'user_inactive'],
  noStore: true,
  usesReserve: true,
  examples: [{ name: 'broken token', body: { refresh: 'not-a-token' }, status: 401 }],
  async handler({ body, remoteAddress }, { accounts }) {
    const { access, refresh } = await accounts.refresh(body.refresh, remoteAddress);
    return json(200, { access, refresh });
  },
});

const logout = operation({
  id: 'logout',
  method: 'POST',
  path: paths.logout,
  auth: 'bearer',
  tag: 'auth',
  summary: 'Signs out: revokes the session of a refresh token',
  body: LogoutRequest,
  responses: { 200: ok('Signed out', z.object({ success: z.literal(true) })) },
  errors: [...BEARER_ERRORS, ...BODY_ERRORS],
  errorFormat: 'success',
  noStore: true,
  examples: [{ name: 'broken token', body: { refresh_token: 'not-a-token' }, status: 400 }],
  async handler({ body, principal, remoteAddress }, { accounts }) {
    await accounts.logout(principal, body.refresh_token, remoteAddress);
    return json(200, { success: true });
  },
});

const changePassword = operation({
  id: 'changePassword',
  method: 'POST',
  path: paths.changePassword,
  auth: 'passwordChange',
  tag: 'auth',
  summary: "Changes the caller's own password and ends all sessions, also the session of the request",
  description:
    'Sign in again afterwards. An account with a password that the installer or an operator set can do nothing else until the password is changed. Wrong current passwords count as failed sign-ins.',
  body: ChangePasswordRequest,
  responses: { 200: ok('The password is changed', z.object({ detail: z.string() })) },
  errors: [...TOKEN_ERRORS, ...BODY_ERRORS, 'throttled', 'unavailable'],
  noStore: true,
  examples: [
    {
      name: 'wrong present password',
      body: { old_password: 'not-it', new_password: 'tall-river-42', new_password_confirm: 'tall-river-42' },
      status: 400,
    },
  ],
  async handler({ body, principal, remoteAddress }, { accounts }) {
    const { old_password: oldPassword, new_password: newPassword } = body;
    await accounts.changePassword(principal, { oldPassword, newPassword }, remoteAddress);
    return json(200, { detail: 'The password is changed and every session has ended; sign in again.' });
  },
});

/** Operations to sign in, to sign out, and to change the caller's password. */
export const authOperations = [login, refreshToken, logout, changePassword] satisfies readonly Operation[];
