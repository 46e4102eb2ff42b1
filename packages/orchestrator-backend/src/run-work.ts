import { isDomainError, type Timers } from '@headwater/core';
import { storableText } from '@headwater/core/values';
import type { WriteOutcome } from '@headwater/core/ports';
import {
  isOrchestratorError,
  type RunChange,
  type RunIds,
  type RunWatcher,
  type StallDiagnosis,
} from '@headwater/orchestrator-client';
import { cancelRemote, type Concluded, concludeRun } from './conclude.ts';
import { dispatchRun } from './dispatch.ts';
import { failureOf, isRetryable } from './failures.ts';
import type { HeldRun, HeldRuns } from './held-runs.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import type { BackendDeps } from './settings.ts';
import { retryUpstream } from './retry-upstream.ts';

/** Stored step and log line of a run. */
interface Note {
  readonly step: string;
  readonly log?: string;
}

/** Queues work on single runs. Methods return immediately and never throw. */
export interface RunWork {
  /** Starts or continues to watch a claimed run. */
  readonly take: (each: HeldRun) => void;
  /** Resolves when another run may be claimed; the number of waiting runs is limited. */
  readonly ready: () => Promise<void>;
  /** Stores the state at the orchestrator. */
  readonly noteState: (remote: RunIds, state: string) => void;
  /** Stores an outage or its end. */
  readonly noteOutage: (each: HeldRun, text: Note) => void;
  readonly stalled: (diagnosis: StallDiagnosis) => void;
  readonly ended: (remote: RunIds, how: RunChange | 'gone') => void;
  readonly conclude: (each: HeldRun) => void;
  readonly cancel: (each: HeldRun) => void;
  /** Stops the work on a run that has ended or is held by another process. */
  readonly release: (each: HeldRun) => void;
}

/** Dependencies of the work on runs. */
export interface RunWorkDeps extends BackendDeps {
  readonly limiter: Limiter;
  readonly held: HeldRuns;
  readonly watcher: RunWatcher;
}

/**
 * Creates the work on single runs: one operation at a time per run, and a concurrency limit for all. A run in a pause
 * before a retry does not count towards the limit, so its retries delay no other run.
 */
export function runWork(parts: RunWorkDeps): RunWork {
  const { held, limiter, timers } = parts;
  const pause: Timers['sleep'] = (ms, signal) => limiter.withoutSlot(() => timers.sleep(ms, signal), signal);
  const client = parts.client.pausing(limiter.withoutSlot);
  const deps = { ...parts, client, timers: { ...timers, sleep: pause } };
  const dispatches = createLimiter(deps.settings.concurrency);
  const close = (each: HeldRun, work: () => Promise<Concluded>): void => {
    if (each.isClosing) return;
    each.isClosing = true;
    enqueue(deps, each, async () => {
      try {
        await finish(deps, each, work);
      } finally {
        each.isClosing = false;
      }
    });
  };
  const noteStep = (remote: RunIds, text: Note): void => {
    const each = held.byRemote(remote);
    if (each !== undefined) each.step = text.step;
    void note(deps, remote, text);
  };
  const conclude = (each: HeldRun): void => close(each, () => concludeRun(deps, each));
  return {
    take: (each) =>
      void dispatches.run(() => {
        enqueue(deps, each, () => begin(deps, each));
        return each.pending;
      }),
    ready: dispatches.ready,
    noteState: (remote, state) => noteStep(remote, { step: `${state} at the orchestrator` }),
    noteOutage: ({ remote }, text) => {
      // An outage is stored in all runs at once, so the limiter also limits these writes.
      if (remote !== undefined) void limiter.run(() => note(deps, remote, text));
    },
    stalled: (diagnosis) => noteStep(diagnosis, { step: 'waits at the orchestrator', log: stallText(diagnosis) }),
    ended: (remote, how) => {
      const each = held.byRemote(remote);
      if (each === undefined) return;
      each.ended = how;
      conclude(each);
    },
    conclude,
    cancel: (each) => {
      each.isCancelled = true;
      // The trigger may have been sent; the queued cancellation checks this.
      each.dispatching.abort();
      close(each, () => cancelRemote(deps, each));
    },
    release: (each) => release(deps, each),
  };
}

function enqueue(deps: RunWorkDeps, each: HeldRun, work: () => Promise<void>): void {
  const { stop } = each;
  const guarded = async (): Promise<void> => {
    if (stop.signal.aborted) return;
    try {
      await work();
    } catch (error) {
      // After an abort, another process continues from the stored state, so the error is ignored.
      if (!stop.signal.aborted) await giveUp(deps, each, error);
    }
  };
  each.pending = each.pending.then(() => deps.limiter.run(guarded));
}

