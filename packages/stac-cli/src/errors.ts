/** Thrown if an input cannot be read: missing, too large, not JSON, forbidden, or over the time limit. */
export class ReadError extends Error {
  override readonly name = 'ReadError';
}

/** Thrown after a fault that may pass: an overloaded server or a lost connection. */
export class TransientError extends ReadError {
  /** Pause of the header Retry-After, ms. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfter?: number) {
    super(message);
    this.retryAfterMs = retryAfter;
  }
}

/** Message of an error, without name and stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Thrown for an invalid tree. The message names document, link and problem. */
export class TreeError extends Error {
  override readonly name = 'TreeError';
}

/** Thrown for a target that cannot be written. The message contains the remedy. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}
