import { type AnonymousPrincipal, newTokenId, readCookie, type SessionPrincipal } from '@headwater/identity';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Ports } from '../deps.ts';
import type { OperationInput } from '../rows/operation.ts';
import { setCookie } from '../sessions/cookies.ts';

/** Caller of a page's operation. */
export type Visitor = SessionPrincipal | AnonymousPrincipal;

/** Request of a page's operation. */
export type ScreenRequest = Pick<OperationInput<'session', unknown, unknown, unknown>, 'principal' | 'headers'>;

/** Facts that every form of a page needs. */
export interface OpenForm {
  /** Value of the form's hidden field `token`. */
  readonly token: string;
  /** Headers of the response that shows the form. */
  readonly headers: Readonly<Record<string, string>>;
}

const SECRET = /^[0-9a-f]{32}$/;

/** Token of the forms of a browser. Pages of other sites can read neither the token nor the secret. */
function tokenOf(secret: string): string {
  return createHash('sha256').update(`form ${secret}`).digest('base64url');
}

/**
 * Secret of this browser's forms: the secret of its session, otherwise of its form cookie. Undefined if the browser has no secret
 * yet.
 */
function secretOf({ principal, headers }: ScreenRequest, { screens }: Ports<'screens'>): string | undefined {
  if (principal.kind === 'session' && principal.formKey !== '') return principal.formKey;
  const value = readCookie(headers['cookie'], screens.cookies.form.name);
  return value !== undefined && SECRET.test(value) ? value : undefined;
}

/** Token for the forms of a response. A browser without a secret gets a new secret. */
export function openForm(request: ScreenRequest, deps: Ports<'screens'>): OpenForm {
  const known = secretOf(request, deps);
  if (known !== undefined) return { token: tokenOf(known), headers: {} };
  const secret = newTokenId();
  return { token: tokenOf(secret), headers: { 'set-cookie': setCookie(deps.screens.cookies.form, secret) } };
}

/**
 * Reason to refuse a form. `foreign`: a page of another site, or a program, sent the form. `old`: the token of the form does not
 * belong to this browser, because the session has changed, or because the browser accepts no cookies.
 */
export type FormProblem = 'foreign' | 'old';

/**
 * Checks a form of visitors, such as sign-in. The token of the form cookie is accepted too, because the page of the form may have
 * been opened before this browser signed in.
 */
export function visitorFormProblem(
  request: ScreenRequest,
  deps: Ports<'screens'>,
  token: string,
): FormProblem | undefined {
  const problem = formProblem(request, deps, token);
  return problem === 'old' ? formProblem({ ...request, principal: { kind: 'anonymous' } }, deps, token) : problem;
}

/** Checks the origin and the token of a form; undefined if origin and token are right. */
export function formProblem(request: ScreenRequest, deps: Ports<'screens'>, token: string): FormProblem | undefined {
  if (!deps.screens.isOwnOrigin(request.headers)) return 'foreign';
  const secret = secretOf(request, deps);
  if (secret === undefined) return 'old';
  const [wanted, sent] = [tokenOf(secret), token].map((each) => createHash('sha256').update(each).digest());
  return wanted !== undefined && sent !== undefined && timingSafeEqual(wanted, sent) ? undefined : 'old';
}
