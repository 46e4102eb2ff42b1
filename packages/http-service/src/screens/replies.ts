import { isDomainError } from '@headwater/core';
import { HTML_TYPE } from '../answering/page-or-document.ts';
import type { Ports } from '../deps.ts';
import { type Account, type Html, prefixOf, SCREEN_HEADERS } from '../pages/layout.ts';
import { type Say, sayIn } from '../pages/texts.ts';
import { requestLanguage } from '../reading/accept-language.ts';
import type { OperationInput } from '../rows/operation.ts';
import type { Reply } from '../seam/reply.ts';
import { paths } from '../wire/paths.ts';
import type { Language } from '../wire/words.ts';
import type { FormProblem, ScreenRequest, Visitor } from './form-check.ts';

/** Facts about the reader that every page of a user needs. */
export interface Reader {
  /** '' or '/prefix'. */
  readonly prefix: string;
  readonly language: Language;
  readonly say: Say;
  readonly account: Account | undefined;
}

/** Request of a page's row, for its handlers. */
export type ScreenInput = ScreenRequest &
  Pick<OperationInput<'session', unknown, unknown, unknown>, 'queryText' | 'remoteAddress'>;

/** Parts of every row with a page of a user. No other origin may read it, with or without the browser's cookie. */
export const SCREEN_ROW = {
  auth: 'session',
  tag: 'pages',
  errorFormat: 'html',
  cors: 'none',
  noStore: true,
} as const;

/** A response with a page. */
export const SCREEN_PAGE = { description: 'A page', media: ['text/html'] } as const;

/** A response with the form that was refused. */
export const REFUSED_PAGE = { description: 'The form again, with the reason.', media: ['text/html'] } as const;

/** A response that sends the browser to another page. */
export const TO_ANOTHER_PAGE = { description: 'To another page' } as const;

/** The reader of a request. */
export function readerOf(
  { principal, headers, queryText }: Omit<ScreenInput, 'remoteAddress'>,
  deps: Ports<'baseUrl' | 'screens'>,
): Reader {
  const language = requestLanguage(queryText, headers['accept-language']);
  return { prefix: prefixOf(deps.baseUrl), language, say: sayIn(language), account: accountOf(principal, deps) };
}

/** The reader of a public page, by the browser's session; a visitor if the database cannot say. */
export async function visitorOf(headers: ScreenInput['headers'], { screens }: Ports<'screens'>): Promise<Visitor> {
  try {
    return (await screens.check.of({ headers })) ?? { kind: 'anonymous' };
  } catch (error) {
    if (isDomainError(error) && error.code === 'unavailable') return { kind: 'anonymous' };
    throw error;
  }
}

/** Link of the shell of a public page. */
export async function accountFor(
  headers: ScreenInput['headers'],
  deps: Ports<'baseUrl' | 'screens'>,
): Promise<Account | undefined> {
  return accountOf(await visitorOf(headers, deps), deps);
}

/** Link of the page shell: the user's name, or the way to sign in; undefined if the service has no pages for users. */
export function accountOf(visitor: Visitor, { baseUrl, screens }: Ports<'baseUrl' | 'screens'>): Account | undefined {
  if (screens.kind === 'off') return undefined;
  const dashboard = prefixOf(baseUrl) + paths.dashboard;
  if (visitor.kind === 'anonymous') return { href: screens.signInAt(dashboard) };
  const { username, isSuperuser } = visitor.user;
  return { href: dashboard, name: username, ...(isSuperuser && { admin: prefixOf(baseUrl) + paths.admin }) };
}

/** The sentence of a form that is refused because of its sender. */
export function formSentence(say: Say, problem: FormProblem): string {
  return say(problem === 'foreign' ? 'foreignForm' : 'oldForm');
}

/** Response with a page of one user; caches must not store it, and no other site may show it in a frame. */
export async function screenReply(status: number, page: Html, headers: Reply['headers'] = {}): Promise<Reply> {
  return { status, headers: { 'content-type': HTML_TYPE, ...SCREEN_HEADERS, ...headers }, body: String(await page) };
}

/** Sends the browser to another page, with GET. */
export function seeOther(location: string, headers: Reply['headers'] = {}): Reply {
  return { status: 303, headers: { location, ...headers }, body: undefined };
}
