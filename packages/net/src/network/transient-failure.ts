import { httpDate, isTransientStatus, retryAfterMs } from '../retry/index.ts';
import type { NetResponse } from './response.ts';

/** Errors of a name server or resolver. */
const UNRESOLVED = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME', 'ENODATA', 'ESERVFAIL']);

/** A failure that a retry may not meet. */
export class TransientFailure extends Error {
  /** In words, for messages. */
  readonly reason: string;
  /** Pause that the server requested, ms; undefined if it did not. */
  readonly retryAfterMs: number | undefined;
  /** True if the name of the host could not be resolved. */
  readonly isUnresolved: boolean;

  constructor(reason: string, retryAfterMs?: number, cause?: unknown) {
    super(reason);
    this.isUnresolved = cause instanceof Error && 'code' in cause && UNRESOLVED.has(String(cause.code));
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
