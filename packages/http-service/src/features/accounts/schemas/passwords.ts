import { z } from 'zod';
import type { MailMessage, MailedLink } from '@headwater/identity';
import { text } from '../../../wire/text.ts';
import { fill, paths } from '../../../wire/paths.ts';

/** Body of a request for a link to set a new password. */
export const ForgotPasswordRequest = z
  .object({
    username: text(150).describe('Name of the account.'),
    email: z.string().nullable().optional().describe('Ignored: the link goes to the e-mail address of the account.'),
  })
  .meta({ id: 'ForgotPasswordRequest' });

/** Body of a superuser's request to set a password. */
export const ResetPasswordRequest = z
  .object({ new_password: text(1024).describe('The new password; the rules for passwords of new accounts apply.') })
  .meta({ id: 'ResetPasswordRequest' });

/** Path parameters of a link. */
export const LinkParams = z.object({
  uid: z.string().max(20).describe('Id of the account, base64url.'),
  token: z.string().max(2000).describe('Secret of the link, which can be used once, within three days.'),
});

/** Fields of the form for a new password. The page of the form shows their errors. */
export const NewPasswordForm = z
  .object({
    new_password: z.string().default('').describe('The new password; the rules for passwords of new accounts apply.'),
    confirm_password: z.string().default('').describe('The new password again.'),
  })
  .meta({ id: 'NewPasswordForm' });

/** Response with one sentence. */
export const DetailBody = z.object({ detail: z.string() }).meta({ id: 'Detail' });

/** Address of a link. The id is base64url, as in the links that existing clients know. */
function passwordLinkAddress(baseUrl: string, { userId, token }: MailedLink['link']): string {
  return baseUrl + fill(paths.passwordLink, { uid: encodedId(userId), token });
}

function encodedId(id: number): string {
  return Buffer.from(String(id)).toString('base64url');
}

/** Decodes the user id of a link; undefined if it is not valid. */
export function decodedId(text: string): number | undefined {
  const digits = Buffer.from(text, 'base64url').toString('latin1');
  return /^[1-9]\d{0,9}$/.test(digits) ? Number(digits) : undefined;
}

/** E-mail with a link for a new password. The link works for `days` days. */
export function passwordLinkMail({ user, link }: MailedLink, about: { baseUrl: string; days: number }): MailMessage {
  const lines = [
    `A new password was requested for the account ${user.username} at ${about.baseUrl}.`,
    '',
    `Set the new password here within ${about.days} days. The link can be used once:`,
    passwordLinkAddress(about.baseUrl, link),
    '',
    'If you did not request it, do nothing: the password does not change.',
  ];
  return { to: user.email, subject: 'A new password for your account', text: `${lines.join('\n')}\n` };
}
