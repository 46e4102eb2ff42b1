import { DomainError } from '../errors.ts';
import type { Run, RunEvent, RunStore } from '../ports/runs.ts';
import type { RunSignals } from './signals.ts';
import type { Timers } from './timers.ts';
import { retrying } from './retry.ts';
import { endsRun, hasEnded } from './transitions.ts';

const PAGE = 200;

/** What following stands on. */
export interface FollowerDeps {
  readonly runs: Pick<RunStore, 'get' | 'events'>;
  readonly signals: RunSignals;
  readonly timers: Timers;
  readonly followMs: number;
}

/** Follows runs: woken by nudges of this process, and by a slow poll for runs that another process works on. */
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
      const run = await retrying(() => deps.runs.get(runId), { timers: deps.timers, signal });
      if (run === undefined) throw new DomainError('not_found', `Run ${runId} does not exist (any more).`);
      if (hasEnded(run)) return run;
      await watch.next();
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
      await watch.next();
    }
  } finally {
    watch.close();
  }
}

/** Remembers a nudge that comes while nobody waits, so that none is lost between a look and the wait. */
function watchRun(
  { signals, timers, followMs }: FollowerDeps,
  runId: string,
  signal: AbortSignal,
): { readonly next: () => Promise<void>; readonly close: () => void } {
  let nudge = new AbortController();
  const wake = (): void => nudge.abort();
  const onChanged = (id: string): void => {
    if (id === runId) wake();
  };
  signals.on('changed', onChanged);
  signal.addEventListener('abort', wake);
  return {
    next: async () => {
      if (!signal.aborted) await timers.sleep(followMs, nudge.signal);
      nudge = new AbortController();
    },
    close: () => {
      signals.off('changed', onChanged);
      signal.removeEventListener('abort', wake);
    },
  };
}
