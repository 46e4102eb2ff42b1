import { isDomainError } from '@headwater/core';
import { readCookie } from '@headwater/identity';
import type { ServiceDeps } from '../../../deps.ts';
import { prefixOf } from '../../../pages/layout.ts';
import { BODY_ERRORS, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { removeCookie } from '../../../sessions/cookies.ts';
import { formProblem, openForm, visitorFormProblem } from '../../../screens/form-check.ts';
import {
  formSentence,
  readerOf,
  REFUSED_PAGE,
  SCREEN_PAGE,
  SCREEN_ROW,
  type ScreenInput,
  screenReply,
  seeOther,
  TO_ANOTHER_PAGE,
} from '../../../screens/replies.ts';
import { beforeForm } from '../../../screens/signed-in.ts';
import { waitingOf } from '../../../screens/waiting.ts';
import type { Reply } from '../../../seam/reply.ts';
import { paths } from '../../../wire/paths.ts';
import { dashboardOf, ownNext, refusedSignOut, signedIn } from '../handlers/signed-in.ts';
import { refusedFormPage, signedOutPage, signInPage, signOutPage } from '../page/sign-in-page.ts';
import { ConfirmForm, ScreenQuery, SignInForm } from '../schemas.ts';

interface Shown {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly problems?: readonly string[];
  readonly username?: string;
  readonly next: string | undefined;
}

async function showSignIn(input: ScreenInput, deps: ServiceDeps, shown: Shown): Promise<Reply> {
  const { status = 200, headers = {}, problems = [], username = '', next } = shown;
  const form = openForm(input, deps);
  const facts = {
    token: form.token,
    next: ownNext(next, deps),
    username,
    problems,
    isUnencrypted: isUnencrypted(input, deps),
  };
  return await screenReply(status, signInPage(readerOf(input, deps), facts), { ...headers, ...form.headers });
}

/**
 * True if passwords would be sent in plain text. False for `https:`, and if both the public address and the `Host`
 * header name this machine.
 */
function isUnencrypted({ headers }: Pick<ScreenInput, 'headers'>, { baseUrl }: Pick<ServiceDeps, 'baseUrl'>): boolean {
  const { protocol, host } = new URL(baseUrl);
  return protocol === 'http:' && ![host, String(headers['host'] ?? host)].every(isLoopback);
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(host);
}

const showSignInForm = operation({
  ...SCREEN_ROW,
  id: 'showSignInForm',
  method: 'GET',
  path: paths.signIn,
  summary: 'Page with the sign-in form; a signed-in user is sent on to `next` or the dashboard',
  query: ScreenQuery,
  responses: { 200: SCREEN_PAGE, 303: TO_ANOTHER_PAGE },
  errors: PARAMETER_ERRORS,
  usesReserve: true,
  examples: [{ name: 'page', status: 200 }],
  async handler(input, deps) {
    const { next } = input.query;
    if (input.principal.kind === 'session') return seeOther(ownNext(next, deps) ?? dashboardOf(deps, input.queryText));
    return await showSignIn(input, deps, { next });
  },
});

const showAdminSignIn = operation({
  ...SCREEN_ROW,
  auth: 'public',
  id: 'showAdminSignIn',
  method: 'GET',
  path: paths.adminSignIn,
  summary:
    'Page with the sign-in form; health checks request this address, so it responds 200 also while the database is down',
  query: ScreenQuery,
  responses: { 200: SCREEN_PAGE },
  errors: PARAMETER_ERRORS,
  usesReserve: true,
  examples: [{ name: 'page', status: 200 }],
  handler: (input, deps) => showSignIn(input, deps, { next: input.query.next }),
});

const signIn = operation({
  ...SCREEN_ROW,
  id: 'signIn',
  method: 'POST',
  path: paths.signIn,
  summary: 'Signs a browser in: sets a cookie with a new session, which gives access to pages only',
  description:
    'Failed attempts are counted and limited together with failed attempts at the login route. Beyond the limit, the response is 429 with Retry-After.',
  body: { kind: 'fields', schema: SignInForm, accepts: ['form', 'json'] },
  beforeBody: beforeForm({ back: (path) => path, refused: refusedFormPage, isForVisitors: true }),
  responses: {
    303: { description: 'Signed in; `Location` is `next`, or the dashboard' },
    401: REFUSED_PAGE,
    403: REFUSED_PAGE,
    429: REFUSED_PAGE,
    503: REFUSED_PAGE,
  },
  errors: [...BODY_ERRORS, 'unavailable'],
  usesReserve: true,
  examples: [{ name: 'without the token of the form', body: { username: 'asha', password: 'not-it' }, status: 403 }],
  async handler(input, deps) {
    const { username, password, next, token } = input.body;
    const { say } = readerOf(input, deps);
    const again = { username, next };
    const problem = visitorFormProblem(input, deps, token);
    if (problem !== undefined) {
      return await showSignIn(input, deps, { ...again, status: 403, problems: [formSentence(say, problem)] });
    }
    try {
      const user = await deps.accounts.signIn({ username, password }, input.remoteAddress);
      return await signedIn(input, deps, { user, next });
    } catch (error) {
      return await showSignIn(input, deps, { ...again, ...refusal(error, input, deps) });
    }
  },
});

function refusal(error: unknown, input: ScreenInput, deps: ServiceDeps): Omit<Shown, 'next'> {
  const { say } = readerOf(input, deps);
  if (isDomainError(error) && error.code === 'no_active_account')
    return { status: 401, problems: [say('wrongSignIn')] };
  const waiting = waitingOf(error, say, 'tooManySignIns');
  if (waiting === undefined) throw error;
  return { ...waiting, problems: [waiting.sentence] };
}

const showSignOut = operation({
  ...SCREEN_ROW,
  id: 'showSignOut',
  method: 'GET',
  path: paths.signOut,
  summary: 'Page with the button that signs out; changes nothing',
  query: ScreenQuery,
  responses: { 200: SCREEN_PAGE },
  errors: PARAMETER_ERRORS,
  examples: [{ name: 'of a visitor', status: 200 }],
  async handler(input, deps) {
    const reader = readerOf(input, deps);
    if (input.principal.kind === 'anonymous') return await screenReply(200, signedOutPage(reader));
    const form = openForm(input, deps);
    return await screenReply(200, signOutPage(reader, form.token), form.headers);
  },
});

const signOut = operation({
  ...SCREEN_ROW,
  id: 'signOut',
  method: 'POST',
  path: paths.signOut,
  summary: 'Ends the session of the browser',
  body: { kind: 'fields', schema: ConfirmForm, accepts: ['form', 'json'] },
  beforeBody: beforeForm({ back: (path) => path, refused: refusedFormPage, isForVisitors: true }),
  responses: { 303: TO_ANOTHER_PAGE, 403: REFUSED_PAGE },
  errors: BODY_ERRORS,
  examples: [{ name: 'without the token of the form', body: {}, status: 403 }],
  async handler(input, deps) {
    const { session } = deps.screens.cookies;
    const problem = formProblem(input, deps, input.body.token);
    // An old token is accepted only if the browser still has the cookie of a session that has ended.
    if (problem === 'foreign' || (problem === 'old' && isSignedInOrNew(input, session.name)))
      return await refusedSignOut(input, deps, problem);
    const id = readCookie(input.headers['cookie'], session.name);
    if (id !== undefined) await deps.screens.sessions.end(id, input.remoteAddress);
    return seeOther(prefixOf(deps.baseUrl) + paths.signOut, { 'set-cookie': removeCookie(session) });
  },
});

function isSignedInOrNew({ principal, headers }: ScreenInput, cookie: string): boolean {
  return principal.kind === 'session' || readCookie(headers['cookie'], cookie) === undefined;
}

/** Operations of the pages that sign browsers in and out. */
export const signInOperations = [
  showSignInForm,
  showAdminSignIn,
  signIn,
  showSignOut,
  signOut,
] satisfies readonly Operation[];
