import type { SessionPrincipal, User } from '@headwater/identity';
import type { ServiceDeps } from '../../../deps.ts';
import { prefixOf } from '../../../pages/layout.ts';
import { BODY_ERRORS, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { removeCookie } from '../../../sessions/cookies.ts';
import { fieldSentences, waitingOf } from '../../../screens/waiting.ts';
import { openForm } from '../../../screens/form-check.ts';
import {
  readerOf,
  REFUSED_PAGE,
  SCREEN_PAGE,
  SCREEN_ROW,
  type ScreenInput,
  screenReply,
  seeOther,
  TO_ANOTHER_PAGE,
} from '../../../screens/replies.ts';
import { beforeForm, callerOf, forUser, forUserForm } from '../../../screens/signed-in.ts';
import type { Reply } from '../../../seam/reply.ts';
import { paths } from '../../../wire/paths.ts';
import { refusedFormPage } from '../../sign-in/page/sign-in-page.ts';
import { ScreenQuery } from '../../sign-in/schemas.ts';
import { type PasswordChangeFacts, passwordChangePage } from '../page/password-change-page.ts';
import { PasswordForm } from '../schemas.ts';

interface Shown extends Partial<Pick<PasswordChangeFacts, 'problems' | 'fieldProblems'>> {
  readonly user: User;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

async function show(input: ScreenInput, deps: ServiceDeps, shown: Shown): Promise<Reply> {
  const { user, status = 200, headers = {}, problems = [], fieldProblems = {} } = shown;
  const { token } = openForm(input, deps);
  const facts = { token, isRequired: user.mustChangePassword, problems, fieldProblems };
  return await screenReply(status, passwordChangePage(readerOf(input, deps), facts), headers);
}

/** Rule of these pages, which also admit users who must first change their password. */
const ADMITTED = { admits: 'all' } as const;

const showOwnPassword = operation({
  ...SCREEN_ROW,
  id: 'showOwnPassword',
  method: 'GET',
  path: paths.dashboardPassword,
  summary: 'Page that changes the password of the signed-in user',
  query: ScreenQuery,
  responses: { 200: SCREEN_PAGE, 303: TO_ANOTHER_PAGE },
  errors: PARAMETER_ERRORS,
  examples: [{ name: 'of a visitor', status: 303 }],
  handler: (input, deps) => forUser(input, { ...deps, ...ADMITTED }, ({ user }) => show(input, deps, { user })),
});

const changeOwnPassword = operation({
  ...SCREEN_ROW,
  id: 'changeOwnPassword',
  method: 'POST',
  path: paths.dashboardPassword,
  summary: 'Changes the password of the signed-in user and ends all sessions, also the session of the request',
  description: 'A wrong `old_password` counts as a failed sign-in.',
  body: { kind: 'fields', schema: PasswordForm, accepts: ['form', 'json'] },
  beforeBody: beforeForm({ back: (path) => path, refused: refusedFormPage }),
  responses: { 303: TO_ANOTHER_PAGE, 400: REFUSED_PAGE, 403: REFUSED_PAGE, 429: REFUSED_PAGE, 503: REFUSED_PAGE },
  errors: [...BODY_ERRORS, 'unavailable'],
  examples: [{ name: 'of a program without a session', body: {}, status: 403 }],
  handler: (input, deps) => {
    const { token, old_password: oldPassword, new_password: newPassword, confirm_password: confirmed } = input.body;
    const act = async (principal: SessionPrincipal): Promise<Reply> => {
      const { user } = principal;
      const { say } = readerOf(input, deps);
      if (newPassword !== confirmed) {
        const fieldProblems = { confirm_password: [say('passwordsDiffer')] };
        return await show(input, deps, { user, status: 400, problems: [say('correctFields')], fieldProblems });
      }
      try {
        await deps.accounts.changePassword(callerOf(principal), { oldPassword, newPassword }, input.remoteAddress);
      } catch (error) {
        return await show(input, deps, { user, ...refusal(error, input, deps) });
      }
      const { session } = deps.screens.cookies;
      return seeOther(prefixOf(deps.baseUrl) + paths.signIn, { 'set-cookie': removeCookie(session) });
    };
    const form = { token, back: paths.dashboardPassword, refused: refusedFormPage, act };
    return forUserForm(input, { ...deps, ...ADMITTED }, form);
  },
});

function refusal(error: unknown, input: ScreenInput, deps: ServiceDeps): Omit<Shown, 'user'> {
  const reader = readerOf(input, deps);
  const { say } = reader;
  const fieldProblems = fieldSentences(error, reader);
  if (fieldProblems !== undefined) return { status: 400, problems: [say('correctFields')], fieldProblems };
  const waiting = waitingOf(error, say, 'tooManySignIns');
  if (waiting === undefined) throw error;
  return { ...waiting, problems: [waiting.sentence] };
}

/** Operations of the page on which users change their own password. */
export const ownPasswordOperations = [showOwnPassword, changeOwnPassword] satisfies readonly Operation[];
