import type { OrchestratorApi, ReadOptions, RunIds } from '../api/orchestrator-api.ts';
import type { Dag, Health } from '../model/orchestrator.ts';
import { isOrchestratorError, OrchestratorError } from '../errors.ts';
import type { StallDiagnosis } from '../model/run-report.ts';

/** A diagnosis without the time in the queue. */
export type StallFacts = Omit<StallDiagnosis, 'queuedMs'>;

/** Reads possible reasons why a run stays `queued`: paused, import errors, missing file, no free slot, scheduler. */
export async function diagnose(
  api: OrchestratorApi,
  { dagId, runId }: RunIds,
  signal?: AbortSignal,
): Promise<StallFacts> {
  // If the orchestrator shows no version, it possibly does not offer these calls. So each call has only one attempt.
  const isKnown = (await api.knownVersion(signal)) !== undefined;
  const reading: ReadOptions = isKnown ? { signal } : { signal, attempts: 1 };
  const [dag, health, running] = await Promise.all([
    orNull(api.dag(dagId, reading)),
    orNull(api.health(reading)),
    orNull(api.runs(dagId, { states: ['running'], limit: 1 }, reading)),
  ]);
  const facts = {
    dagId,
    runId,
    isPaused: dag?.isPaused ?? null,
    isActive: dag?.isActive ?? null,
    hasImportErrors: dag?.hasImportErrors ?? null,
    scheduler: health?.scheduler ?? null,
    activeRuns: running?.total ?? null,
    maxActiveRuns: dag?.maxActiveRuns ?? null,
  };
  return { ...facts, advice: adviceOf(facts, dag, health) };
}

/** Awaits a read; null if the read fails. Throws if the caller aborted. */
async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (isOrchestratorError(error) && !isOrchestratorError(error, 'aborted')) return null;
    throw error;
  }
}

function adviceOf(facts: Omit<StallFacts, 'advice'>, dag: Dag | null, health: Health | null): readonly string[] {
  const advice: string[] = [];
  if (facts.isPaused === true)
    advice.push(
      'the DAG is paused: unpause it (`unpause()`); a DAG that failed often in a row may have been paused automatically',
    );
  if (facts.hasImportErrors === true)
    advice.push('the DAG file has import errors: call `importErrors()` and repair the file');
  if (facts.isActive === false)
    advice.push('the DAG is not active: its file is missing from the folder of DAGs, put it back');
  const { activeRuns, maxActiveRuns } = facts;
  if (activeRuns !== null && maxActiveRuns !== null && activeRuns >= maxActiveRuns)
    advice.push(
      `${activeRuns} runs of the DAG are running and max_active_runs is ${maxActiveRuns}: wait, or raise this limit`,
    );
  if (health?.metadatabase === 'unhealthy')
    advice.push('the database of the orchestrator is unhealthy: check it first');
  if (health?.scheduler === 'unhealthy')
    advice.push(
      `the last heartbeat of the scheduler was at ${health.latestSchedulerHeartbeat ?? 'an unknown time'}: check that it is running (with a SequentialExecutor one long task blocks it)`,
    );
  if (dag === null)
    advice.push(
      'the orchestrator does not show whether the DAG is paused: check this in its pages, and unpause the DAG',
    );
  if (health === null || dag === null)
    advice.push('this diagnosis is incomplete: the orchestrator does not answer all requests');
  if (advice.length === 0)
    advice.push('nothing is wrong with the DAG or the scheduler: the pool or the executor may have no free slot');
  return advice;
}

/** Error of a run that stays queued. */
export function stalled(diagnosis: StallDiagnosis): OrchestratorError<'stalled'> {
  const { dagId, runId, queuedMs, advice } = diagnosis;
  const message = `run ${runId} of DAG ${dagId} has been queued for ${Math.round(queuedMs / 1000)} s: ${advice.join('; ')}`;
  return new OrchestratorError('stalled', message, { details: diagnosis });
}
