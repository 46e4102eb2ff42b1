import { z } from 'zod';
import { text } from '../../../wire/text.ts';

/** Body of a request for a link. */
export const ForgotPasswordRequest = z
  .object({
    username: text(150).describe('Name of the account.'),
    email: z
      .string()
      .nullable()
      .optional()
      .describe('Not looked at: the link goes to the address that the account has.'),
  })
  .meta({ id: 'ForgotPasswordRequest' });

/** Body of a superuser's request. */
export const ResetPasswordRequest = z
  .object({ new_password: text(1024).describe('As strict as for a new account.') })
  .meta({ id: 'ResetPasswordRequest' });

/** Parts of a link. */
export const LinkParams = z.object({
  uid: z.string().max(20).describe('Id of the account, base64url.'),
  token: z.string().max(2000).describe('A secret that works once, for three days.'),
});

/** Fields of the page's form; what is wrong with them is told on the page. */
export const NewPasswordForm = z
  .object({
    new_password: z.string().default('').describe('As strict as for a new account.'),
    confirm_password: z.string().default('').describe('The new password once more.'),
  })
  .meta({ id: 'NewPasswordForm' });

/** A sentence. */
export const DetailBody = z.object({ detail: z.string() }).meta({ id: 'Detail' });
