import type { PipelinePorts } from '../pipelines/pipeline.ts';
import type { Run, RunStore } from '../ports/runs.ts';
import type { Clock, Logger } from '../ports/host.ts';
import type { SceneEngines } from '../ports/scene-engines.ts';
import { adoptAbandonedRuns } from './adopt-abandoned.ts';
import { runAttempt, type AttemptDeps } from './attempt.ts';
import { createClaimRecord, type ClaimRecord } from './claim-record.ts';
import { createWakeSignal, type WakeSignal } from '../timing/wake-signal.ts';
import { removeOldRegions } from './remove-old-regions.ts';
import { removeOldRuns, REMOVAL_INTERVAL_MS } from './remove-old-runs.ts';
import { observedRunStore, type RunSignals } from './signals.ts';
import { systemTimers, type Timers } from '../timing/timers.ts';
import type { ItemCheck, PipelineRegistry, RunWorker, WorkerSettings } from './types.ts';
import { within } from '../timing/timers.ts';
import { workerSettings } from './worker-settings.ts';
import { discardEarlierAttempts, endAbandonedImports, endOwnLeases, pruneAssets } from './worker-start.ts';

/** Dependencies of a worker. */
export interface RunWorkerDeps {
  readonly runs: RunStore;
  readonly pipelines: PipelineRegistry;
  readonly ports: PipelinePorts;
  /** Scene engines of platforms; default: all runs read the scenes of the service's own sources. */
  readonly sceneEngines?: SceneEngines | undefined;
  readonly checkItem: ItemCheck;
  /** Signals about runs. Pass the same object to the run service of this process. */
  readonly signals: RunSignals;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timers?: Timers;
  readonly settings?: Partial<WorkerSettings>;
}

const LONGEST_CLAIM_PAUSE_MS = 10_000;
/** Creates a worker in this process, which is idle before `start`. Throws `validation` for invalid settings. */
export function createRunWorker(deps: RunWorkerDeps): RunWorker {
  const settings = workerSettings(deps.settings);
  const worker: WorkerState = {
    deps: {
      ...deps,
      sceneEngines: deps.sceneEngines,
      runs: observedRunStore(deps.runs, deps.signals),
      timers: deps.timers ?? systemTimers,
      settings,
    },
    shutdown: new AbortController(),
    active: new Map(),
    waker: createWakeSignal(),
    record: createClaimRecord(deps.clock),
  };
  const { wake } = worker.waker;
  let running: Promise<unknown> | undefined;
  let stopping: Promise<void> | undefined;
  const stop = async (graceMs: number): Promise<void> => {
    deps.signals.off('queued', wake);
    worker.shutdown.abort();
    wake();
    await within(worker.deps.timers, graceMs, running);
    await releaseStragglers(worker);
  };
  return {
    start: () => {
      if (running !== undefined || stopping !== undefined) return;
      deps.signals.on('queued', wake);
      running = runSlots(worker);
    },
    wake,
    get active() {
      return worker.active.size;
    },
    get stage() {
      if (stopping !== undefined) return 'stopped';
      return running === undefined ? 'not started' : 'started';
    },
    get queue() {
      return worker.record.queue;
    },
    stop: ({ graceMs }) => (stopping ??= stop(graceMs)),
  };
}

interface WorkerState {
  readonly deps: Required<RunWorkerDeps> & Pick<AttemptDeps, 'settings'> & { readonly settings: WorkerSettings };
  readonly shutdown: AbortController;
  readonly active: Map<string, Run>;
  readonly waker: WakeSignal;
  readonly record: ClaimRecord;
}

async function runSlots(worker: WorkerState): Promise<void> {
  await endOwnLeases(worker.deps);
  const filesAreGone = await removeDead(worker.deps);
  const slots = Array.from({ length: worker.deps.settings.concurrency }, () => runSlot(worker));
  await Promise.all([
    ...slots,
    removeRepeatedly(worker, filesAreGone),
    adoptAbandonedRuns(worker.deps, worker.shutdown.signal),
  ]);
}

/** Ends abandoned imports first, so that their files are removed together with the files of other dead attempts. */
async function removeDead(deps: WorkerState['deps']): Promise<boolean> {
  await endAbandonedImports(deps);
  return await pruneAssets(deps);
}

async function removeRepeatedly({ deps, shutdown: { signal } }: WorkerState, prunedAtStart: boolean): Promise<void> {
  for (let filesAreGone = prunedAtStart; ; filesAreGone = await removeDead(deps)) {
    await removeOldRegions(deps, signal);
    await removeOldRuns(deps, { filesAreGone, stop: signal });
    await deps.timers.sleep(REMOVAL_INTERVAL_MS, signal);
    if (signal.aborted) return;
  }
}

async function runSlot(worker: WorkerState): Promise<void> {
  const { deps, shutdown, active } = worker;
  let failures = 0;
  while (!shutdown.signal.aborted) {
    // The signal is read before the claim, because otherwise a wake during the claim would be lost.
    const woken = worker.waker.signal;
    const claimed = await claim(worker, failures === 0);
    failures = claimed === 'failed' ? failures + 1 : 0;
    if (claimed === 'failed') {
      const pause = Math.min(LONGEST_CLAIM_PAUSE_MS, deps.settings.idleMs * 2 ** failures);
      await deps.timers.sleep(pause, shutdown.signal);
    } else if (claimed === undefined) {
      await deps.timers.sleep(deps.settings.idleMs, woken);
    } else {
      await attempt(worker, claimed);
      active.delete(claimed.id);
      await pruneAssets(deps);
    }
  }
}

async function claim({ deps, record }: WorkerState, logFailure: boolean): Promise<Run | undefined | 'failed'> {
  const { workerId, leaseMs, maxAttempts, queue, mostUnowned } = deps.settings;
  const pipelines = deps.pipelines.list.map((pipeline) => pipeline.name);
  const options = { workerId, leaseMs, maxAttempts, pipelines, queue, mostUnowned };
  try {
    return await record.note(() => deps.runs.claim(options));
  } catch (error) {
    if (logFailure) deps.logger.error({ error: String(error) }, 'the queue of runs does not answer; retrying');
    return 'failed';
  }
}

async function attempt({ deps, shutdown, active }: WorkerState, run: Run): Promise<void> {
  const pipeline = deps.pipelines.get(run.pipeline);
  // The store returned a run of a pipeline that the claim did not name.
  if (pipeline === undefined)
    return deps.logger.error(
      { runId: run.id, pipeline: run.pipeline },
      'the queue returned a run of a pipeline that this worker does not have; the run is not computed here',
    );
  active.set(run.id, run);
  deps.logger.info({ runId: run.id, pipeline: run.pipeline, attempt: run.attempt, token: run.token }, 'attempt begins');
  await discardEarlierAttempts(deps.ports.assets, run, deps.logger);
  await runAttempt(deps, { run, pipeline }, shutdown.signal);
}

async function releaseStragglers({ deps, active }: WorkerState): Promise<void> {
  for (const { id, token } of active.values()) {
    try {
      await deps.runs.release(id, token);
    } catch (error) {
      deps.logger.error(
        { runId: id, error: String(error) },
        'could not put a run back in the queue; another worker claims it when its lease ends',
      );
    }
  }
}
