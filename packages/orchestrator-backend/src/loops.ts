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
  /** Signals a possible run to claim. */
  readonly claims: WakeSignal;
  /** Signals a possible cancellation. */
  readonly beats: WakeSignal;
  /** Ids of the runs that were cancelled since the last check; undefined: any run may have been cancelled. */
  readonly cancels: Set<string | undefined>;
  readonly stopping: AbortSignal;
}

const LONGEST_PAUSE_MS = 10_000;
/** No limit of attempts, because each new watcher counts as an attempt and a run may have many watchers. */
const ANY_ATTEMPT = Number.MAX_SAFE_INTEGER;

/** Claims runs, unless too many runs wait for their triggers. */
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

const BATCH = 500;

/** Renews leases, finds cancelled runs, and stores ends that could not be stored before. */
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
    // Between regular checks, only cancelled runs are checked.
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

/** Progress of the runs that callbacks started. They are found by their fingerprint (`callbackFingerprint`). */
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
