import type { OrchestratorApi, RunIds } from '../api/orchestrator-api.ts';
import type { Dag, Health } from '../model/orchestrator.ts';
import { isOrchestratorError, OrchestratorError } from '../errors.ts';
import type { StallDiagnosis } from '../model/run-report.ts';

/** A diagnosis without its time. */
export type StallFacts = Omit<StallDiagnosis, 'queuedMs'>;

/** Looks up why a run may stay `queued`: paused, import errors, gone, no free slot, scheduler. */
export async function diagnose(
  api: OrchestratorApi,
  { dagId, runId }: RunIds,
  signal?: AbortSignal,
): Promise<StallFacts> {
  const [dag, health, running] = await Promise.all([
    orNull(api.dag(dagId, { signal })),
    orNull(api.health({ signal })),
    orNull(api.runs(dagId, { states: ['running'], limit: 1 }, signal)),
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

/** What cannot be looked up is not known; a caller that gives up is heard. */
async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (isOrchestratorError(error) && !isOrchestratorError(error, 'aborted')) return null;
    throw error;
  }
}

function adviceOf(facts: Omit<StallFacts, 'advice'>, dag: Dag | null, health: Health | null): readonly string[] {
  const advice: string[] = [];
  if (facts.isPaused === true)
    advice.push(
      'the DAG is paused: unpause it (`unpause()`); a DAG that failed often in a row may have been paused by itself',
    );
  if (facts.hasImportErrors === true) advice.push('the DAG file has import errors: read `importErrors()` and mend it');
  if (facts.isActive === false) advice.push('the DAG is not active: its file has gone from the folder of DAGs');
  const { activeRuns, maxActiveRuns } = facts;
  if (activeRuns !== null && maxActiveRuns !== null && activeRuns >= maxActiveRuns)
    advice.push(`${activeRuns} runs of the DAG run already and max_active_runs is ${maxActiveRuns}: wait, or raise it`);
  if (health?.metadatabase === 'unhealthy')
    advice.push('the database of the orchestrator is unhealthy: look at it first');
  if (health?.scheduler === 'unhealthy')
    advice.push(
      `the scheduler was last heard of at ${health.latestSchedulerHeartbeat ?? 'no time'}: see whether it runs (with a SequentialExecutor one long task silences it)`,
    );
  if (health === null || dag === null)
    advice.push('not everything could be looked up: the orchestrator does not answer all calls');
  if (advice.length === 0)
    advice.push('nothing is wrong with the DAG or the scheduler: the pool or the executor may have no free slot');
  return advice;
}

/** The failure of a run that stays queued. */
export function stalled(diagnosis: StallDiagnosis): OrchestratorError<'stalled'> {
  const { dagId, runId, queuedMs, advice } = diagnosis;
  const message = `run ${runId} of DAG ${dagId} has been queued for ${Math.round(queuedMs / 1000)} s: ${advice.join('; ')}`;
  return new OrchestratorError('stalled', message, { details: diagnosis });
}
