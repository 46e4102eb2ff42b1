import type { MailSender } from '@headwater/identity';
import { createTransport } from 'nodemailer';

/** Where mails are handed over. */
export interface MailConfig {
  /** `smtp://user:password@host:587` or `smtps://host`; a secret. */
  readonly url: string;
  /** Address that mails come from. */
  readonly from: string;
}

/** Longest silence of the mail server, ms: nobody waits for a mail but this process. */
const SILENCE_MS = 30_000;

/** Sends mails by SMTP; with TLS where the server offers it, or always with `smtps://` or `?requireTLS=true`. */
export function createMailSender({ url, from }: MailConfig): MailSender {
  const transport = createTransport(
    {
      url,
      connectionTimeout: SILENCE_MS,
      greetingTimeout: SILENCE_MS,
      socketTimeout: SILENCE_MS,
      // A text is a text: no path and no address in it is ever read.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  return {
    send: async ({ to, subject, text }) => {
      await transport.sendMail({ to, subject, text });
    },
  };
}
