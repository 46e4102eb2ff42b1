import { type AnonymousPrincipal, newTokenId, readCookie, type SessionPrincipal } from '@headwater/identity';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Ports } from '../deps.ts';
import type { OperationInput } from '../rows/operation.ts';
import { setCookie } from '../sessions/cookies.ts';

/** Caller of a page's operation. */
export type Visitor = SessionPrincipal | AnonymousPrincipal;

/** Request of a page's operation. */
export type ScreenRequest = Pick<OperationInput<'session', unknown, unknown, unknown>, 'principal' | 'headers'>;

/** Token and headers for a form of a page. */
export interface OpenForm {
  readonly token: string;
  readonly headers: Readonly<Record<string, string>>;
}

const SECRET = /^[0-9a-f]{32}$/;

/** Token of a browser's forms; pages of other sites cannot read it. */
function tokenOf(secret: string): string {
  return createHash('sha256').update(`form ${secret}`).digest('base64url');
}

function secretOf({ principal, headers }: ScreenRequest, { screens }: Ports<'screens'>): string | undefined {
  if (principal.kind === 'session' && principal.formKey !== '') return principal.formKey;
  const value = readCookie(headers['cookie'], screens.cookies.form.name);
  return value !== undefined && SECRET.test(value) ? value : undefined;
}

/** Creates the token for the forms of a response. A browser without a secret gets one in a cookie. */
export function openForm(request: ScreenRequest, deps: Ports<'screens'>): OpenForm {
  const known = secretOf(request, deps);
  if (known !== undefined) return { token: tokenOf(known), headers: {} };
  const secret = newTokenId();
  return { token: tokenOf(secret), headers: { 'set-cookie': setCookie(deps.screens.cookies.form, secret) } };
}

/**
 * Reason to refuse a form. `foreign`: sent by a page of another site or by a program. `old`: the token does not match
 * this browser's session or form cookie.
 */
export type FormProblem = 'foreign' | 'old';

/**
 * Checks a form of visitors, such as sign-in. The page may be older than the session, so the token of the form cookie
 * is accepted too.
 */
export function visitorFormProblem(
  request: ScreenRequest,
  deps: Ports<'screens'>,
  token: string,
): FormProblem | undefined {
  const problem = formProblem(request, deps, token);
  return problem === 'old' ? formProblem({ ...request, principal: { kind: 'anonymous' } }, deps, token) : problem;
}

/** Checks the origin and token of a form; undefined if both are right. */
export function formProblem(request: ScreenRequest, deps: Ports<'screens'>, token: string): FormProblem | undefined {
  if (!deps.screens.isOwnOrigin(request.headers)) return 'foreign';
  const secret = secretOf(request, deps);
  if (secret === undefined) return 'old';
  const [wanted, sent] = [tokenOf(secret), token].map((each) => createHash('sha256').update(each).digest());
  return wanted !== undefined && sent !== undefined && timingSafeEqual(wanted, sent) ? undefined : 'old';
}
