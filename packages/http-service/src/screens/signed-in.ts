import { DomainError } from '@headwater/core';
import type { SessionPrincipal, UserPrincipal } from '@headwater/identity';
import type { Ports } from '../deps.ts';
import { chosenIn, type Html, prefixOf } from '../pages/layout.ts';
import { inChosen } from '../pages/parts.ts';
import type { OperationInput } from '../rows/operation.ts';
import type { EarlyReply, Reply } from '../seam/reply.ts';
import { paths } from '../wire/paths.ts';
import { formProblem } from './form-check.ts';
import { formSentence, type Reader, readerOf, type ScreenInput, screenReply, seeOther } from './replies.ts';

type Input = ScreenInput & Pick<OperationInput<'session', unknown, unknown, unknown>, 'path'>;
type Deps = Ports<'baseUrl' | 'screens'> & {
  /** Users to whom the page is shown. `all`: also users who must first change their password. */
  readonly admits?: 'all';
};

type ForUser = (user: SessionPrincipal) => Promise<Reply>;

/** Returns the reply of `show` to a signed-in user, and sends visitors to the sign-in page. */
export async function forUser(input: Input, deps: Deps, show: ForUser): Promise<Reply> {
  const query = input.queryText === '' ? '' : `?${input.queryText}`;
  const { principal } = input;
  if (principal.kind === 'anonymous')
    return seeOther(deps.screens.signInAt(prefixOf(deps.baseUrl) + input.path + query));
  return needsNewPassword(principal, deps) ?? (await show(principal));
}

/** A form that a user has sent. */
export interface SentForm {
  readonly token: string;
  /** Path of the form's page. Its query has the typed texts, without passwords. */
  readonly back: string;
  readonly act: ForUser;
  /** Page of a form that was refused because of its origin or token. */
  readonly refused: (reader: Reader, facts: { readonly sentence: string; readonly back: string }) => Html;
}

/** Parts of a form that are known before its body is read. */
export interface FormGate extends Pick<SentForm, 'refused'> {
  /** Returns the path of the form's page, without the prefix. */
  readonly back: (path: string) => string;
  /** True if visitors may send the form. */
  readonly isForVisitors?: boolean;
  /** True if the typed texts are kept during a sign-in. Texts that are long or arrive late are lost. */
  readonly keepsTexts?: boolean;
}

const KEPT_TEXTS = { bytes: 16 * 1024, ms: 2000 } as const;

/** Checks the origin and the session of a form before its body is read. */
export function beforeForm({ back, refused, isForVisitors = false, keepsTexts = false }: FormGate) {
  return async (input: Input, deps: Ports<'baseUrl' | 'screens'>): Promise<EarlyReply | undefined> => {
    const page = inChosen({ chosen: chosenIn(input.queryText) }, prefixOf(deps.baseUrl) + back(input.path));
    if (formProblem(input, deps, '') === 'foreign') {
      const reader = readerOf(input, deps);
      const sentence = formSentence(reader.say, 'foreign');
      return { reply: await screenReply(403, refused(reader, { sentence, back: page })) };
    }
    if (isForVisitors || input.principal.kind !== 'anonymous') return undefined;
    return { reply: seeOther(deps.screens.signInAt(page)), ...(keepsTexts && { unless: KEPT_TEXTS }) };
  };
}

/** Handles a form of a signed-in user after checking its origin, the session and its token. */
export async function forUserForm(input: Input, deps: Deps, form: SentForm): Promise<Reply> {
  const { principal } = input;
  const back = inChosen({ chosen: chosenIn(input.queryText) }, prefixOf(deps.baseUrl) + form.back);
  const problem = formProblem(input, deps, form.token);
  if (problem !== 'foreign' && principal.kind === 'anonymous') return seeOther(deps.screens.signInAt(back));
  if (problem !== undefined || principal.kind === 'anonymous') {
    const reader = readerOf(input, deps);
    return await screenReply(403, form.refused(reader, { sentence: formSentence(reader.say, problem ?? 'old'), back }));
  }
  return needsNewPassword(principal, deps) ?? (await form.act(principal));
}

function needsNewPassword({ user }: SessionPrincipal, { baseUrl, admits }: Deps): Reply | undefined {
  if (!user.mustChangePassword || admits === 'all') return undefined;
  return seeOther(prefixOf(baseUrl) + paths.dashboardPassword);
}

/** User of a session, as the caller of handlers of the API. */
export function callerOf({ user }: SessionPrincipal): UserPrincipal {
  return { kind: 'user', user };
}

/** Caller of an operation. A browser's session can open only pages (`isPage`), not JSON (decision 199). */
export function pageCaller(principal: UserPrincipal | SessionPrincipal, isPage: boolean): UserPrincipal {
  if (principal.kind === 'user') return principal;
  if (isPage) return callerOf(principal);
  throw new DomainError('not_authenticated', 'The session of a browser gives access to the HTML page only.', {
    details: { policies: ['bearer'] },
  });
}
