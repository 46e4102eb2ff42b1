import { isDomainError } from '@headwater/core';
import type { z } from 'zod';
import type { ServiceDeps } from '../../../deps.ts';
import { BODY_ERRORS, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { openForm, visitorFormProblem } from '../../../screens/form-check.ts';
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
import { fieldSentences, waitingOf } from '../../../screens/waiting.ts';
import type { Reply } from '../../../seam/reply.ts';
import { paths } from '../../../wire/paths.ts';
import { dashboardOf, ownNext, signedIn } from '../handlers/signed-in.ts';
import { forgotPage, registerPage, type RegisterValues } from '../page/newcomer-pages.ts';
import { refusedFormPage } from '../page/sign-in-page.ts';
import { ForgotForm, RegisterForm, ScreenQuery } from '../schemas.ts';

const EMPTY: RegisterValues = { username: '', email: '', first_name: '', last_name: '', organization: '' };

interface Shown {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly problems?: readonly string[];
  readonly fieldProblems?: Readonly<Record<string, readonly string[]>>;
  readonly values?: RegisterValues;
  readonly next: string | undefined;
}

async function showRegistration(input: ScreenInput, deps: ServiceDeps, shown: Shown): Promise<Reply> {
  const { status = 200, headers = {}, problems = [], fieldProblems = {}, values = EMPTY } = shown;
  const form = openForm(input, deps);
  const [organizations, next] = [await organizationNames(deps), ownNext(shown.next, deps)];
  const facts = { token: form.token, next, values, problems, fieldProblems, organizations };
  return await screenReply(status, registerPage(readerOf(input, deps), facts), { ...headers, ...form.headers });
}

async function organizationNames({ accounts }: Pick<ServiceDeps, 'accounts'>): Promise<readonly string[] | undefined> {
  try {
    return (await accounts.organizations()).map(({ name }) => name);
  } catch (error) {
    if (isDomainError(error) && error.code === 'forbidden') return undefined;
    throw error;
  }
}

const showRegistrationForm = operation({
  ...SCREEN_ROW,
  id: 'showRegistrationForm',
  method: 'GET',
  path: paths.registerPage,
  summary: 'Page with the registration form; a signed-in user is sent on to `next` or the dashboard',
  query: ScreenQuery,
  responses: { 200: SCREEN_PAGE, 303: TO_ANOTHER_PAGE },
  errors: PARAMETER_ERRORS,
  examples: [{ name: 'page', status: 200 }],
  async handler(input, deps) {
    const { next } = input.query;
    if (input.principal.kind === 'session') return seeOther(ownNext(next, deps) ?? dashboardOf(deps, input.queryText));
    return await showRegistration(input, deps, { next });
  },
});

const registerByForm = operation({
  ...SCREEN_ROW,
  id: 'registerByForm',
  method: 'POST',
  path: paths.registerPage,
  summary: 'Makes an account for a visitor, as the registration route does, and signs the browser in',
  body: { kind: 'fields', schema: RegisterForm, accepts: ['form', 'json'] },
  beforeBody: beforeForm({ back: (path) => path, refused: refusedFormPage, isForVisitors: true }),
  responses: {
    303: { description: 'Registered and signed in; `Location` is `next`, or the dashboard' },
    400: REFUSED_PAGE,
    403: REFUSED_PAGE,
    429: REFUSED_PAGE,
    503: REFUSED_PAGE,
  },
  errors: [...BODY_ERRORS, 'unavailable'],
  examples: [{ name: 'without the token of the form', body: { username: 'asha' }, status: 403 }],
  async handler(input, deps) {
    const { token, next, ...sent } = input.body;
    const { say } = readerOf(input, deps);
    const { username, email, first_name, last_name, organization } = sent;
    const again = { next, values: { username, email, first_name, last_name, organization } };
    const problem = visitorFormProblem(input, deps, token);
    if (problem !== undefined) {
      return await showRegistration(input, deps, { ...again, status: 403, problems: [formSentence(say, problem)] });
    }
    try {
      const user = await deps.accounts.register(registrationOf(sent), input.remoteAddress);
      return await signedInOrAsked(input, deps, { user, next });
    } catch (error) {
      return await showRegistration(input, deps, { ...again, ...refusal(error, input, deps) });
    }
  },
});

/** Signs the new user in. If the database fails now, the user is sent to the sign-in page. */
async function signedInOrAsked(
  input: ScreenInput,
  deps: ServiceDeps,
  arrival: Parameters<typeof signedIn>[2],
): Promise<Reply> {
  try {
    return await signedIn(input, deps, arrival);
  } catch (error) {
    if (!isDomainError(error) || error.code !== 'unavailable') throw error;
    return seeOther(deps.screens.signInAt(ownNext(arrival.next, deps) ?? dashboardOf(deps, input.queryText)));
  }
}

type SentRegistration = Omit<z.infer<typeof RegisterForm>, 'token' | 'next'>;

/** Only named fields are passed on, so that a form cannot set other fields. */
function registrationOf({ username, email, password, ...sent }: SentRegistration) {
  const names = { firstName: sent.first_name, lastName: sent.last_name, organization: sent.organization };
  return { username, email, password, passwordConfirm: sent.password_confirm, ...names };
}

function refusal(error: unknown, input: ScreenInput, deps: ServiceDeps): Omit<Shown, 'next'> {
  const reader = readerOf(input, deps);
  const { say } = reader;
  const fieldProblems = fieldSentences(error, reader);
  if (fieldProblems !== undefined) return { status: 400, problems: [say('correctFields')], fieldProblems };
  if (isDomainError(error) && error.code === 'forbidden') return { status: 403 };
  const waiting = waitingOf(error, say, 'tooManyRequests');
  if (waiting === undefined) throw error;
  return { ...waiting, problems: [waiting.sentence] };
}

const showForgotForm = operation({
  ...SCREEN_ROW,
  id: 'showForgotForm',
  method: 'GET',
  path: paths.forgotPage,
  summary: 'Page that sends a link for a new password',
  query: ScreenQuery,
  responses: { 200: SCREEN_PAGE },
  errors: PARAMETER_ERRORS,
  examples: [{ name: 'page', status: 200 }],
  handler: (input, deps) => showForgot(input, deps, {}),
});

interface ShownForgot extends Pick<Shown, 'status' | 'headers' | 'problems'> {
  readonly username?: string;
  readonly isSent?: boolean;
}

async function showForgot(input: ScreenInput, deps: ServiceDeps, shown: ShownForgot): Promise<Reply> {
  const { status = 200, headers = {}, problems = [], username = '', isSent = false } = shown;
  const form = openForm(input, deps);
  const facts = { token: form.token, username, problems, isSent, sendsMail: deps.accounts.sendsMail };
  return await screenReply(status, forgotPage(readerOf(input, deps), facts), { ...headers, ...form.headers });
}

const sendLinkByForm = operation({
  ...SCREEN_ROW,
  id: 'sendLinkByForm',
  method: 'POST',
  path: paths.forgotPage,
  summary: 'Mails a link for a new password; the page is the same if the account does not exist',
  body: { kind: 'fields', schema: ForgotForm, accepts: ['form', 'json'] },
  beforeBody: beforeForm({ back: (path) => path, refused: refusedFormPage, isForVisitors: true }),
  responses: { 200: SCREEN_PAGE, 403: REFUSED_PAGE, 429: REFUSED_PAGE, 503: REFUSED_PAGE },
  errors: [...BODY_ERRORS, 'unavailable'],
  examples: [{ name: 'without the token of the form', body: { username: 'asha' }, status: 403 }],
  async handler(input, deps) {
    const { username, token } = input.body;
    const { say } = readerOf(input, deps);
    const problem = visitorFormProblem(input, deps, token);
    if (problem !== undefined)
      return await showForgot(input, deps, { status: 403, username, problems: [formSentence(say, problem)] });
    if (!deps.accounts.sendsMail) return await showForgot(input, deps, { status: 403 });
    try {
      await deps.accounts.sendPasswordLink(username, input.remoteAddress);
      return await showForgot(input, deps, { isSent: true });
    } catch (error) {
      const waiting = waitingOf(error, say, 'tooManyRequests');
      if (waiting === undefined) throw error;
      return await showForgot(input, deps, { ...waiting, username, problems: [waiting.sentence] });
    }
  },
});

/** Operations of the pages for newcomers and forgotten passwords. */
export const newcomerOperations = [
  showRegistrationForm,
  registerByForm,
  showForgotForm,
  sendLinkByForm,
] satisfies readonly Operation[];
