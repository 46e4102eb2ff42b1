import { isDomainError } from '@headwater/core';
import { HTML_TYPE } from '../answering/page-or-document.ts';
import { displayName } from '@headwater/identity';
import type { Ports } from '../deps.ts';
import { type Account, chosenIn, type Html, prefixOf, SCREEN_HEADERS, type Shell } from '../pages/layout.ts';
import { inChosen } from '../pages/parts.ts';
import { type Say, sayIn } from '../pages/texts.ts';
import { requestLanguage } from '../reading/accept-language.ts';
import type { OperationInput } from '../rows/operation.ts';
import { hasNoAccountHere } from '../sessions/screens.ts';
import type { Reply } from '../seam/reply.ts';
import { paths } from '../wire/paths.ts';
import type { Language } from '../wire/words.ts';
import type { FormProblem, ScreenRequest, Visitor } from './form-check.ts';

/** Facts about the reader of a user's page. */
export interface Reader {
  readonly prefix: string;
  readonly language: Language;
  readonly say: Say;
  /** Query of the page's address, for the links to other languages. Undefined for the response to a form. */
  readonly query: string | undefined;
  /** Language in the address, for links and forms. */
  readonly chosen: Language | undefined;
  readonly account: Account | undefined;
  /** List in the admin from which the reader came, and its query. */
  readonly list?: { readonly resource: string; readonly query: string } | undefined;
}

/** Request of a page's operation. */
export type ScreenInput = ScreenRequest &
  Pick<OperationInput<'session', unknown, unknown, unknown>, 'method' | 'queryText' | 'remoteAddress'>;

/** Members of every operation with a page of a user. No other origin may read the page. */
export const SCREEN_ROW = {
  auth: 'session',
  tag: 'pages',
  errorFormat: 'html',
  cors: 'none',
  noStore: true,
} as const;

/** Response with a page. */
export const SCREEN_PAGE = { description: 'A page', media: ['text/html'] } as const;

/** Response with the refused form. */
export const REFUSED_PAGE = { description: 'The form again, with the reason.', media: ['text/html'] } as const;

/** Response that redirects the browser to another page. */
export const TO_ANOTHER_PAGE = { description: 'To another page' } as const;

/** The reader of a request. */
export function readerOf(
  { principal, headers, method, queryText }: Omit<ScreenInput, 'remoteAddress'>,
  deps: Ports<'baseUrl' | 'screens'>,
): Reader {
  const language = requestLanguage(queryText, headers['accept-language']);
  const chosen = chosenIn(queryText);
  const account = accountOf(principal, deps, chosen);
  const query = method === 'POST' ? undefined : queryText;
  return { prefix: prefixOf(deps.baseUrl), language, say: sayIn(language), query, chosen, account };
}

/** Visitor of a public page: anonymous if the database is unavailable, or if the user has no enabled account here. */
async function publicVisitor(request: PublicRequest, { screens }: Ports<'screens'>): Promise<Visitor> {
  try {
    return (await screens.check.of(request)) ?? { kind: 'anonymous' };
  } catch (error) {
    const isRefused = isDomainError(error) && ['unavailable', 'user_inactive'].includes(error.code);
    if (isRefused || hasNoAccountHere(error)) return { kind: 'anonymous' };
    throw error;
  }
}

/** Parts of a request for a public page that concern its reader. */
export type PublicRequest = Pick<ScreenInput, 'headers' | 'queryText' | 'remoteAddress'>;

/** Facts about the reader of a public page. */
export async function shellFor(request: PublicRequest, deps: Ports<'baseUrl' | 'screens'>): Promise<Shell> {
  const language = requestLanguage(request.queryText, request.headers['accept-language']);
  const account = accountOf(await publicVisitor(request, deps), deps, chosenIn(request.queryText));
  return { language, query: request.queryText, account };
}

/**
 * Link in the header: to the dashboard for users, to the sign-in page for visitors. Undefined if the service has no
 * pages for users.
 */
export function accountOf(
  visitor: Visitor,
  { baseUrl, screens }: Ports<'baseUrl' | 'screens'>,
  chosen?: Language,
): Account | undefined {
  if (screens.kind === 'off') return undefined;
  const here = (path: string): string => inChosen({ chosen }, prefixOf(baseUrl) + path);
  const dashboard = here(paths.dashboard);
  if (visitor.kind === 'anonymous') return { href: screens.signInAt(dashboard) };
  const { user } = visitor;
  return { href: dashboard, name: displayName(user), ...(user.isSuperuser && { admin: here(paths.admin) }) };
}

/** Sentence for a form that `formProblem` refused. */
export function formSentence(say: Say, problem: FormProblem): string {
  return say(problem === 'foreign' ? 'foreignForm' : 'oldForm');
}

/** Response with a page of one user. Caches must not store it, and other sites must not show it in a frame. */
export async function screenReply(status: number, page: Html, headers: Reply['headers'] = {}): Promise<Reply> {
  return { status, headers: { 'content-type': HTML_TYPE, ...SCREEN_HEADERS, ...headers }, body: String(await page) };
}

/** Redirects the browser to another page, with GET. */
export function seeOther(location: string, headers: Reply['headers'] = {}): Reply {
  return { status: 303, headers: { location, ...headers }, body: undefined };
}
