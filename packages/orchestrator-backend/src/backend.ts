import { type BackendParts, type ComputeBackend, endOwnLeases } from '@headwater/core/runs';
import { createWakeSignal } from '@headwater/core/timing';
import type { Run } from '@headwater/core';
import { fetchFirstByte } from './item-files.ts';
import { probe } from './probe.ts';
import { logOutages, problemLog } from './outage-log.ts';
import { BACKEND_DEFAULTS, type BackendDeps, type OrchestratorBackendOptions } from './settings.ts';
import { workflowOf } from './workflow.ts';
import { type BackendLoops, beatLoop, claimLoop } from './loops.ts';
import { type HeldRun, HeldRuns } from './held-runs.ts';
import { createLimiter } from './limiter.ts';
import { runWork } from './run-work.ts';
import { outageNotes } from './outage-notes.ts';

/**
 * Creates the backend that computes each run by a workflow of an orchestrator. Runs are stored, and watched also after
 * a restart. If several services share a store, each run is watched by only one of them.
 */
export function orchestratorBackend(options: OrchestratorBackendOptions): (parts: BackendParts) => ComputeBackend {
  return (parts) => {
    const { client, dagId, serviceApiBase, reach = fetchFirstByte, ...tuning } = options;
    const settings = { watcherId: globalThis.crypto.randomUUID(), ...BACKEND_DEFAULTS, ...tuning };
    const deps: BackendDeps = { ...parts, client, dagId, serviceApiBase, reach, settings };
    const watch = watchRuns(deps);
    const endLog = logOutages(deps);
    return {
      name: 'orchestrator',
      start: watch.start,
      stop: async (options) => {
        await watch.stop(options);
        endLog();
      },
      workflow: workflowOf(deps),
      pageOf: ({ dagId: of, dagRunId }) => {
        if (of === null || dagRunId === null) return undefined;
        return `${client.address.replace(/\/$/, '')}/dags/${encodeURIComponent(of)}/grid?dag_run_id=${encodeURIComponent(dagRunId)}`;
      },
      probe: () => probe({ client, dagId, timeoutMs: settings.probeMs }),
    };
  };
}

/** Watch of the runs of this process. */
interface RunWatch {
  readonly start: () => void;
  readonly stop: (options: { readonly graceMs: number }) => Promise<void>;
}

/** Claims, dispatches, watches and concludes runs after `start`. */
function watchRuns(deps: BackendDeps): RunWatch {
  const { client, signals, runs, settings, timers } = deps;
  const stopping = new AbortController();
  const watcher = client.watcher();
  const held = new HeldRuns();
  const [claims, beats] = [createWakeSignal(), createWakeSignal()];
  const cancels = new Set<string | undefined>();
  const onCancel = (id?: string): void => {
    cancels.add(id);
    beats.wake();
  };
  const limiter = createLimiter(settings.concurrency);
  const work = runWork({ ...deps, limiter, held, watcher });
  const loops: BackendLoops = { ...deps, held, work, claims, beats, cancels, stopping: stopping.signal };
  watcher.on('change', ({ dagId, runId, state }) => work.noteState({ dagId, runId }, state));
  watcher.on('finished', (change) => work.ended(change, change));
  watcher.on('gone', (ids) => work.ended(ids, 'gone'));
  watcher.on('stalled', (diagnosis) => work.stalled(diagnosis));
  const logProblem = problemLog(deps);
  const notes = outageNotes({ ...deps, held, work });
  watcher.on('pass', notes.succeeded);
  watcher.on('problem', (error) => {
    logProblem(error);
    notes.failed(error);
  });
  let running: Promise<unknown> | undefined;
  let stopped: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    await endOwnLeases({ runs, logger: deps.logger, settings: { workerId: settings.watcherId } });
    watcher.start();
    await Promise.all([claimLoop(loops), beatLoop(loops)]);
  };
  const end = async (graceMs: number): Promise<void> => {
    signals.off('queued', claims.wake);
    signals.off('cancel', onCancel);
    stopping.abort();
    for (const wake of [claims.wake, beats.wake]) wake();
    for (const each of held.all()) each.stop.abort();
    const ends = Promise.all([running, watcher.stop(), ...held.all().map(({ pending }) => pending)]);
    await Promise.race([ends, timers.sleep(graceMs)]);
    await Promise.all(
      held
        .all()
        .filter((each) => !mayHaveTriggered(each))
        .map((each) => limiter.run(() => endLease(deps, each.run))),
    );
  };
  return {
    start: () => {
      if (running !== undefined || stopped !== undefined) return;
      signals.on('queued', claims.wake);
      signals.on('cancel', onCancel);
      running = run();
    },
    stop: ({ graceMs }) => (stopped ??= end(graceMs)),
  };
}

/**
 * True if a trigger may have been sent, but its run is unknown. Then the lease is kept, because another process could
 * start a second run.
 */
const mayHaveTriggered = ({ mayBeSent, remote }: HeldRun): boolean => mayBeSent && remote === undefined;

/** Ends the lease of a run, so that the next watcher need not wait for its expiry. */
async function endLease({ runs, logger }: BackendDeps, { id, token }: Run): Promise<void> {
  try {
    await runs.heartbeat(id, token, { leaseMs: 0 });
  } catch (error) {
    logger.error(
      { runId: id, error: String(error) },
      'a watched run could not be released; another process watches it when its lease has expired',
    );
  }
}
