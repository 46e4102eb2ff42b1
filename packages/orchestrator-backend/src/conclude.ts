import { CANCELLED, computedFor, hasEnded } from '@headwater/core/runs';
import { isDomainError, type NewItem, type Run, type RunFailure } from '@headwater/core';
import type { WriteOutcome } from '@headwater/core/ports';
import { isOrchestratorError, type RunIds } from '@headwater/orchestrator-client';
import { containerResult } from './container-result.ts';
import { findSent } from './dispatch.ts';
import { failureOfReport } from './failures.ts';
import type { HeldRun } from './held-runs.ts';
import type { BackendDeps } from './settings.ts';

const AS_PRINTED =
  'the Items are published as the workflow gave them, their files where they are; layers and tables of them are not listed here: a container that is to publish those needs the database and the data folder of this service';
/** Looks for the run of a cancelled trigger, a pause of `retryMs` between them: half a minute in all. */
const LOOKS = 8;

/** `open`: what the callback began is still at work, so the run goes on. */
export type Concluded = WriteOutcome | 'open';

/**
 * Writes down the end of a run whose run at the orchestrator has ended. A success is one only with a result: what the callback
 * computed here, or valid STAC Items among what the workflow's tasks returned or printed.
 */
export async function concludeRun(deps: BackendDeps, held: HeldRun): Promise<Concluded> {
  const { ended, away } = held;
  if (ended === undefined || away === undefined) return 'open';
  const computed = await computedFor(deps, held.run.id);
  if (ended === 'gone') return await fail(deps, held, goneFailure(away));
  if (ended.state === 'failed') return await fail(deps, held, await failedFailure(deps, held, { away, computed }));
  const made = computed.find(({ state }) => state === 'success');
  if (made !== undefined) return await deps.runs.complete(held.run.id, held.run.token, made.id);
  // A workflow that asked for the callback without waiting for it.
  if (computed.some((each) => !hasEnded(each))) return 'open';
  return await concludeContainer(deps, held, { away, computed: computed[0]?.error ?? undefined });
}

/** Ends a run at the orchestrator that somebody cancelled here. */
export async function cancelAway(deps: BackendDeps, held: HeldRun): Promise<WriteOutcome> {
  const { client, runs, logger } = deps;
  const { id, token } = held.run;
  const { signal } = held.stop;
  const sent = held.away ?? (held.tokenHash === null ? undefined : await sentRun(deps, held));
  try {
    if (sent !== undefined) await client.run(sent.dagId, sent.runId).cancel({ signal });
  } catch (error) {
    if (!isOrchestratorError(error, 'unknown_run') && !isOrchestratorError(error, 'not_cancelled')) throw error;
    logger.error({ runId: id, error: error.message }, 'a cancelled run could not be ended at the orchestrator');
  }
  return await runs.fail(id, token, CANCELLED);
}

/** The run of a trigger whose answer nobody has: it may be carried out after the one who sent it has gone, so it is looked for a while. */
async function sentRun(deps: BackendDeps, held: HeldRun): Promise<RunIds | undefined> {
  const { timers, settings } = deps;
  const { signal } = held.stop;
  for (let look = 1; ; look++) {
    const found = await findSent(deps, held, signal);
    if (found !== undefined || look === LOOKS) return found;
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
  { away, computed }: { readonly away: RunIds; readonly computed: readonly Run[] },
): Promise<RunFailure> {
  const report = await client.run(away.dagId, away.runId).logs({ signal: stop.signal });
  const made = computed.find(({ state }) => state === 'success');
  const failure = failureOfReport(report, made === undefined ? (computed[0]?.error ?? undefined) : undefined);
  if (made === undefined) return failure;
  return { ...failure, message: `${failure.message} What it had computed by then is published by run ${made.id}.` };
}

async function concludeContainer(
  deps: BackendDeps,
  held: HeldRun,
  { away, computed }: { readonly away: RunIds; readonly computed: RunFailure | undefined },
): Promise<WriteOutcome> {
  const result = await containerResult(deps, held, away);
  const outcome = 'items' in result ? await publishPrinted(deps, held, result.items) : result;
  if (!('problem' in outcome)) return outcome.written;
  const told = `run ${away.runId} of DAG ${away.dagId} ended as a success without a valid STAC output: ${outcome.problem}`;
  const why = computed === undefined ? '' : ` What its callback began failed: ${computed.message}`;
  return await fail(deps, held, {
    code: computed?.code ?? 'upstream_failed',
    message: `At the orchestrator, ${told}.${why}`,
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
    // What a store cannot hold is no fault of whoever asked for the layer.
    if (!isDomainError(error) || error.code !== 'validation') throw error;
    return { problem: `its Items cannot be stored (${error.message})` };
  }
}

function goneFailure({ dagId, runId }: RunIds): RunFailure {
  return {
    code: 'upstream_failed',
    message: `The orchestrator does not know run ${runId} of DAG ${dagId} any more: somebody deleted it there. Start the run again.`,
    details: { task: null, excerpt: '' },
  };
}
