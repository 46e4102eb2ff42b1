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

/** After these errors, callers must find out if the request had an effect before they repeat the request. */
const UNSETTLED: ReadonlySet<OrchestratorErrorCode> = new Set(['trigger_unknown', 'not_cancelled']);

/** True if there is no valid response, or if the effect of the request is unknown. */
const isUnsettled = (error: unknown): boolean =>
  isTransient(error) || (isOrchestratorError(error) && UNSETTLED.has(error.code));

/** True for a transient error of the orchestrator, a proxy or the store, and if the effect of a request is unknown. */
export function isRetryable(error: unknown): boolean {
  if (isDomainError(error)) return error.code === 'unavailable';
  return isUnsettled(error) || isWorthRetrying(error);
}

/**
 * Matches the path of the request that starts a run, and the paths of later reads of runs. If an earlier request fails,
 * such as the one that unpauses the DAG, no run was started.
 */
const TRIGGER_OR_LATER = /\/dagRuns(\/|$)/;
const TOO_MANY_REQUESTS = 429;
const FIRST_ERROR = 400;

/** True if a failed trigger may have started a run, because its response is missing or unreadable. */
export function mayHaveStarted(error: unknown): boolean {
  if (!isOrchestratorError(error)) return true;
  if (isOrchestratorError(error, 'paused') || isOrchestratorError(error, 'invalid_request')) return false;
  if (!('path' in error.details)) return true;
  const { method, path, status } = error.details;
  if (!TRIGGER_OR_LATER.test(path) || status === TOO_MANY_REQUESTS) return false;
  return method !== 'POST' || isTransient(error) || status === null || status < FIRST_ERROR;
}

/**
 * Converts an error. A 401 of the orchestrator never becomes a 401 of this service, because the caller's credentials
 * are valid.
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
 * Error of a trigger's final failure: `upstream_timeout` if a run may have been started, otherwise `upstream_failed`.
 */
export function triggerError(error: unknown): DomainError {
  const failure = domainError(error);
  if (failure.code !== 'upstream_timeout' && failure.code !== 'upstream_failed') return failure;
  const code = mayHaveStarted(error) ? 'upstream_timeout' : 'upstream_failed';
  return code === failure.code ? failure : new DomainError(code, failure.message, { cause: error });
}

/** True for any 404. Only Airflow's own 404 shows an unknown run or DAG; others may come from a proxy. */
export const isMissing = (error: unknown): boolean =>
  isNotOffered(error) && 'status' in error.details && error.details.status === 404;

/** Converts an error to the stored failure of a run. */
export function failureOf(error: unknown): RunFailure {
  const { code, message } = domainError(error);
  return { code, message: storableText(message) };
}

/**
 * Failure of a run that failed at the orchestrator: task, reason and log lines. `computed`: failure of the run of this
 * service that the workflow started by its callback (a request to this service); undefined if there is none, or if such
 * a run succeeded.
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
