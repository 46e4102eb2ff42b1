/** A mail of plain text. */
export interface MailMessage {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mails. Rejects where one is not taken; its text may hold a secret, so that no part of it belongs in a message or a log. */
export interface MailSender {
  send(message: MailMessage): Promise<void>;
}
