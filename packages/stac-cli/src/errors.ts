/** A read error with its reason: missing, too large, not JSON, or an address that may not be requested. */
export class ReadError extends Error {
  override readonly name = 'ReadError';
}

/** A transient error: a retry may succeed. The server is overloaded, or the connection was lost. */
export class TransientError extends ReadError {
  /** Pause that the server asked for with `Retry-After`, ms. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfter?: number) {
    super(message);
    this.retryAfterMs = retryAfter;
  }
}

/** Message of an error, without its name and stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An invalid tree; the message names the document, the link and the problem. */
export class TreeError extends Error {
  override readonly name = 'TreeError';
}

/** A target that cannot be written; the message has the remedy. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}
