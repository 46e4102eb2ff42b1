import type { MailSender } from '@headwater/identity';
import { createTransport } from 'nodemailer';

/** Mail server and sender. */
export interface MailConfig {
  /** `smtp://user:password@host:587` or `smtps://host`; a secret. */
  readonly url: string;
  readonly from: string;
}

/** Timeout of the mail server, ms. It is long, because no request waits for a mail. */
const TIMEOUT_MS = 30_000;

/** Sends mails by SMTP; with TLS if the server offers it, or always with `smtps://` or `?requireTLS=true`. */
export function createMailSender(config: MailConfig): MailSender {
  const transport = transportOf(config, TIMEOUT_MS);
  return {
    send: async ({ to, subject, text }) => {
      await transport.sendMail({ to, subject, text });
    },
  };
}

const CHECK_MS = 5000;

/** Signs in to the mail server and sends nothing. Rejects with the reason if that fails. */
export async function checkMail(config: MailConfig): Promise<void> {
  const transport = transportOf(config, CHECK_MS);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

function transportOf({ url, from }: MailConfig, timeoutMs: number): ReturnType<typeof createTransport> {
  return createTransport(
    {
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // Nodemailer must never read a file or URL that a mail names.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
}
