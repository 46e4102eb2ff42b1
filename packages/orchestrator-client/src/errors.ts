import { isTransientStatus } from '@headwater/net/retry';
import type { RunReport, StallDiagnosis } from './model/run-report.ts';

/** Mark of the errors of this package. `instanceof` would fail for errors of another copy of the package. */
const BRAND = Symbol.for('headwater.orchestrator.error');

/** A failed request, without credentials and query. */
export interface ExchangeDetails {
  readonly method: string;
  /** Path below the base address. */
  readonly path: string;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** Beginning of the response body. */
  readonly responseText: string;
  /** Requested pause (`Retry-After`), ms, at most two minutes. */
  readonly retryAfterMs?: number;
  /** Target of a redirect, without query. */
  readonly redirectedTo?: string;
}

/** Ids and last known state of a run. */
export interface RunDetails {
  readonly dagId: string;
  readonly runId: string;
  readonly state: string | null;
}

/** Details by error code. */
export interface FailureDetails {
  /** Invalid id, conf or setting; no request was sent. */
  readonly invalid_request: { readonly field: string };
  /** 400, 422 or another 4xx, such as a conf that the DAG's params do not allow. */
  readonly rejected: ExchangeDetails;
  readonly unauthorized: ExchangeDetails;
  readonly forbidden: ExchangeDetails;
  readonly unknown_dag: ExchangeDetails;
  readonly unknown_run: ExchangeDetails;
  /** 404 for a task, a result or a log. */
  readonly not_found: ExchangeDetails;
  /** 409: another run has this id or this logical date. */
  readonly conflict: ExchangeDetails;
  readonly import_errors: ExchangeDetails;
  readonly paused: { readonly dagId: string };
  /** The response is not JSON of this interface, as from a login page, a proxy or a wrong address. */
  readonly not_json: ExchangeDetails;
  /** Airflow is too old for this call. */
  readonly unsupported: { readonly version: string; readonly least: string };
  readonly throttled: ExchangeDetails;
  readonly server_error: ExchangeDetails;
  readonly unreachable: ExchangeDetails;
  readonly timeout: ExchangeDetails;
  readonly too_large: ExchangeDetails;
  /** Lost response to a trigger; a run may have been started. */
  readonly trigger_unknown: { readonly dagId: string; readonly jobId: string | null };
  /** The run ended as `failed`. */
  readonly run_failed: RunReport;
  /** The run stays `queued`. */
  readonly stalled: StallDiagnosis;
  /** The caller's deadline has passed; the run continues. */
  readonly deadline: RunDetails;
  /** The caller aborted a wait or a request. A run that was started continues. */
  readonly aborted: Readonly<Record<string, never>>;
  /** The run continues, because cancellation failed or is not offered. */
  readonly not_cancelled: RunDetails;
}

export type OrchestratorErrorCode = keyof FailureDetails;

interface ErrorParts<Code extends OrchestratorErrorCode> {
  readonly details: FailureDetails[Code];
  readonly cause?: unknown;
}

/** A failure with a code; the message has a remedy. */
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

/** A failure with any code; `code` narrows the type of `details`. */
export type AnyOrchestratorError = {
  [Code in OrchestratorErrorCode]: OrchestratorError<Code>;
}[OrchestratorErrorCode];

/** True for an `OrchestratorError` of any copy of this package, with this code if given. */
export function isOrchestratorError(error: unknown): error is AnyOrchestratorError;
export function isOrchestratorError<Code extends OrchestratorErrorCode>(
  error: unknown,
  code: Code,
): error is OrchestratorError<Code>;
export function isOrchestratorError(error: unknown, code?: OrchestratorErrorCode): boolean {
  if (typeof error !== 'object' || error === null || !(BRAND in error)) return false;
  return code === undefined || ('code' in error && error.code === code);
}

/** A retry may succeed after these errors. */
const TRANSIENT: ReadonlySet<OrchestratorErrorCode> = new Set(['throttled', 'server_error', 'unreachable', 'timeout']);

/** True if a retry may succeed: the connection or the server failed, or the server limited the rate of requests. */
export function isTransient(error: unknown): error is AnyOrchestratorError {
  if (!isOrchestratorError(error) || !TRANSIENT.has(error.code)) return false;
  return error.code !== 'server_error' || isTransientStatus(error.details.status ?? 500);
}

/**
 * True if a waiting caller should retry: after a transient error or `not_json`. During a restart, a proxy may respond
 * with a page that is not JSON.
 */
export function isWorthRetrying(error: unknown): error is AnyOrchestratorError {
  return isTransient(error) || isOrchestratorError(error, 'not_json');
}

/** Codes of errors after which the call is possibly not offered, at least not to this user. */
const REFUSALS: ReadonlySet<OrchestratorErrorCode> = new Set([
  'rejected',
  'forbidden',
  'unknown_dag',
  'unknown_run',
  'not_found',
  'not_json',
]);

/**
 * True for responses to a call that is not offered: 403, 404, 405, other refusals (`rejected`), 501, or HTML. While the
 * server restarts, a proxy may also send such a response.
 */
export function isNotOffered(error: unknown): error is AnyOrchestratorError {
  if (!isOrchestratorError(error)) return false;
  return REFUSALS.has(error.code) || (isOrchestratorError(error, 'server_error') && error.details.status === 501);
}

/** Copy of an error with a further sentence. */
export function withNote(error: AnyOrchestratorError, note: string): OrchestratorError {
  const { code, details, message } = error;
  return new OrchestratorError<OrchestratorErrorCode>(code, `${message} ${note}`, { details, cause: error });
}

/** Creates an `invalid_request` error; `problem`: fault and remedy. */
export function invalidRequest(field: string, problem: string): OrchestratorError<'invalid_request'> {
  return new OrchestratorError('invalid_request', `${field}: ${problem}`, { details: { field } });
}
