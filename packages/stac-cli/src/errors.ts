/**
 * Error of reading a document. The message has the reason: the document is missing, too large or not JSON, or its
 * address may not be requested.
 */
export class ReadError extends Error {
  override readonly name = 'ReadError';
}

/** Error after which a retry may succeed: the server is overloaded, or the connection was lost. */
export class TransientError extends ReadError {
  /** Pause that the server has requested with the header Retry-After, ms. */
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

/** Error of an invalid tree. The message names the document, the link and the problem. */
export class TreeError extends Error {
  override readonly name = 'TreeError';
}

/** Error of a target that cannot be written. The message contains the remedy. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}
