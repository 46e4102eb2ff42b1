import { isTransientStatus } from '@headwater/net/retry';
import type { RunReport, StallDiagnosis } from './model/run-report.ts';

/**
 * Mark by which errors are recognised. All copies of this package share the mark; `instanceof` would fail for errors of another copy.
 */
const BRAND = Symbol.for('headwater.orchestrator.error');

/** A failed request to the orchestrator, without credentials and query. */
export interface ExchangeDetails {
  readonly method: string;
  /** Path below the base address. */
  readonly path: string;
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  /** Beginning of the response body as text; empty if there was none. */
  readonly responseText: string;
  /** Pause that the response requested (`Retry-After`), ms, at most two minutes; absent if the response requested no pause. */
  readonly retryAfterMs?: number;
  /** Address, without query, to which the request was redirected; absent if the request was not redirected. */
  readonly redirectedTo?: string;
}

/** Ids and last known state of a run. */
export interface RunDetails {
  readonly dagId: string;
  readonly runId: string;
  readonly state: string | null;
}

/** Details of each kind of failure. The keys are the closed union of error codes. */
export interface FailureDetails {
  /** An id, conf or setting is invalid; no request was sent. */
  readonly invalid_request: { readonly field: string };
  /** 400, 422 or another 4xx: the orchestrator refused the request, for example a conf that the DAG's params do not allow. */
  readonly rejected: ExchangeDetails;
  readonly unauthorized: ExchangeDetails;
  readonly forbidden: ExchangeDetails;
  readonly unknown_dag: ExchangeDetails;
  readonly unknown_run: ExchangeDetails;
  /** 404 for a task, a result or a log. */
  readonly not_found: ExchangeDetails;
  /** 409: a run with another conf already has this id. */
  readonly conflict: ExchangeDetails;
  readonly import_errors: ExchangeDetails;
  readonly paused: { readonly dagId: string };
  /** The response is not JSON of this interface, because of a login page, an error of a proxy or a wrong base address. */
  readonly not_json: ExchangeDetails;
  /** Airflow is older than this call requires. */
  readonly unsupported: { readonly version: string; readonly least: string };
  readonly throttled: ExchangeDetails;
  readonly server_error: ExchangeDetails;
  readonly unreachable: ExchangeDetails;
  readonly timeout: ExchangeDetails;
  readonly too_large: ExchangeDetails;
  /** The response to a trigger was lost; it is unknown whether a run was started. */
  readonly trigger_unknown: { readonly dagId: string; readonly jobId: string | null };
  /** The run ended as `failed`. */
  readonly run_failed: RunReport;
  /** The run stays `queued`. */
  readonly stalled: StallDiagnosis;
  /** The caller's deadline has passed; the run continues. */
  readonly deadline: RunDetails;
  /** The caller's signal aborted the wait; the run continues. */
  readonly aborted: Readonly<Record<string, never>>;
  /** The run was not cancelled: the orchestrator accepted the cancellation but did not end the run, or offers no cancellation. */
  readonly not_cancelled: RunDetails;
}

export type OrchestratorErrorCode = keyof FailureDetails;

interface ErrorParts<Code extends OrchestratorErrorCode> {
  readonly details: FailureDetails[Code];
  readonly cause?: unknown;
}

/** A failure with a code. Its message names the problem and the remedy. */
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

/** A failure with any code; a `switch` over `code` narrows the type of `details`. */
export type AnyOrchestratorError = {
  [Code in OrchestratorErrorCode]: OrchestratorError<Code>;
}[OrchestratorErrorCode];

/** True for an `OrchestratorError` of any copy of this package. If a code is passed, true only for this code. */
export function isOrchestratorError(error: unknown): error is AnyOrchestratorError;
export function isOrchestratorError<Code extends OrchestratorErrorCode>(
  error: unknown,
  code: Code,
): error is OrchestratorError<Code>;
export function isOrchestratorError(error: unknown, code?: OrchestratorErrorCode): boolean {
  if (typeof error !== 'object' || error === null || !(BRAND in error)) return false;
  return code === undefined || ('code' in error && error.code === code);
}

/** Codes of errors after which a retry may succeed. */
const TRANSIENT: ReadonlySet<OrchestratorErrorCode> = new Set(['throttled', 'server_error', 'unreachable', 'timeout']);

/** True for a transient error: the connection or the server failed, not the request itself. */
export function isTransient(error: unknown): error is AnyOrchestratorError {
  if (!isOrchestratorError(error) || !TRANSIENT.has(error.code)) return false;
  return error.code !== 'server_error' || isTransientStatus(error.details.status ?? 500);
}

/**
 * True if a caller that can wait should retry. Also true for an error page, because a proxy may send an error page while the web server
 * restarts.
 */
export function isWorthRetrying(error: unknown): error is AnyOrchestratorError {
  return isTransient(error) || isOrchestratorError(error, 'not_json');
}

/** Codes of errors for a call that the orchestrator does not offer, or does not offer to this user. */
const REFUSALS: ReadonlySet<OrchestratorErrorCode> = new Set([
  'rejected',
  'forbidden',
  'unknown_dag',
  'unknown_run',
  'not_found',
  'not_json',
]);

/**
 * True for a response to a call that the orchestrator may not offer: 403, 404, 405 and other refusals (`rejected`), 501, or an HTML page. While the web server restarts, a proxy
 * may also send such a response.
 */
export function isNotOffered(error: unknown): error is AnyOrchestratorError {
  if (!isOrchestratorError(error)) return false;
  return REFUSALS.has(error.code) || (isOrchestratorError(error, 'server_error') && error.details.status === 501);
}

/** Returns a copy of the error, with a further sentence in its message. */
export function withNote(error: AnyOrchestratorError, note: string): OrchestratorError {
  const { code, details, message } = error;
  return new OrchestratorError<OrchestratorErrorCode>(code, `${message} ${note}`, { details, cause: error });
}

/** Creates an `invalid_request` error; `problem` describes the fault of the value and the remedy. */
export function invalidRequest(field: string, problem: string): OrchestratorError<'invalid_request'> {
  return new OrchestratorError('invalid_request', `${field}: ${problem}`, { details: { field } });
}
