import { DomainError, invalidField, isDomainError, type RunFailure } from '@headwater/core';
import { storableText } from '@headwater/core/values';
import {
  isNotOffered,
  isOrchestratorError,
  isTransient,
  isWorthRetrying,
  type OrchestratorErrorCode,
  type RunReport,
} from '@headwater/orchestrator-client';

/**
 * Codes of errors after which it is unknown if the request had an effect. Callers must find this out before they repeat
 * the request.
 */
const UNSETTLED: ReadonlySet<OrchestratorErrorCode> = new Set(['trigger_unknown', 'not_cancelled']);

/** True if there was no valid response, or if the outcome of the request is unknown. */
const isUnsettled = (error: unknown): boolean =>
  isTransient(error) || (isOrchestratorError(error) && UNSETTLED.has(error.code));

/** True if a retry may succeed: the orchestrator or a proxy had a transient error, or the store is unavailable. */
export function isRetryable(error: unknown): boolean {
  if (isDomainError(error)) return error.code === 'unavailable';
  return isUnsettled(error) || isWorthRetrying(error);
}

/**
 * Matches the path of a trigger, and the paths of later requests that search for the run or read it. Requests with
 * other paths are sent before the trigger, so no run was started if such a request fails.
 */
const AFTER_TRIGGER = /\/dagRuns(\/|$)/;
const TOO_MANY_REQUESTS = 429;
const FIRST_ERROR = 400;

/**
 * True if a run may have been started although the trigger failed, because the response to the trigger is missing or
 * unreadable.
 */
export function mayHaveStarted(error: unknown): boolean {
  if (!isOrchestratorError(error)) return true;
  if (isOrchestratorError(error, 'paused') || isOrchestratorError(error, 'invalid_request')) return false;
  if (!('path' in error.details)) return true;
  const { method, path, status } = error.details;
  if (!AFTER_TRIGGER.test(path) || status === TOO_MANY_REQUESTS) return false;
  return method !== 'POST' || isTransient(error) || status === null || status < FIRST_ERROR;
}

/**
 * Converts an error to a `DomainError`. A 401 of the orchestrator never becomes a 401 of this service, because the
 * caller's own credentials are valid.
 */
export function domainError(error: unknown): DomainError {
  if (isDomainError(error)) return error;
  if (!isOrchestratorError(error)) {
    return new DomainError('internal', 'The work at the orchestrator failed unexpectedly; the log has the cause.', {
      cause: error,
    });
  }
  const text = `The orchestrator: ${error.message}`;
  if (isOrchestratorError(error, 'unknown_run'))
    return new DomainError('not_found', text, { details: { kind: 'workflow run' } });
  if (isOrchestratorError(error, 'invalid_request') && error.details.field === 'runId')
    return invalidField('runId', error.message.replace(/^runId: /, ''));
  const isLate = isUnsettled(error) || isOrchestratorError(error, 'deadline') || isOrchestratorError(error, 'stalled');
  return new DomainError(isLate ? 'upstream_timeout' : 'upstream_failed', text, { cause: error });
}

/**
 * Converts the final failure of a trigger to a `DomainError`. The code is `upstream_timeout` if a run may have been started, otherwise
 * `upstream_failed`.
 */
export function triggerError(error: unknown): DomainError {
  const failure = domainError(error);
  if (failure.code !== 'upstream_timeout' && failure.code !== 'upstream_failed') return failure;
  const code = mayHaveStarted(error) ? 'upstream_timeout' : 'upstream_failed';
  return code === failure.code ? failure : new DomainError(code, failure.message, { cause: error });
}

/**
 * True for a 404 in any format. Only a 404 in Airflow's format shows that a run or DAG is unknown. Another 404 may
 * come from a proxy, so callers must check further.
 */
export const isMissing = (error: unknown): boolean =>
  isNotOffered(error) && 'status' in error.details && error.details.status === 404;

/** Converts an error to the stored failure of a run. */
export function failureOf(error: unknown): RunFailure {
  const { code, message } = domainError(error);
  return { code, message: storableText(message) };
}

/**
 * Creates the failure of a run that ended as `failed` at the orchestrator, with task, reason and lines of the log. `computed` is the
 * failure of the other run: the one in this service that the workflow's callback started.
 */
export function failureOfReport(report: RunReport, computed: RunFailure | undefined): RunFailure {
  const { dagId, runId, task, reason, excerpt } = report;
  const where = task === null ? '' : ` in task ${task.taskId}`;
  const text = `run ${runId} of DAG ${dagId} failed${where}: ${reason}`;
  const message =
    computed === undefined ? `At the orchestrator, ${text}` : `${computed.message} (At the orchestrator, ${text})`;
  return {
    ...(computed?.fields === undefined ? {} : { fields: computed.fields }),
    code: computed?.code ?? 'upstream_failed',
    message: storableText(message),
    details: { task: task?.taskId ?? null, excerpt: storableText(excerpt) },
  };
}
