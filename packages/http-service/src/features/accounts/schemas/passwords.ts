import { z } from 'zod';
import { text } from '../../../wire/text.ts';

/** Body of a request for a link to set a new password. */
export const ForgotPasswordRequest = z
  .object({
    username: text(150).describe('Name of the account.'),
    email: z.string().nullable().optional().describe('Ignored: the link goes to the e-mail address of the account.'),
  })
  .meta({ id: 'ForgotPasswordRequest' });

/** Body of a superuser's request to set a password. */
export const ResetPasswordRequest = z
  .object({ new_password: text(1024).describe('The new password; the rules are those of a new account.') })
  .meta({ id: 'ResetPasswordRequest' });

/** Path parameters of a link. */
export const LinkParams = z.object({
  uid: z.string().max(20).describe('Id of the account, base64url.'),
  token: z.string().max(2000).describe('A secret that works once, for three days.'),
});

/** Fields of the page's form; the page itself shows their errors. */
export const NewPasswordForm = z
  .object({
    new_password: z.string().default('').describe('The new password; the rules are those of a new account.'),
    confirm_password: z.string().default('').describe('The new password again.'),
  })
  .meta({ id: 'NewPasswordForm' });

/** Response with one sentence. */
export const DetailBody = z.object({ detail: z.string() }).meta({ id: 'Detail' });
