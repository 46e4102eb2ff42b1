import type { MailMessage, MailedLink } from '@headwater/identity';
import { fill, paths } from '../../../wire/paths.ts';

/** Address of the page that sets a password. The id is encoded as the live system does. */
export function passwordLinkAddress(baseUrl: string, { userId, token }: MailedLink['link']): string {
  return baseUrl + fill(paths.passwordLink, { uid: encodedId(userId), token });
}

/** An id as the link has it: the base64url of its digits. */
function encodedId(id: number): string {
  return Buffer.from(String(id)).toString('base64url');
}

/** The id of a link; undefined for what cannot be one. */
export function decodedId(text: string): number | undefined {
  const digits = Buffer.from(text, 'base64url').toString('latin1');
  return /^[1-9]\d{0,9}$/.test(digits) ? Number(digits) : undefined;
}

/** The mail with a link; `days` that it is good. */
export function passwordLinkMail({ user, link }: MailedLink, about: { baseUrl: string; days: number }): MailMessage {
  const lines = [
    `Somebody asked for a new password of the account ${user.username} at ${about.baseUrl}.`,
    '',
    `Set it here within ${about.days} days; the link works once:`,
    passwordLinkAddress(about.baseUrl, link),
    '',
    'If it was not you, do nothing: the password stays as it is.',
  ];
  return { to: user.email, subject: 'A new password for your account', text: `${lines.join('\n')}\n` };
}
