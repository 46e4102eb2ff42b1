import { DomainError, isDomainError } from '@headwater/core';
import {
  createPageSessions,
  type PageSessionDeps,
  type PageSessions,
  readCookie,
  type RequestHeaders,
  type SessionCheck,
  type SessionRequest,
  type Stores,
} from '@headwater/identity';
import { asUnavailable, type HostCheck } from './host-sign-in.ts';
import { prefixOf } from '../pages/layout.ts';
import { paths } from '../wire/paths.ts';
import { type ScreenCookies, screenCookies } from './cookies.ts';

/** Sign-in of a host, for the pages for users. The service then shows no sign-in, registration and sign-out pages of its own. */
export interface HostSignIn {
  /**
   * Name of the account of a request's user; undefined for a visitor who is not signed in. A page of users is refused to an unknown or
   * disabled account.
   */
  readonly userOf: (request: SessionRequest) => Promise<string | undefined> | string | undefined;
  /** Path of the host's sign-in page on the origin of the service, such as `/sign-in`. The page to return to is appended as `?next=`. */
  readonly signIn: string;
}

/** Pages for people: `own` (the default) with the service's own sign-in, `off`, or behind the host's sign-in. */
export type ScreensOption = 'own' | 'off' | HostSignIn;

/** Kind of the pages in the table of operations. */
export type ScreensKind = 'own' | 'off' | 'host';

/** Sign-in, sessions and form checks of the pages. */
export interface Screens {
  readonly kind: ScreensKind;
  readonly cookies: ScreenCookies;
  readonly sessions: PageSessions;
  readonly check: SessionCheck;
  /** True for a request from a page of this service. */
  readonly isOwnOrigin: (headers: RequestHeaders) => boolean;
  /** Address of the sign-in page that returns to `next`, a path with the mount prefix and a query. A long query is left out. */
  readonly signInAt: (next: string) => string;
}

/** Returns the kind of the pages for a value of the option `pages`. */
export function screensKind(option: ScreensOption = 'own'): ScreensKind {
  return typeof option === 'string' ? option : 'host';
}

/** Dependencies of the sign-in of the pages. */
export interface ScreenParts extends PageSessionDeps {
  readonly stores: Pick<Stores, 'pageSessions' | 'users'>;
  /** Absolute public address, no trailing slash. */
  readonly baseUrl: string;
  /** Sign-in of the host for all operations. It then also finds the users of pages. */
  readonly host?: HostCheck | undefined;
}

/** Builds the sign-in of the pages. */
export function createScreens(
  option: ScreensOption = 'own',
  { stores, clock, logger, baseUrl, host }: ScreenParts,
): Screens {
  const cookies = screenCookies(baseUrl);
  const sessions = createPageSessions({ stores, clock, ...(logger && { logger }) });
  const isOwnOrigin = ownOriginTest(baseUrl);
  const byName =
    typeof option === 'string'
      ? ownUser(sessions, cookies)
      : hostUser(option, { stores, cookies, ...(logger && { logger }) });
  const find = host === undefined ? byName : hostSession(host, cookies);
  const check: SessionCheck = {
    of: async (request) => {
      // Requests from pages of other origins have no user here: CORS allows some of these pages to send a token, but they must not
      // read pages with the browser's cookie.
      const isForeign = request.headers['origin'] !== undefined && !isOwnOrigin(request.headers);
      return option === 'off' || isForeign ? undefined : await find(request);
    },
  };
  const page = typeof option === 'string' ? prefixOf(baseUrl) + paths.signIn : option.signIn;
  const signInAt = (next: string): string => {
    const whole = encodeURIComponent(next);
    const returned = whole.length <= LONGEST_NEXT ? whole : encodeURIComponent(next.replace(/\?.*/s, ''));
    return `${page}${page.includes('?') ? '&' : '?'}next=${returned}`;
  };
  return { kind: screensKind(option), cookies, sessions, check, isOwnOrigin, signInAt };
}

/**
 * Maximum length of an encoded address to return to; the query is removed from a longer address. Some proxies accept only 4
 * KiB of headers.
 */
const LONGEST_NEXT = 3200;

/** Form of a session's id; other texts need no look-up. */
const SESSION_ID = /^[0-9a-f]{64}$/;

function ownUser(sessions: PageSessions, { session }: ScreenCookies): SessionCheck['of'] {
  return async ({ headers, isWatch }) => {
    const id = readCookie(headers['cookie'], session.name);
    const user =
      id === undefined || !SESSION_ID.test(id)
        ? undefined
        : await sessions.userOf(id, isWatch === true ? 'watch' : 'use');
    return id === undefined || user === undefined ? undefined : { kind: 'session', user, formKey: id };
  };
}

/**
 * User by the host's sign-in. Forms use the secret of the form cookie, because the session of the host is not known. The password
 * of the account is not used, so the user need not change it. A name without an account here is refused: if the browser were sent
 * to the sign-in page, the host would send the browser back, again and again.
 */
function hostUser(
  { userOf }: HostSignIn,
  { stores, cookies, logger }: Pick<ScreenParts, 'stores' | 'logger'> & { readonly cookies: ScreenCookies },
): SessionCheck['of'] {
  return async (request) => {
    const name = await asUnavailable(() => userOf(request), { ...request, logger });
    if (name === undefined || name === '') return undefined;
    const user = await stores.users.byUsername(name);
    if (user?.isActive !== true) throw noAccountHere(name);
    const formKey = readCookie(request.headers['cookie'], cookies.form.name) ?? '';
    return { kind: 'session', user: { ...user, mustChangePassword: false }, formKey };
  };
}

/** User by the host's sign-in for all operations. Forms use the secret of the form cookie. */
function hostSession(host: HostCheck, { form }: ScreenCookies): SessionCheck['of'] {
  return async (request) => {
    // `isOriginChecked`: the code of forms checks the origin and the token itself, and shows the reason of a refusal on the page.
    const found = await host({ ...request, method: request.method ?? 'GET', isOriginChecked: true });
    if (found === undefined) return undefined;
    return { kind: 'session', user: found.user, formKey: readCookie(request.headers['cookie'], form.name) ?? '' };
  };
}

function noAccountHere(name: string): DomainError {
  const text = `The user ${name} of this site has no account of this service; ask its operator for one.`;
  return new DomainError('forbidden', text, { details: { hostUser: name } });
}

/** True for the refusal of a user whom the host knows and who has no account here. */
export function hasNoAccountHere(error: unknown): boolean {
  return isDomainError(error) && error.code === 'forbidden' && error.details['hostUser'] !== undefined;
}

/**
 * Creates a test for requests from pages of this service. The test compares the header `Origin`; without this header, it uses
 * `Sec-Fetch-Site`.
 */
export function ownOriginTest(baseUrl: string): Screens['isOwnOrigin'] {
  const own = new URL(baseUrl).origin;
  return ({ origin, host, 'sec-fetch-site': site }) => {
    if (origin === undefined) return site === 'same-origin';
    const sent = String(origin);
    // The header `Host` is also compared, because users may open the service by another name than its public address.
    const isSecure = !own.startsWith('https:') || sent.startsWith('https:');
    return sent === own || (isSecure && URL.canParse(sent) && new URL(sent).host === host);
  };
}
