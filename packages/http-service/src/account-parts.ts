import {
  type AccountDeps,
  type AccountService,
  createAccountService,
  createTokens,
  type MailSender,
  RESET_TTL_SECONDS,
  TOKEN_DEFAULTS,
  type Tokens,
} from '@headwater/core';
import type { HeadwaterOptions } from './headwater-options.ts';
import { createScryptHasher } from './scrypt-hasher.ts';
import { passwordLinkMail } from './wire/mails.ts';

const DAY_SECONDS = 86_400;

/** Accounts and the tokens by which they sign in. */
export function accountParts(
  options: HeadwaterOptions,
  { baseUrl, ...surroundings }: Pick<AccountDeps, 'stores' | 'clock' | 'logger'> & { readonly baseUrl: string },
): { readonly accounts: AccountService; readonly tokens: Tokens } {
  const secret = typeof options.secret === 'string' ? new TextEncoder().encode(options.secret) : options.secret;
  const tokens = createTokens({ ...TOKEN_DEFAULTS, ...options.tokens, secret }, surroundings.clock);
  const accounts = createAccountService({
    ...surroundings,
    tokens,
    hasher: options.hasher ?? createScryptHasher(),
    registration: options.registration ?? 'off',
    ...mailLinkOf(options.mail, baseUrl),
    ...(options.loginLimits === undefined ? {} : { limits: options.loginLimits }),
  });
  return { accounts, tokens };
}

/** How links for new passwords reach people, where there is mail. */
function mailLinkOf(mail: MailSender | undefined, baseUrl: string): Pick<AccountDeps, 'mailLink'> {
  if (mail === undefined) return {};
  const days = RESET_TTL_SECONDS / DAY_SECONDS;
  return { mailLink: (mailed) => mail.send(passwordLinkMail(mailed, { baseUrl, days })) };
}
