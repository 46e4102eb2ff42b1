import { httpDate, isTransientStatus, retryAfterMs } from '../retry/index.ts';
import type { NetResponse } from './response.ts';

/** A failure that a retry may not meet. */
export class TransientFailure extends Error {
  /** In words, for messages. */
  readonly reason: string;
  /** Pause that the server requested, ms; undefined if it did not. */
  readonly retryAfterMs: number | undefined;

  constructor(reason: string, retryAfterMs?: number) {
    super(reason);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The failure of a response with a transient status; undefined for any other. `nowMs` is used if the response has no `Date`. */
export function transientFailure(answer: NetResponse, nowMs: number): TransientFailure | undefined {
  if (!isTransientStatus(answer.status)) return undefined;
  const sentMs = httpDate(answer.header('date')) ?? nowMs;
  return new TransientFailure(`HTTP ${answer.status}`, retryAfterMs(answer.header('retry-after'), sentMs));
}
