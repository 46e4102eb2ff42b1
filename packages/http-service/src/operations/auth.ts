import { operation, type Operation } from '../operation.ts';
import { json } from '../reply.ts';
import {
  LoginBody,
  LoginRequest,
  LogoutRequest,
  RefreshRequest,
  TokenBody,
  userBody,
} from '../wire/schemas/accounts.ts';
import { z } from 'zod';
import { BEARER_ERRORS, BODY_ERRORS, ok } from './common.ts';
import { paths } from '../wire/paths.ts';

const login = operation({
  id: 'login',
  method: 'POST',
  path: paths.login,
  auth: 'public',
  tag: 'auth',
  summary: 'Signs in and returns a bearer token, a refresh token and the user',
  description: 'Tries are limited per name and per address; beyond the limit the answer is 429 with Retry-After.',
  body: LoginRequest,
  responses: { 200: ok('Tokens and the user', LoginBody) },
  errors: [...BODY_ERRORS, 'no_active_account', 'throttled'],
  noStore: true,
  examples: [
    { name: 'right', body: { username: 'test_user_0042', password: 'example-password' }, status: 200 },
    { name: 'wrong password', body: { username: 'nobody', password: 'not-it' }, status: 401 },
    { name: 'missing', body: {}, status: 400 },
  ],
  async handler({ body, remoteAddress }, { accounts }) {
    const { access, refresh, user } = await accounts.login(body, remoteAddress);
    return json(200, { refresh, access, user: userBody(user) });
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
  examples: [{ name: 'broken token', body: { refresh: 'not-a-token' }, status: 401 }],
  async handler({ body }, { accounts }) {
    const { access, refresh } = await accounts.refresh(body.refresh);
    return json(200, { access, refresh });
  },
});

const logout = operation({
  id: 'logout',
  method: 'POST',
  path: paths.logout,
  auth: 'bearer',
  tag: 'auth',
  summary: 'Revokes the session of a refresh token',
  body: LogoutRequest,
  responses: { 200: ok('Signed out', z.object({ success: z.literal(true) })) },
  errors: [...BEARER_ERRORS, ...BODY_ERRORS],
  errorFormat: 'success',
  noStore: true,
  examples: [{ name: 'broken token', body: { refresh_token: 'not-a-token' }, status: 400 }],
  async handler({ body, principal }, { accounts }) {
    await accounts.logout(principal, body.refresh_token);
    return json(200, { success: true });
  },
});

/** Signing in and out. */
export const authOperations = [login, refreshToken, logout] satisfies readonly Operation[];
