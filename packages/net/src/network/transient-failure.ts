import { httpDate, isTransientStatus, retryAfterMs } from '../retry/index.ts';
import type { NetResponse } from './response.ts';

/** A failure that another attempt may not meet. */
export class TransientFailure extends Error {
  /** In words, for messages. */
  readonly reason: string;
  /** Pause that the server asked for, ms; undefined if it did not. */
  readonly retryAfterMs: number | undefined;

  constructor(reason: string, retryAfterMs?: number) {
    super(reason);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The failure that an answer with a transient status is; undefined for any other. `nowMs` counts if the answer has no `Date`. */
export function transientFailure(answer: NetResponse, nowMs: number): TransientFailure | undefined {
  if (!isTransientStatus(answer.status)) return undefined;
  const sentMs = httpDate(answer.header('date')) ?? nowMs;
  return new TransientFailure(`HTTP ${answer.status}`, retryAfterMs(answer.header('retry-after'), sentMs));
}
