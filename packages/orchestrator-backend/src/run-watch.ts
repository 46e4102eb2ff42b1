import { createWakeSignal } from '@headwater/core/timing';
import { endOwnLeases } from '@headwater/core/runs';
import type { Run } from '@headwater/core';
import { type BackendLoops, beatLoop, claimLoop } from './loops.ts';
import { type HeldRun, HeldRuns } from './held-runs.ts';
import { createLanes } from './lanes.ts';
import { problemLog } from './reach-log.ts';
import { runWork } from './run-work.ts';
import type { BackendDeps } from './settings.ts';
import { silenceOf } from './silence.ts';

/** The watch over the runs of this process. */
export interface RunWatch {
  readonly start: () => void;
  readonly stop: (options: { readonly graceMs: number }) => Promise<void>;
}

/** Claims, dispatches, watches and concludes; nothing happens before `start`. */
export function watchRuns(deps: BackendDeps): RunWatch {
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
  const lanes = createLanes(settings.concurrency);
  const work = runWork({ ...deps, lanes, held, watcher });
  const loops: BackendLoops = { ...deps, held, work, claims, beats, cancels, stopping: stopping.signal };
  watcher.on('change', ({ dagId, runId, state }) => work.tell({ dagId, runId }, state));
  watcher.on('finished', (change) => work.ended(change, change));
  watcher.on('gone', (ids) => work.ended(ids, 'gone'));
  watcher.on('stalled', (diagnosis) => work.stalled(diagnosis));
  const tellProblem = problemLog(deps);
  const silence = silenceOf({ ...deps, held, work });
  watcher.on('pass', silence.ended);
  watcher.on('problem', (error) => {
    tellProblem(error);
    silence.failed(error);
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
    const ends = Promise.all([running, watcher.stop(), ...held.all().map(({ turn }) => turn)]);
    await Promise.race([ends, timers.sleep(graceMs)]);
    await Promise.all(
      held
        .all()
        .filter((each) => !mayBeSent(each))
        .map((each) => lanes.run(() => letGo(deps, each.run))),
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

/** True where a trigger may be under way whose run is not known yet: whoever took it over now would not find that run, and start another. */
const mayBeSent = ({ tokenHash, away }: HeldRun): boolean => tokenHash !== null && away === undefined;

/** The next watcher need not wait for the lease's end. */
async function letGo({ runs, logger }: BackendDeps, { id, token }: Run): Promise<void> {
  try {
    await runs.heartbeat(id, token, { leaseMs: 0 });
  } catch (error) {
    logger.error({ runId: id, error: String(error) }, 'a watched run could not be given back; its lease will run out');
  }
}
