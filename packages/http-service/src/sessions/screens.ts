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

/** Sign-in of a host for the pages; the service then has no own pages to sign in, register or sign out. */
export interface HostSignIn {
  /**
   * Account name of a request's user; undefined for a visitor. Pages that need a user refuse unknown and disabled
   * accounts.
   */
  readonly userOf: (request: SessionRequest) => Promise<string | undefined> | string | undefined;
  /** Path of the host's sign-in page, such as `/sign-in`. The page to return to is added as `?next=`. */
  readonly signIn: string;
}

/** Pages for people: with the service's own sign-in (`own`, the default), `off`, or with the host's sign-in. */
export type ScreensOption = 'own' | 'off' | HostSignIn;

/** Kind of the pages. */
export type ScreensKind = 'own' | 'off' | 'host';

/** Sign-in, sessions and form checks of the pages. */
export interface Screens {
  readonly kind: ScreensKind;
  readonly cookies: ScreenCookies;
  readonly sessions: PageSessions;
  readonly check: SessionCheck;
  /** True for a request from a page of this service. */
  readonly isOwnOrigin: (headers: RequestHeaders) => boolean;
  /** Address of the sign-in page that returns to `next`, a path with prefix and query. A long query is left out. */
  readonly signInAt: (next: string) => string;
}

/** Kind of the pages for the option `pages`. */
export function screensKind(option: ScreensOption = 'own'): ScreensKind {
  return typeof option === 'string' ? option : 'host';
}

/** Dependencies of `createScreens`. */
export interface ScreenParts extends PageSessionDeps {
  readonly stores: Pick<Stores, 'pageSessions' | 'users'>;
  /** Public base address without trailing slash. */
  readonly baseUrl: string;
  /** Sign-in of the host for all operations. If present, it also finds the users of pages. */
  readonly host?: HostCheck | undefined;
}

/** Creates the sign-in of the pages. */
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
      // Pages of other origins must not read pages with the browser's cookie, so their requests have no user.
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

/** Longest encoded address to return to, because some proxies accept only 4 KiB of headers. */
const LONGEST_NEXT = 3200;

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
 * Creates the check that finds the host's user. The host's session is unknown, so forms use the form cookie. An
 * unknown name is refused, because otherwise the host and this service would redirect the browser forever.
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

function hostSession(host: HostCheck, { form }: ScreenCookies): SessionCheck['of'] {
  return async (request) => {
    // Forms check the origin and the form key themselves, so that the page shows the reason.
    const found = await host({ ...request, method: request.method ?? 'GET', isOriginChecked: true });
    if (found === undefined) return undefined;
    return { kind: 'session', user: found.user, formKey: readCookie(request.headers['cookie'], form.name) ?? '' };
  };
}

function noAccountHere(name: string): DomainError {
  const text = `The user ${name} of this site has no active account of this service; ask its operator for one.`;
  return new DomainError('forbidden', text, { details: { userWithoutAccount: name } });
}

/** True if the host knows the user, but the user has no active account here. */
export function hasNoAccountHere(error: unknown): boolean {
  return isDomainError(error) && error.code === 'forbidden' && error.details['userWithoutAccount'] !== undefined;
}

/** Creates a test for requests from pages of this service, by `Origin` or else `Sec-Fetch-Site`. */
export function ownOriginTest(baseUrl: string): Screens['isOwnOrigin'] {
  const own = new URL(baseUrl).origin;
  return ({ origin, host, 'sec-fetch-site': site }) => {
    if (origin === undefined) return site === 'same-origin';
    const sent = String(origin);
    // `Host` is compared too, because users may open the service by another name than its public address.
    const isSecure = !own.startsWith('https:') || sent.startsWith('https:');
    return sent === own || (isSecure && URL.canParse(sent) && new URL(sent).host === host);
  };
}
