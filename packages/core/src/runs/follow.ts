import type { Run, RunEvent, RunStore } from '../ports/runs.ts';
import { createWakeSignal } from '../timing/wake-signal.ts';
import { retrying } from './retry.ts';
import { unknownRun } from './run-id.ts';
import type { RunSignals } from './signals.ts';
import type { Timers } from '../timing/timers.ts';
import { endsRun, hasEnded } from './transitions.ts';

const PAGE = 200;

/** What following stands on. */
export interface FollowerDeps {
  readonly runs: Pick<RunStore, 'get' | 'events'>;
  readonly signals: RunSignals;
  readonly timers: Timers;
  readonly followMs: number;
}

/** Follows runs: woken by nudges of this process and of others, and by a slow poll in case one was lost. */
export interface Follower {
  readonly waitFor: (runId: string, signal: AbortSignal) => Promise<Run>;
  readonly subscribe: (runId: string, afterSeq: number, signal: AbortSignal) => AsyncGenerator<RunEvent, void>;
}

/** Builds a follower. A store that is away is waited for: the run goes on without its watchers. */
export function createFollower(deps: FollowerDeps): Follower {
  return {
    waitFor: (runId, signal) => waitFor(deps, runId, signal),
    subscribe: (runId, afterSeq, signal) => subscribe(deps, { runId, afterSeq }, signal),
  };
}

async function waitFor(deps: FollowerDeps, runId: string, signal: AbortSignal): Promise<Run> {
  const watch = watchRun(deps, runId, signal);
  try {
    for (;;) {
      signal.throwIfAborted();
      const nudged = watch.nudged();
      const run = await retrying(() => deps.runs.get(runId), { timers: deps.timers, signal });
      if (run === undefined) throw unknownRun(runId);
      if (hasEnded(run)) return run;
      await watch.sleep(nudged);
    }
  } finally {
    watch.close();
  }
}

async function* subscribe(
  deps: FollowerDeps,
  from: { readonly runId: string; readonly afterSeq: number },
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void> {
  const { runId } = from;
  const watch = watchRun(deps, runId, signal);
  let after = from.afterSeq;
  try {
    while (!signal.aborted) {
      const nudged = watch.nudged();
      // The state is read before the events, so an ended run's events are all there when they are read.
      const policy = { timers: deps.timers, signal };
      const run = await retrying(() => deps.runs.get(runId), policy);
      const events = await retrying(() => deps.runs.events(runId, after, PAGE), policy);
      for (const event of events) {
        if (signal.aborted) return;
        yield event;
        after = event.seq;
        if (endsRun(event)) return;
      }
      if (events.length === PAGE) continue;
      if (run === undefined || hasEnded(run)) return;
      await watch.sleep(nudged);
    }
  } finally {
    watch.close();
  }
}

interface Watch {
  /** To be taken before the look at the store, so that a nudge during it is not lost. */
  readonly nudged: () => AbortSignal;
  readonly sleep: (nudged: AbortSignal) => Promise<void>;
  readonly close: () => void;
}

/** Sleeps until the run changed in this process, until it is time to look anyway, or until `signal` aborts. */
function watchRun({ signals, timers, followMs }: FollowerDeps, runId: string, signal: AbortSignal): Watch {
  const nudge = createWakeSignal();
  const onChanged = (id: string = runId): void => {
    if (id === runId) nudge.wake();
  };
  signals.on('changed', onChanged);
  signal.addEventListener('abort', nudge.wake);
  return {
    nudged: () => nudge.signal,
    sleep: async (nudged) => {
      if (!signal.aborted) await timers.sleep(followMs, nudged);
    },
    close: () => {
      signals.off('changed', onChanged);
      signal.removeEventListener('abort', nudge.wake);
    },
  };
}
