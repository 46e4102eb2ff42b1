import { sha256 } from '@headwater/core/values';
import type { WriteOutcome } from '@headwater/core/ports';
import type { RunIds } from '@headwater/orchestrator-client';
import { confOf, placeOf } from './conf.ts';
import type { HeldRun } from './held-runs.ts';
import type { BackendDeps } from './settings.ts';

const TOKEN_BYTES = 32;

/** Creates a secret for one run; a callback with it proves that the caller received the trigger's conf. */
function newToken(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Outcome of a dispatch: the run at the orchestrator, or the reason why this process must stop. */
export type Dispatched = RunIds | Exclude<WriteOutcome, 'ok'>;

/**
 * Starts the run of the workflow, once. The digest of its token is stored before the trigger is sent, so that an early callback is
 * recognized. With a stored digest a trigger may have been sent, so its run is searched first.
 */
export async function dispatchRun(deps: BackendDeps, held: HeldRun, signal: AbortSignal): Promise<Dispatched> {
  const { runs, client, dagId } = deps;
  const { run } = held;
  if (held.tokenHash !== null) {
    const found = await findSent(deps, held, signal);
    if (found !== undefined) return await note(deps, held, { dagId, runId: found.runId });
  }
  const runToken = newToken();
  const conf = confOf({ run, runToken, place: await placeOf(run, deps) }, deps);
  held.tokenHash = await sha256(runToken);
  const outcome = await runs.dispatch(run.id, run.token, { dagId, runTokenHash: held.tokenHash });
  if (outcome !== 'ok') return outcome;
  const { runId } = await client.trigger(dagId, conf, { signal });
  return await note(deps, held, { dagId, runId });
}

/** Finds the run of a trigger whose response was lost, among any number of later runs. */
export async function findSent(
  { client, dagId }: Pick<BackendDeps, 'client' | 'dagId'>,
  { run }: HeldRun,
  signal: AbortSignal,
): Promise<RunIds | undefined> {
  return await client.findByJob(dagId, run.id, { since: new Date(run.startedAt ?? run.createdAt), signal });
}

async function note({ runs }: BackendDeps, { run, tokenHash }: HeldRun, { dagId, runId }: RunIds): Promise<Dispatched> {
  const dispatch = { dagId, dagRunId: runId, runTokenHash: tokenHash ?? '' };
  const outcome = await runs.dispatch(run.id, run.token, dispatch);
  if (outcome === 'lost') return outcome;
  await runs.appendEvent(run.id, {
    kind: 'log',
    data: { message: `the orchestrator runs it as ${runId} of DAG ${dagId}` },
  });
  return { dagId, runId };
}
