import { readCookie, type User } from '@headwater/identity';
import type { Ports } from '../../../deps.ts';
import { languageIn, prefixOf } from '../../../pages/layout.ts';
import { setCookie } from '../../../sessions/cookies.ts';
import type { FormProblem } from '../../../screens/form-check.ts';
import { formSentence, readerOf, type ScreenInput, screenReply, seeOther } from '../../../screens/replies.ts';
import type { Reply } from '../../../seam/reply.ts';
import { paths } from '../../../wire/paths.ts';
import { refusedFormPage } from '../page/sign-in-page.ts';

/** The path to return to; undefined if there is none, or if it is not a path of this service. */
export function ownNext(next: string | undefined, { baseUrl }: Ports<'baseUrl'>): string | undefined {
  return next === undefined ? undefined : ownPath(next, prefixOf(baseUrl));
}

/** Path of the dashboard with the mount prefix, in the language of the request. */
export function dashboardOf({ baseUrl }: Ports<'baseUrl'>, queryText: string): string {
  return prefixOf(baseUrl) + paths.dashboard + languageIn(queryText);
}

/** Replaces the browser's session by a new one, and redirects to the next page. */
export async function signedIn(
  { headers, queryText }: Pick<ScreenInput, 'headers' | 'queryText'>,
  deps: Ports<'baseUrl' | 'screens'>,
  { user, next }: { readonly user: User; readonly next: string | undefined },
): Promise<Reply> {
  const { cookies, sessions } = deps.screens;
  const before = readCookie(headers['cookie'], cookies.session.name);
  const id = await sessions.open(user);
  if (before !== undefined) await sessions.end(before);
  return seeOther(ownNext(next, deps) ?? dashboardOf(deps, queryText), {
    'set-cookie': setCookie(cookies.session, id),
  });
}

/** Refuses the sign-out form, with the reason and a link to the form. */
export async function refusedSignOut(
  input: ScreenInput,
  deps: Ports<'baseUrl' | 'screens'>,
  problem: FormProblem,
): Promise<Reply> {
  const reader = readerOf(input, deps);
  const facts = { sentence: formSentence(reader.say, problem), back: prefixOf(deps.baseUrl) + paths.signOut };
  return await screenReply(403, refusedFormPage(reader, facts));
}

const MAX_LENGTH = 4000;
/** Base for parsing paths. No request can have this address. */
const BASE = 'http://own.invalid';

/** Normalizes the path to which a sign-in returns. Undefined for other sites, and for unsafe texts. */
function ownPath(text: string, prefix: string): string | undefined {
  // Browsers skip tabs and line breaks in addresses, and read a backslash as a slash, so paths with these characters
  // are refused.
  if (text.length > MAX_LENGTH || !/^\/[^\\\p{C}\p{Z}]*$/u.test(text) || !URL.canParse(text, BASE)) return undefined;
  const { origin, pathname, search, hash } = new URL(text, BASE);
  // The normalized path is checked again, because `URL` converts `/.//site` to `//site`, which is another site.
  const isOwn = origin === BASE && pathname.startsWith(`${prefix}/`) && !pathname.startsWith('//');
  return isOwn ? pathname + search + hash : undefined;
}
