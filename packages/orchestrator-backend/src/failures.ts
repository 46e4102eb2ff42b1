import { DomainError, invalidField, isDomainError, type RunFailure } from '@headwater/core';
import { storableText } from '@headwater/core/values';
import {
  isOrchestratorError,
  isPassing,
  isWorthWaiting,
  type OrchestratorErrorCode,
  type RunReport,
} from '@headwater/orchestrator-client';

/** Failures of which nobody knows what they did: what was asked is looked for before it is asked again. */
const UNSETTLED: ReadonlySet<OrchestratorErrorCode> = new Set(['trigger_unknown', 'not_cancelled']);

/** True where nobody answered whose word counts, or where it is not known what was done. */
const isUnsettled = (error: unknown): boolean =>
  isPassing(error) || (isOrchestratorError(error) && UNSETTLED.has(error.code));

/**
 * True for a failure that may be gone at the next try: of the way to the orchestrator, words of a proxy before it included, or of a store
 * that is away.
 */
export function mayPass(error: unknown): boolean {
  if (isDomainError(error)) return error.code === 'unavailable';
  return isUnsettled(error) || isWorthWaiting(error);
}

/** What the orchestrator said as an error of the domain; its own 401 never becomes one of ours. */
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

/** The same as a run keeps it. */
export function failureOf(error: unknown): RunFailure {
  const { code, message } = domainError(error);
  return { code, message: storableText(message) };
}

/** A run that ended `failed`: which task, why, and lines of its log; `computed` is the failure of what its callback began. */
export function failureOfReport(report: RunReport, computed: RunFailure | undefined): RunFailure {
  const { dagId, runId, task, reason, excerpt } = report;
  const where = task === null ? '' : ` in task ${task.taskId}`;
  const told = `run ${runId} of DAG ${dagId} failed${where}: ${reason}`;
  const message =
    computed === undefined ? `At the orchestrator, ${told}` : `${computed.message} (At the orchestrator, ${told})`;
  return {
    ...(computed?.fields === undefined ? {} : { fields: computed.fields }),
    code: computed?.code ?? 'upstream_failed',
    message: storableText(message),
    details: { task: task?.taskId ?? null, excerpt: storableText(excerpt) },
  };
}
