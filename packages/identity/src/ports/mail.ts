/** A mail of plain text. */
export interface MailMessage {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mails. Rejects if a mail is refused; the error's text may hold a secret, so it must not appear in a message or a log. */
export interface MailSender {
  send(message: MailMessage): Promise<void>;
}
