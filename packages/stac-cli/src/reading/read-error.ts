/** What cannot be read, and why: it is not there, too large, no JSON, or lies where it may not be asked for. */
export class ReadError extends Error {
  override readonly name = 'ReadError';
}

/** The same where another try may succeed: the server has too much to do, or the connection was lost. */
export class PassingError extends ReadError {
  /** Pause that the server asks for, ms. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfter?: number) {
    super(message);
    this.retryAfterMs = retryAfter;
  }
}

/** What an error says, without its name and stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
