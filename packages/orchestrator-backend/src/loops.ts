import { computedFor, type Heartbeat, type Nudge, type Run } from '@headwater/core';
import type { HeldRun, HeldRuns } from './held-runs.ts';
import type { Lanes } from './lanes.ts';
import type { RunWork } from './run-work.ts';
import type { BackendDeps } from './settings.ts';

/** What the loops of a backend work on. */
export interface BackendLoops extends BackendDeps {
  readonly held: HeldRuns;
  readonly lanes: Lanes;
  readonly work: RunWork;
  /** Poked when there may be a run to claim; when somebody may have cancelled one. */
  readonly claims: Nudge;
  readonly beats: Nudge;
  readonly stopping: AbortSignal;
}

const LONGEST_PAUSE_MS = 10_000;
/** An orchestrated run is never given up for the number of its watchers. */
const ANY_ATTEMPT = Number.MAX_SAFE_INTEGER;

/** Claims runs as long as there are lanes to dispatch them in. */
export async function claimLoop(loops: BackendLoops): Promise<void> {
  const { settings, timers, claims, stopping, lanes, held, work } = loops;
  for (let failures = 0; !stopping.aborted;) {
    await lanes.room();
    // Taken before the look, so that a nudge during it is not lost.
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
    if (isFirst) logger.error({ error: String(error) }, 'the queue of orchestrated runs does not answer; trying again');
    return 'failed';
  }
}

/** Keeps the leases, hears of cancellations, and looks again at runs whose end could not be written yet. */
export async function beatLoop(loops: BackendLoops): Promise<void> {
  const { settings, timers, beats, stopping, held } = loops;
  while (!stopping.aborted) {
    const nudged = beats.signal;
    await timers.sleep(settings.leaseMs / 3, nudged);
    if (stopping.aborted) return;
    await Promise.all(held.all().map((each) => beat(loops, each)));
  }
}

async function beat(loops: BackendLoops, each: HeldRun): Promise<void> {
  const { runs, settings, logger, work } = loops;
  const { id, token } = each.run;
  try {
    const outcome = await runs.heartbeat(id, token, { leaseMs: settings.leaseMs, ...(await progressOf(loops, each)) });
    if (outcome === 'lost') work.lose(each);
    else if (outcome === 'cancelled') work.cancel(each);
    else if (each.ended !== undefined) work.conclude(each);
  } catch (error) {
    logger.error({ runId: id, error: String(error) }, 'the lease of a watched run could not be kept');
  }
}

/** The progress of what its callback began. */
async function progressOf(
  loops: BackendLoops,
  { run, away, ended }: HeldRun,
): Promise<Pick<Heartbeat, 'progress' | 'step'>> {
  if (away === undefined || ended !== undefined) return {};
  const [computing] = await computedFor(loops, run.id);
  if (computing?.state !== 'running') return {};
  return { progress: computing.progress, ...(computing.step === null ? {} : { step: computing.step }) };
}