async function begin(deps: RunWorkDeps, each: HeldRun): Promise<void> {
  if (each.isCancelled) return await finish(deps, each, () => cancelRemote(deps, each));
  if (each.remote !== undefined) return deps.watcher.add(each.remote);
  const { stop, dispatching } = each;
  const signal = AbortSignal.any([stop.signal, dispatching.signal]);
  try {
    const send = notingFirstFailure(deps, each, () => dispatchRun(deps, each, signal));
    const sent = await withRetries(deps, send, signal);
    if (sent === 'lost') return release(deps, each);
    if (sent === 'cancelled') return await finish(deps, each, () => cancelRemote(deps, each));
    if (sent === 'unseen') {
      // The id at the orchestrator is unknown, so no watcher reports the end. The heartbeat loop stores the end.
      each.ended = 'unseen';
      return;
    }
    deps.held.found(each, sent);
    deps.watcher.add(sent);
  } catch (error) {
    // After an abort, the queued cancellation runs next, so the error is ignored.
    if (!dispatching.signal.aborted) throw error;
  }
}

async function finish(deps: RunWorkDeps, each: HeldRun, work: () => Promise<Concluded>): Promise<void> {
  const { signal } = each.stop;
  let concluded = await withRetries(deps, work, signal);
  if (concluded === 'cancelled') {
    each.isCancelled = true;
    concluded = await withRetries(deps, () => cancelRemote(deps, each), signal);
  }
  if (concluded !== 'open') release(deps, each);
}

/** Wraps work. After a transient error of the first attempt, the step says that the run waits. */
function notingFirstFailure<T>(
  { runs, settings, logger }: RunWorkDeps,
  { run: { id, token } }: HeldRun,
  work: () => Promise<T>,
): (attempt: number) => Promise<T> {
  const noteWait = async (message: string): Promise<void> => {
    try {
      await runs.heartbeat(id, token, { leaseMs: settings.leaseMs, step: 'waits for the orchestrator' });
      await runs.appendEvent(id, { kind: 'log', data: { message } });
    } catch (error) {
      logger.error({ runId: id, error: String(error) }, 'the step of a waiting run could not be stored');
    }
  };
  return async (attempt) => {
    try {
      return await work();
    } catch (error) {
      if (attempt === 1 && isOrchestratorError(error) && isRetryable(error))
        await noteWait(`the orchestrator has not accepted the run yet; retrying: ${storableText(error.message)}`);
      throw error;
    }
  };
}

function withRetries<T>(deps: RunWorkDeps, work: (attempt: number) => Promise<T>, signal: AbortSignal): Promise<T> {
  const { timers, clock, settings } = deps;
  return retryUpstream(work, { timers, signal, now: () => clock.now(), ...settings });
}

/** Stores the error as the failure of the run. */
async function giveUp(deps: RunWorkDeps, each: HeldRun, error: unknown): Promise<void> {
  const { runs, logger } = deps;
  const { id, token } = each.run;
  const isExpected = isDomainError(error) || isOrchestratorError(error);
  logger.error(
    { runId: id, error: isExpected || !(error instanceof Error) ? String(error) : (error.stack ?? error.message) },
    'the work on an orchestrated run failed, so the run is ended as failed',
  );
  try {
    await withRetries<WriteOutcome>(deps, () => runs.fail(id, token, failureOf(error)), each.stop.signal);
  } catch (cause) {
    logger.error(
      { runId: id, error: String(cause) },
      'the end of a run could not be stored; another process ends it when its lease has expired',
    );
  }
  release(deps, each);
}

function release({ held, watcher }: RunWorkDeps, each: HeldRun): void {
  if (each.remote !== undefined && held.byRemote(each.remote) === each) watcher.remove(each.remote);
  held.drop(each);
}

async function note({ held, runs, settings, logger }: RunWorkDeps, remote: RunIds, { step, log }: Note): Promise<void> {
  const each = held.byRemote(remote);
  if (each === undefined || each.ended !== undefined) return;
  const { id, token } = each.run;
  try {
    await runs.heartbeat(id, token, { leaseMs: settings.leaseMs, step });
    if (log !== undefined) await runs.appendEvent(id, { kind: 'log', data: { message: log } });
  } catch (error) {
    logger.error({ runId: id, error: String(error) }, 'the state of a run at the orchestrator could not be stored');
  }
}

function stallText({ runId, queuedMs, advice }: StallDiagnosis): string {
  return `run ${runId} has been queued at the orchestrator for ${Math.round(queuedMs / 60_000)} minutes: ${advice.join('; ')}`;
}
