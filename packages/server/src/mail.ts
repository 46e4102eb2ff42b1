import type { MailSender } from '@headwater/identity';
import { createTransport } from 'nodemailer';

/** Mail server and sender. */
export interface MailConfig {
  /** `smtp://user:password@host:587` or `smtps://host`; a secret. */
  readonly url: string;
  /** Sender address of mails. */
  readonly from: string;
}

/** Timeout of the mail server, ms; requests do not wait for a mail. */
const TIMEOUT_MS = 30_000;

/** Sends mails by SMTP; with TLS if the server offers it, or always with `smtps://` or `?requireTLS=true`. */
export function createMailSender({ url, from }: MailConfig): MailSender {
  const transport = createTransport(
    {
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      // A mail's text must never be used as a path or address whose content is sent.
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
