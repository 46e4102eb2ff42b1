import type { MailMessage, MailedLink } from '@headwater/identity';
import { fill, paths } from '../../../wire/paths.ts';

/** Address of the page that sets a password. The id is base64url, as in the links that existing clients know. */
export function passwordLinkAddress(baseUrl: string, { userId, token }: MailedLink['link']): string {
  return baseUrl + fill(paths.passwordLink, { uid: encodedId(userId), token });
}

/** Encodes a user id for a link: the base64url of its digits. */
function encodedId(id: number): string {
  return Buffer.from(String(id)).toString('base64url');
}

/** Decodes the user id of a link; undefined if it is not valid. */
export function decodedId(text: string): number | undefined {
  const digits = Buffer.from(text, 'base64url').toString('latin1');
  return /^[1-9]\d{0,9}$/.test(digits) ? Number(digits) : undefined;
}

/** E-mail with a link for a new password; the link works for `days` days. */
export function passwordLinkMail({ user, link }: MailedLink, about: { baseUrl: string; days: number }): MailMessage {
  const lines = [
    `A new password was requested for the account ${user.username} at ${about.baseUrl}.`,
    '',
    `Set it here within ${about.days} days; the link works once:`,
    passwordLinkAddress(about.baseUrl, link),
    '',
    'If you did not request it, do nothing: the password does not change.',
  ];
  return { to: user.email, subject: 'A new password for your account', text: `${lines.join('\n')}\n` };
}
