import { ConfigError } from './config-error.ts';
import type { MailConfig } from './mail.ts';

/** Values of the variables that tell where mails go. */
export interface MailValues {
  readonly SMTP_URL?: string | undefined;
  readonly MAIL_FROM?: string | undefined;
}

/** Where mails are handed over; undefined = none are sent. Throws `ConfigError`. */
export function mail({ SMTP_URL: url, MAIL_FROM: from }: MailValues): MailConfig | undefined {
  if (url === undefined) return undefined;
  if (from === undefined)
    throw new ConfigError('MAIL_FROM: needed with SMTP_URL; give the address that mails come from.');
  return { url, from };
}
