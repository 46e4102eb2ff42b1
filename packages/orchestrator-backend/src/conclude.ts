import { CANCELLED, computedFor, hasEnded } from '@headwater/core/runs';
import { isDomainError, type NewItem, type Run, type RunFailure } from '@headwater/core';
import type { WriteOutcome } from '@headwater/core/ports';
import { storableText } from '@headwater/core/values';
import { isNotOffered, isOrchestratorError, isTransient, type RunIds } from '@headwater/orchestrator-client';
import { containerResult } from './container-result.ts';
import { findSent } from './dispatch.ts';
import { failureOfReport } from './failures.ts';
import type { HeldRun } from './held-runs.ts';
import type { BackendDeps } from './settings.ts';

const AS_PRINTED =
  'the Items and the addresses of their files are published as the workflow returned them; their layers and tables are not published. To publish these too, give the container access to the database and the data folder of this service';
/**
 * Number of searches for the workflow run of a cancelled run whose trigger has no stored response. With their pauses
 * they take half a minute.
 */
const SEARCHES = 8;

/** Outcome of storing the end of a run. `open`: the end is not known yet. */
export type Concluded = WriteOutcome | 'open';

/**
 * Stores the end of a run after its workflow has ended. Success needs a result: a successful run that the workflow
 * started by a callback (a request to this service with its conf), or valid STAC Items of tasks.
 */
export async function concludeRun(deps: BackendDeps, held: HeldRun): Promise<Concluded> {
  const { ended, remote } = held;
  if (ended === 'unseen') return await concludeUnseen(deps, held);
  if (ended === undefined || remote === undefined) return 'open';
  const computed = await computedFor(deps, held.run.id);
  if (ended === 'gone') return await fail(deps, held, goneFailure(remote));
  if (ended.state === 'failed') return await fail(deps, held, await failedFailure(deps, held, { remote, computed }));
  const published = computed.find(({ state }) => state === 'success');
  if (published !== undefined) return await deps.runs.complete(held.run.id, held.run.token, published.id);
  // The run of the callback is still being computed.
  if (computed.some((each) => !hasEnded(each))) return 'open';
  return await concludeContainer(deps, held, { remote, computed: computed[0]?.error ?? undefined });
}

/**
 * Stores the end of a run whose id at the orchestrator is unknown. The result is taken from the run that the callback
 * started. Stores nothing while a callback may still come.
 */
async function concludeUnseen(deps: BackendDeps, held: HeldRun): Promise<Concluded> {
  const { runs, clock, settings } = deps;
  const computed = await computedFor(deps, held.run.id);
  const published = computed.find(({ state }) => state === 'success');
  if (published !== undefined) return await runs.complete(held.run.id, held.run.token, published.id);
  const [last] = computed;
  if (last === undefined || computed.some((each) => !hasEnded(each))) return 'open';
  const since = clock.now().getTime() - Date.parse(last.finishedAt ?? last.createdAt);
  if (since < settings.patienceMs) return 'open';
  return await fail(
    deps,
    held,
    last.error ?? {
      code: 'upstream_failed',
      message: 'The callback of the workflow failed without a reason; read the log of its task at the orchestrator.',
    },
  );
}

/** Cancels the workflow run of a cancelled run at the orchestrator, then stores the end of the cancelled run. */
export async function cancelRemote(deps: BackendDeps, held: HeldRun): Promise<WriteOutcome> {
  const { client, runs, logger } = deps;
  const { id, token } = held.run;
  const { signal } = held.stop;
  const sent = held.remote ?? (held.mayBeSent ? await sentRun(deps, held) : undefined);
  try {
    if (sent !== undefined) await client.run(sent.dagId, sent.runId).cancel({ signal });
    else if (held.mayBeSent && !client.offers('runs')) await noteLeft(deps, id, 'its id there is unknown');
  } catch (error) {
    if (!isOrchestratorError(error, 'unknown_run') && !isOrchestratorError(error, 'not_cancelled')) throw error;
    logger.error({ runId: id, error: error.message }, 'a cancelled run could not be cancelled at the orchestrator');
    if (error.code === 'not_cancelled') await noteLeft(deps, id, error.message);
  }
  return await runs.fail(id, token, CANCELLED);
}

