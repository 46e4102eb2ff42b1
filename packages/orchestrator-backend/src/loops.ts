import { callbackFingerprint, isCancelledWith } from '@headwater/core/runs';
import type { Heartbeat } from '@headwater/core/ports';
import type { WakeSignal } from '@headwater/core/timing';
import type { Run } from '@headwater/core';
import type { HeldRun, HeldRuns } from './held-runs.ts';
import type { RunWork } from './run-work.ts';
import type { BackendDeps } from './settings.ts';

/** Dependencies of a backend's loops. */
export interface BackendLoops extends BackendDeps {
  readonly held: HeldRuns;
  readonly work: RunWork;
  /** Signals that there may be a run to claim. */
  readonly claims: WakeSignal;
  /** Signals that a run may have been cancelled. */
  readonly beats: WakeSignal;
  /** Ids of cancelled runs since the last check; undefined = any run may have been cancelled. */
  readonly cancels: Set<string | undefined>;
  readonly stopping: AbortSignal;
}

const LONGEST_PAUSE_MS = 10_000;
/**
 * Limit of attempts. It is never reached: each new watcher of a run counts as an attempt, so a limit would end a run
 * that many processes have watched one after the other.
 */
const ANY_ATTEMPT = Number.MAX_SAFE_INTEGER;

/**
 * Claims runs. Claims no further run while too many claimed runs wait for the orchestrator to accept their triggers.
 */
export async function claimLoop(loops: BackendLoops): Promise<void> {
  const { settings, timers, claims, stopping, held, work } = loops;
  for (let failures = 0; !stopping.aborted;) {
    await work.ready();
    // The signal is read before the claim, because otherwise a signal during the claim would be missed.
    const nudged = claims.signal;
    const run = await claim(loops, failures === 0);
    failures = run === 'failed' ? failures + 1 : 0;
    if (run === 'failed') await timers.sleep(Math.min(LONGEST_PAUSE_MS, settings.idleMs * 2 ** failures), stopping);
    else if (run === undefined) await timers.sleep(settings.idleMs, nudged);
    else work.take(held.add(run));
  }
}

async function claim(
  { runs, pipelines, settings, logger }: BackendLoops,
  isFirst: boolean,
): Promise<Run | undefined | 'failed'> {
  const { watcherId: workerId, leaseMs } = settings;
  const names = pipelines.list.map(({ name }) => name);
  try {
    return await runs.claim({ workerId, leaseMs, pipelines: names, maxAttempts: ANY_ATTEMPT, backend: 'orchestrator' });
  } catch (error) {
    if (isFirst) logger.error({ error: String(error) }, 'the queue of orchestrated runs does not respond; retrying');
    return 'failed';
  }
}

/** Number of leases that are renewed in one step. */
const BATCH = 500;

/** Renews the leases and finds cancelled runs. Stores the ends of runs that could not be stored before. */
export async function beatLoop(loops: BackendLoops): Promise<void> {
  const { settings, timers, clock, beats, cancels, stopping, held } = loops;
  const pauseMs = settings.leaseMs / 3;
  for (let dueAt = clock.now().getTime() + pauseMs; !stopping.aborted;) {
    const nudged = beats.signal;
    if (cancels.size === 0) await timers.sleep(Math.max(0, dueAt - clock.now().getTime()), nudged);
    if (stopping.aborted) return;
    const cancelled = [...cancels];
    cancels.clear();
    const isDue = clock.now().getTime() >= dueAt;
    if (isDue) dueAt = clock.now().getTime() + pauseMs;
    // Between two regular checks, only the runs that were cancelled are checked.
    const due = held.all().filter(({ run }) => isDue || cancelled.some((id) => isCancelledWith(run, id)));
    for (let from = 0; from < due.length; from += BATCH) await beat(loops, due.slice(from, from + BATCH));
  }
}

async function beat(loops: BackendLoops, batch: readonly HeldRun[]): Promise<void> {
  const { runs, settings, logger, work } = loops;
  try {
    const progress = await progressOf(loops, batch);
    const beats = batch.map(({ run: { id, token } }) => ({ id, token, ...progress.get(id) }));
    const outcomes = await runs.heartbeats(beats, settings.leaseMs);
    for (const [at, each] of batch.entries()) {
      const outcome = outcomes[at];
      if (outcome === 'lost') work.release(each);
      else if (outcome === 'cancelled') work.cancel(each);
      else if (each.ended !== undefined) work.conclude(each);
    }
  } catch (error) {
    const [first] = batch;
    logger.error(
      { runId: first?.run.id, others: batch.length - 1, error: String(error) },
      'the leases of watched runs could not be renewed',
    );
  }
}

/** Reads the progress of the runs that compute for the runs of the batch (`callbackFingerprint`). */
async function progressOf(
  { runs }: BackendLoops,
  batch: readonly HeldRun[],
): Promise<ReadonlyMap<string, Pick<Heartbeat, 'progress' | 'step'>>> {
  const open = batch.filter(({ remote, ended }) => ended === 'unseen' || (remote !== undefined && ended === undefined));
  const ids = new Map(open.map(({ run: { id } }) => [callbackFingerprint(id), id]));
  if (ids.size === 0) return new Map();
  const found = await runs.progressOf([...ids.keys()]);
  return new Map(
    found.map(({ fingerprint, progress, step }) => [
      ids.get(fingerprint) ?? '',
      { progress, ...(step === null ? {} : { step }) },
    ]),
  );
}
