import { z } from 'zod';
import { textOrNone } from '../../wire/text.ts';
import { LANGUAGES } from '../../wire/words.ts';

/** Secret of a form. The page with the form contains the secret. */
export const formToken = textOrNone(200)
  .default('')
  .describe('Token against forged requests, from the page of the form.');

/** Path of a page to return to. Addresses of other sites are ignored. */
export const nextPath = textOrNone(4000).optional().describe('Page of this service to open afterwards.');

/** Query of the pages for users, such as the sign-in page. */
export const ScreenQuery = z.object({
  // An address that is too long is ignored, so that the sign-in still works.
  next: nextPath.catch(undefined),
  lang: z.enum(LANGUAGES).optional().catch(undefined).describe('Language; default: by `Accept-Language`.'),
});

/** Fields of the sign-in form. */
export const SignInForm = z
  .object({
    username: textOrNone(150).default('').describe('Name of the account.'),
    password: textOrNone(1024).default('').describe('Password of the account.'),
    next: nextPath,
    token: formToken,
  })
  .meta({ id: 'SignInForm' });

/** Fields of a form with only a button, such as the sign-out form. */
export const ConfirmForm = z.object({ token: formToken }).meta({ id: 'ConfirmForm' });

/** Fields of the registration form; the page itself shows their errors. */
export const RegisterForm = z
  .object({
    username: textOrNone(1000).default('').describe('Name of the new account.'),
    email: textOrNone(1000).default('').describe('E-mail address.'),
    password: textOrNone(1024).default('').describe('Password.'),
    password_confirm: textOrNone(1024).default('').describe('The password again.'),
    first_name: textOrNone(1000).default('').describe('First name.'),
    last_name: textOrNone(1000).default('').describe('Last name.'),
    organization: textOrNone(1000).default('').describe('Name of an organisation that the user wants to join.'),
    next: nextPath,
    token: formToken,
  })
  .meta({ id: 'RegisterForm' });

/** Fields of the form for a forgotten password. */
export const ForgotForm = z
  .object({ username: textOrNone(150).default('').describe('Name of the account.'), token: formToken })
  .meta({ id: 'ForgotForm' });
