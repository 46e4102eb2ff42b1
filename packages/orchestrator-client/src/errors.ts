import { isTransientStatus } from '@headwater/net/retry';
import type { RunReport, StallDiagnosis } from './model/run-report.ts';

/** Brand that survives duplicate copies of this package, so that nobody needs `instanceof` across packages. */
const BRAND = Symbol.for('headwater.orchestrator.error');

/** Where a failing exchange with the orchestrator stood. No credentials, no query. */
export interface ExchangeDetails {
  readonly method: string;
  /** Path below the base address. */
  readonly path: string;
  /** HTTP status; null where there was no answer. */
  readonly status: number | null;
  /** Start of what the orchestrator said, as text; empty where it said nothing. */
  readonly said: string;
  /** Pause that an answer of a transient status asks for (`Retry-After`), ms, at most two minutes; absent where it asks for none. */
  readonly retryAfterMs?: number;
  /** Where the request was led to before it was answered, without its query; absent where it was not. */
  readonly redirectedTo?: string;
}

/** A run by its ids, and its last known state. */
export interface RunDetails {
  readonly dagId: string;
  readonly runId: string;
  readonly state: string | null;
}

/** What each kind of failure carries. The keys are the closed union of failures. */
export interface FailureDetails {
  /** An id, a conf or a setting that could not work; nothing was sent. */
  readonly invalid_request: { readonly field: string };
  /** 400 or 422: the orchestrator refused what was asked, for example a conf that the DAG's params do not allow. */
  readonly rejected: ExchangeDetails;
  readonly unauthorized: ExchangeDetails;
  readonly forbidden: ExchangeDetails;
  readonly unknown_dag: ExchangeDetails;
  readonly unknown_run: ExchangeDetails;
  /** 404 of anything else: a task, a result, a log. */
  readonly not_found: ExchangeDetails;
  /** 409: an id that is taken, by a run with another conf. */
  readonly conflict: ExchangeDetails;
  readonly import_errors: ExchangeDetails;
  readonly paused: { readonly dagId: string };
  /** An answer that is no JSON, or no JSON of this interface, and a 404 that is not the interface's own: a login page, a proxy's words, a wrong base address. */
  readonly not_json: ExchangeDetails;
  /** An Airflow that is older than this client can work with. */
  readonly unsupported: { readonly version: string; readonly least: string };
  readonly throttled: ExchangeDetails;
  readonly server_error: ExchangeDetails;
  readonly unreachable: ExchangeDetails;
  readonly timeout: ExchangeDetails;
  readonly too_large: ExchangeDetails;
  /** The answer to a trigger was lost and it is not known whether a run was started. */
  readonly trigger_unknown: { readonly dagId: string; readonly jobId: string | null };
  /** A run that ended `failed`. */
  readonly run_failed: RunReport;
  /** A run that stays `queued`. */
  readonly stalled: StallDiagnosis;
  /** The caller's deadline has passed; the run goes on. */
  readonly deadline: RunDetails;
  /** The caller's signal has aborted the wait; the run goes on. */
  readonly aborted: Readonly<Record<string, never>>;
  /** The orchestrator answered a cancellation but the run did not end. */
  readonly not_cancelled: RunDetails;
}

export type OrchestratorErrorCode = keyof FailureDetails;

interface ErrorParts<Code extends OrchestratorErrorCode> {
  readonly details: FailureDetails[Code];
  readonly cause?: unknown;
}

/** A failure of the closed union: its message says what happened and what a person can do. */
export class OrchestratorError<Code extends OrchestratorErrorCode = OrchestratorErrorCode> extends Error {
  override readonly name = 'OrchestratorError';
  readonly [BRAND] = true as const;
  readonly code: Code;
  readonly details: FailureDetails[Code];

  constructor(code: Code, message: string, { details, cause }: ErrorParts<Code>) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}

/** Any failure of the union: a `switch` over its `code` knows what `details` holds in each case. */
export type AnyOrchestratorError = {
  [Code in OrchestratorErrorCode]: OrchestratorError<Code>;
}[OrchestratorErrorCode];

/** True for an `OrchestratorError` of any copy of this package; with a code, only for that kind. */
export function isOrchestratorError(error: unknown): error is AnyOrchestratorError;
export function isOrchestratorError<Code extends OrchestratorErrorCode>(
  error: unknown,
  code: Code,
): error is OrchestratorError<Code>;
export function isOrchestratorError(error: unknown, code?: OrchestratorErrorCode): boolean {
  if (typeof error !== 'object' || error === null || !(BRAND in error)) return false;
  return code === undefined || ('code' in error && error.code === code);
}

/** Failures that may be gone at the next attempt. */
const PASSING: ReadonlySet<OrchestratorErrorCode> = new Set(['throttled', 'server_error', 'unreachable', 'timeout']);

/** True for a failure of the way to the orchestrator, not of what was asked. */
export function isPassing(error: unknown): error is AnyOrchestratorError {
  if (!isOrchestratorError(error) || !PASSING.has(error.code)) return false;
  return error.code !== 'server_error' || isTransientStatus(error.details.status ?? 500);
}

/** True where somebody who can wait may ask again later: also after the words of a proxy that stands before a web server which is being replaced. */
export function isWorthWaiting(error: unknown): error is AnyOrchestratorError {
  return isPassing(error) || isOrchestratorError(error, 'not_json');
}

/** An `invalid_request`: names the field, the value's problem and the remedy. */
export function invalidRequest(field: string, problem: string): OrchestratorError<'invalid_request'> {
  return new OrchestratorError('invalid_request', `${field}: ${problem}`, { details: { field } });
}