async function noteLeft({ runs }: BackendDeps, id: string, why: string): Promise<void> {
  const message = `the run is cancelled in this service, but its workflow may continue at the orchestrator: ${storableText(why)}`;
  await runs.appendEvent(id, { kind: 'log', data: { message } });
}

/**
 * Finds the run of a trigger whose response was not stored. Repeats the search, because a trigger may be processed
 * late.
 */
async function sentRun(deps: BackendDeps, held: HeldRun): Promise<RunIds | undefined> {
  const { timers, settings } = deps;
  const { signal } = held.stop;
  for (let search = 1; ; search++) {
    const found = await findSent(deps, held, signal).catch((error: unknown) => {
      // If the orchestrator lists no runs, the run of the workflow cannot be found and is not cancelled there. Its
      // callback will be refused, because the run of this service is cancelled.
      if (isNotOffered(error) || (isTransient(error) && !deps.client.offers('runs'))) return undefined;
      throw error;
    });
    if (found !== undefined || search === SEARCHES) return found;
    await timers.sleep(settings.retryMs, signal);
    signal.throwIfAborted();
  }
}

async function fail({ runs }: BackendDeps, { run, isCancelled }: HeldRun, failure: RunFailure): Promise<WriteOutcome> {
  return await runs.fail(run.id, run.token, isCancelled ? CANCELLED : failure);
}

async function failedFailure(
  { client }: BackendDeps,
  { stop }: HeldRun,
  { remote, computed }: { readonly remote: RunIds; readonly computed: readonly Run[] },
): Promise<RunFailure> {
  const report = await client.run(remote.dagId, remote.runId).logs({ signal: stop.signal });
  const published = computed.find(({ state }) => state === 'success');
  const failure = failureOfReport(report, published === undefined ? (computed[0]?.error ?? undefined) : undefined);
  if (published === undefined) return failure;
  return {
    ...failure,
    message: `${failure.message}; the results that it computed before are published by run ${published.id}`,
  };
}

async function concludeContainer(
  deps: BackendDeps,
  held: HeldRun,
  { remote, computed }: { readonly remote: RunIds; readonly computed: RunFailure | undefined },
): Promise<WriteOutcome> {
  const result = await containerResult(deps, held, remote);
  const outcome = 'items' in result ? await publishPrinted(deps, held, result.items) : result;
  if (!('problem' in outcome)) return outcome.written;
  const problem = `run ${remote.runId} of DAG ${remote.dagId} succeeded without a valid STAC output: ${outcome.problem}`;
  const remedy =
    computed === undefined
      ? 'Correct the workflow, then start the run again.'
      : `The run of its callback failed: ${computed.message}`;
  return await fail(deps, held, {
    code: computed?.code ?? 'upstream_failed',
    message: `At the orchestrator, ${problem}. ${remedy}`,
    details: { task: null, excerpt: '' },
  });
}

async function publishPrinted(
  { runs }: BackendDeps,
  { run: { id, token } }: HeldRun,
  items: readonly NewItem[],
): Promise<{ readonly written: WriteOutcome } | { readonly problem: string }> {
  try {
    const written = await runs.publish(id, token, { items, layers: [], timings: {} });
    if (written === 'ok') await runs.appendEvent(id, { kind: 'log', data: { message: AS_PRINTED } });
    return { written };
  } catch (error) {
    // A value that cannot be stored is an error of the workflow, not of the caller.
    if (!isDomainError(error) || error.code !== 'validation') throw error;
    return { problem: `its Items cannot be stored (${error.message})` };
  }
}

function goneFailure({ dagId, runId }: RunIds): RunFailure {
  return {
    code: 'upstream_failed',
    message: `The orchestrator no longer knows run ${runId} of DAG ${dagId}: it was deleted there. Start the run again.`,
    details: { task: null, excerpt: '' },
  };
}
