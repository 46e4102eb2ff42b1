import { DomainError, isDomainError } from '@headwater/core';
import type { z } from 'zod';
import { HTML_TYPE } from '../../../answering/page-or-document.ts';
import { FORM_HEADERS, type Html, prefixOf, type Shell } from '../../../pages/layout.ts';
import { sayIn } from '../../../pages/texts.ts';
import { requestLanguage } from '../../../reading/accept-language.ts';
import type { RequestHeaders } from '../../../reading/conditions.ts';
import { BODY_ERRORS, ok, PARAMETER_ERRORS, SUPERUSER_ERRORS } from '../../../rows/common.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json, type Reply } from '../../../seam/reply.ts';
import { absent } from '../../../wire/absent.ts';
import { paths } from '../../../wire/paths.ts';
import { sentenceOf, sentences } from '../../../wire/sentences.ts';
import { knownPerson } from '../handlers/known-person.ts';
import { passwordForm, passwordIsSet } from '../page/password-page.ts';
import {
  decodedId,
  DetailBody,
  ForgotPasswordRequest,
  LinkParams,
  NewPasswordForm,
  ResetPasswordRequest,
} from '../schemas/passwords.ts';
import { UserId } from '../schemas/users.ts';

async function formReply(status: number, page: Html): Promise<Reply> {
  return { status, headers: { 'content-type': HTML_TYPE, ...FORM_HEADERS }, body: String(await page) };
}

const forgotPassword = operation({
  id: 'forgotPassword',
  method: 'POST',
  path: paths.forgotPassword,
  auth: 'public',
  tag: 'auth',
  summary: 'E-mails a link for a new password to the address of an account',
  description:
    'The response is the same if the account does not exist or has no e-mail address. The link can be used once, within three days. ' +
    'If the service sends no mail, the response is 403; ask the operator to set a new password.',
  body: { kind: 'fields', schema: ForgotPasswordRequest, accepts: ['json', 'form', 'multipart'] },
  responses: { 200: ok('If the account exists and has an address, the link is sent', DetailBody) },
  errors: [...BODY_ERRORS, 'forbidden', 'throttled'],
  noStore: true,
  examples: [
    { name: 'an unknown name', body: { username: 'nobody_at_all' }, status: 200 },
    { name: 'no name', body: {}, status: 400 },
  ],
  async handler({ body, remoteAddress }, { accounts }) {
    await accounts.sendPasswordLink(body.username, remoteAddress);
    return json(200, { detail: sentences.linkIsSent });
  },
});

const LINK_ROW = {
  path: paths.passwordLink,
  auth: 'public',
  tag: 'auth',
  params: LinkParams,
  errorFormat: 'html',
  cors: 'none',
  noStore: true,
  secretPath: true,
} as const;
const BAD_LINK = { uid: 'MQ', token: 'not-a-token' };
const PAGE = { description: 'A page', media: ['text/html'] };

const showPasswordForm = operation({
  ...LINK_ROW,
  id: 'showPasswordForm',
  method: 'GET',
  summary: 'Shows the page of a password link: a form for the new password, which works without script',
  responses: { 200: PAGE },
  errors: [...PARAMETER_ERRORS, 'not_found'],
  examples: [{ name: 'an invalid link', params: BAD_LINK, status: 404 }],
  async handler({ params, headers, queryText }, { accounts, baseUrl }) {
    await accounts.checkPasswordLink(linkOf(params));
    return await formReply(200, passwordForm(baseUrl, shellOf(headers, queryText)));
  },
});

const setPasswordByLink = operation({
  ...LINK_ROW,
  id: 'setPasswordByLink',
  method: 'POST',
  summary: 'Sets the new password and ends every session and API key of the account; the link cannot be used again',
  body: { kind: 'fields', schema: NewPasswordForm, accepts: ['form', 'multipart', 'json'], refusesEmpty: true },
  responses: { 200: PAGE, 400: { ...PAGE, description: 'The form again, with the errors' } },
  errors: [...BODY_ERRORS, 'not_found', 'unavailable'],
  examples: [
    {
      name: 'an invalid link',
      params: BAD_LINK,
      body: { new_password: 'tall-river-42', confirm_password: 'tall-river-42' },
      status: 404,
    },
  ],
  async handler({ params, body, headers, queryText, remoteAddress }, { accounts, baseUrl, screens }) {
    const link = linkOf(params);
    const shell = shellOf(headers, queryText);
    if (body.new_password !== body.confirm_password) {
      await accounts.checkPasswordLink(link);
      return await formReply(
        400,
        passwordForm(baseUrl, shell, { confirm_password: [sayIn(shell.language)('passwordsDiffer')] }),
      );
    }
    try {
      await accounts.setPasswordByLink(link, body.new_password, remoteAddress);
    } catch (error) {
      return await formReply(400, passwordForm(baseUrl, shell, { new_password: problemsOf(error) }));
    }
    const signIn = screens.kind === 'own' ? prefixOf(baseUrl) + paths.signIn : undefined;
    return await formReply(200, passwordIsSet(baseUrl, shell, signIn));
  },
});

function linkOf({ uid, token }: z.infer<typeof LinkParams>) {
  const userId = decodedId(uid);
  if (userId === undefined) throw absent('passwordLink', {});
  return { userId, token };
}

/** Sentences about a refused password; throws any other error. */
function problemsOf(error: unknown): readonly string[] {
  const problems = isDomainError(error) && error.code === 'validation' ? error.fields['newPassword'] : undefined;
  if (problems === undefined) throw error;
  return problems.map((problem) => sentenceOf(problem, 'newPassword'));
}

/** Frame of the page, without the signed-in user: the link alone determines whose password is set. */
function shellOf(headers: RequestHeaders, query: string): Shell {
  return { language: requestLanguage(query, headers['accept-language']), query };
}

const resetPassword = operation({
  id: 'resetPassword',
  method: 'POST',
  path: paths.resetPassword,
  auth: 'superuser',
  tag: 'accounts',
  summary: "Sets a user's password and ends the user's sessions and API keys (superusers only)",
  description:
    'The passwords of superusers cannot be set in this way, because a stolen token of a superuser could then take over such an account. Change your own password with the ' +
    `current one (${paths.changePassword}); a superuser who forgot the password requests a link, or the operator sets a new one by command.`,
  params: UserId,
  body: ResetPasswordRequest,
  responses: { 200: ok('The password is set', DetailBody) },
  errors: [...SUPERUSER_ERRORS, ...BODY_ERRORS, 'not_found', 'unavailable'],
  noStore: true,
  examples: [
    { name: 'nobody', params: { id: '99999' }, body: { new_password: 'wide-meadow-43' }, status: 404 },
    { name: 'somebody', params: { id: '2' }, body: { new_password: 'wide-meadow-43' }, status: 200 },
    { name: 'digits alone', params: { id: '2' }, body: { new_password: '12345678' }, status: 400 },
  ],
  async handler({ principal, params, body }, { accounts, stores }) {
    const { user } = await knownPerson(stores, params.id);
    if (user.id === principal.user.id) throw new DomainError('forbidden', sentences.ownPassword);
    if (user.isSuperuser) throw new DomainError('forbidden', sentences.passwordOfSuperuser);
    await accounts.resetPassword(params.id, body.new_password, { by: principal.user });
    return json(200, { detail: sentences.passwordIsReset });
  },
});

/** Operations that replace forgotten passwords: by an e-mailed link, or by a superuser. */
export const passwordOperations = [
  forgotPassword,
  showPasswordForm,
  setPasswordByLink,
  resetPassword,
] satisfies readonly Operation[];
