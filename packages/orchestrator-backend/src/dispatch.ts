import { sha256 } from '@headwater/core/values';
import type { WriteOutcome } from '@headwater/core/ports';
import { computedFor } from '@headwater/core/runs';
import { isNotOffered, isTransient, OrchestratorError, type RunIds } from '@headwater/orchestrator-client';
import { confOf, placeOf } from './conf.ts';
import { mayHaveStarted } from './failures.ts';
import { type HeldRun, NOT_SENT } from './held-runs.ts';
import type { BackendDeps } from './settings.ts';

const TOKEN_BYTES = 32;

/** Secret of a run. A callback with this secret proves that the sender received the conf. */
function newToken(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Outcome of a dispatch: the ids of the run; `unseen` if its id is unknown; or the reason to stop. */
export type Dispatched = RunIds | 'unseen' | Exclude<WriteOutcome, 'ok'>;

/**
 * Starts the run of the workflow exactly once. The token's digest is stored before the trigger, so that an early
 * callback is recognised. If a digest is stored already, the run of an earlier trigger is searched for first. If the
 * orchestrator lists no runs, no second trigger is sent.
 */
export async function dispatchRun(deps: BackendDeps, held: HeldRun, signal: AbortSignal): Promise<Dispatched> {
  const { runs, client, dagId } = deps;
  const { run } = held;
  if (held.mayBeSent) {
    const found = await findStarted(deps, held, signal);
    if (found === 'unseen') return await noteUnseen(deps, held);
    if (found !== undefined) return await note(deps, held, { dagId, runId: found.runId });
  }
  const runToken = newToken();
  const conf = confOf({ run, runToken, place: await placeOf(run, deps) }, deps);
  held.tokenHash = await sha256(runToken);
  const outcome = await runs.dispatch(run.id, run.token, { dagId, runTokenHash: held.tokenHash });
  if (outcome !== 'ok') return outcome;
  held.mayBeSent = true;
  try {
    const { runId } = await client.trigger(dagId, conf, { signal });
    return await note(deps, held, { dagId, runId });
  } catch (error) {
    if (!mayHaveStarted(error)) {
      held.mayBeSent = false;
      await runs.dispatch(run.id, run.token, { dagId, runTokenHash: NOT_SENT });
    }
    throw error;
  }
}

/**
 * Finds the run of an earlier trigger; undefined if there is none. If the orchestrator lists no runs: `unseen` if
 * the workflow has called back, otherwise throws.
 */
async function findStarted(
  deps: BackendDeps,
  held: HeldRun,
  signal: AbortSignal,
): Promise<RunIds | 'unseen' | undefined> {
  try {
    return await findSent(deps, held, signal);
  } catch (error) {
    const isOutage = isTransient(error) && deps.client.offers('runs');
    if (isOutage || (!isTransient(error) && !isNotOffered(error))) throw error;
    if ((await computedFor(deps, held.run.id)).length > 0) return 'unseen';
    throw isTransient(error) ? error : notListed(deps.dagId, held.run.id, error);
  }
}

function notListed(dagId: string, jobId: string, cause: OrchestratorError): OrchestratorError {
  const message =
    `it is unknown whether the trigger of DAG ${dagId} started a run: its response is missing, the orchestrator lists no runs, and no workflow has called ` +
    'back. The trigger is not sent again. Look for the run in the orchestrator, then start this run again.';
  return new OrchestratorError('trigger_unknown', message, { details: { dagId, jobId }, cause });
}

/** Finds the run of a trigger whose response was lost. */
export async function findSent(
  { client, dagId }: Pick<BackendDeps, 'client' | 'dagId'>,
  { run }: HeldRun,
  signal: AbortSignal,
): Promise<RunIds | undefined> {
  return await client.findByJob(dagId, run.id, { since: new Date(run.startedAt ?? run.createdAt), signal });
}

/** Logs that the workflow runs, but that the id of its run is unknown. */
async function noteUnseen({ runs }: BackendDeps, { run }: HeldRun): Promise<'unseen'> {
  const message =
    'the response to the trigger was lost and the orchestrator lists no runs, but the workflow has called back: this run ends with that callback, ' +
    'and later tasks of the workflow are not watched';
  await runs.appendEvent(run.id, { kind: 'log', data: { message } });
  return 'unseen';
}

async function note({ runs }: BackendDeps, { run, tokenHash }: HeldRun, { dagId, runId }: RunIds): Promise<Dispatched> {
  const dispatch = { dagId, dagRunId: runId, runTokenHash: tokenHash ?? '' };
  const outcome = await runs.dispatch(run.id, run.token, dispatch);
  if (outcome === 'lost') return outcome;
  await runs.appendEvent(run.id, {
    kind: 'log',
    data: { message: `at the orchestrator, this run is run ${runId} of DAG ${dagId}` },
  });
  return { dagId, runId };
}
