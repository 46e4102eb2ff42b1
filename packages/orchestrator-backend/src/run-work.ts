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
import { cancelAway, type Concluded, concludeRun } from './conclude.ts';
import { dispatchRun } from './dispatch.ts';
import { failureOf, mayPass } from './failures.ts';
import type { HeldRun, HeldRuns } from './held-runs.ts';
import { createLanes, type Lanes } from './lanes.ts';
import type { BackendDeps } from './settings.ts';
import { retryUpstream } from './retry-upstream.ts';

/** What a run shows of how it gets on, and a line for its log. */
interface Note {
  readonly step: string;
  readonly log?: string;
}

/** What is done about single runs; each call returns at once and never throws. */
export interface RunWork {
  /** Starts what was just claimed, or goes on watching it. */
  readonly take: (each: HeldRun) => void;
  /** Resolves as soon as another run may be claimed: only so many wait at a time until the orchestrator takes them. */
  readonly room: () => Promise<void>;
  /** Notes what it is doing there. */
  readonly tell: (away: RunIds, state: string) => void;
  /** Notes that the orchestrator stays away, or is back. */
  readonly silent: (each: HeldRun, told: Note) => void;
  readonly stalled: (diagnosis: StallDiagnosis) => void;
  readonly ended: (away: RunIds, how: RunChange | 'gone') => void;
  readonly conclude: (each: HeldRun) => void;
  readonly cancel: (each: HeldRun) => void;
  /** Somebody else has it, or nobody needs it any more. */
  readonly lose: (each: HeldRun) => void;
}

/** What the work stands on. */
export interface RunWorkDeps extends BackendDeps {
  readonly lanes: Lanes;
  readonly held: HeldRuns;
  readonly watcher: RunWatcher;
}

/**
 * Builds the work on single runs: one thing at a time for each, so much at a time for all. Pauses do not count: what waits for an orchestrator
 * that does not answer holds up nothing else.
 */
export function runWork(given: RunWorkDeps): RunWork {
  const { held, lanes, timers } = given;
  const pause: Timers['sleep'] = (ms, signal) => lanes.withoutLane(() => timers.sleep(ms, signal), signal);
  const client = given.client.pausing(lanes.withoutLane);
  const deps = { ...given, client, timers: { ...timers, sleep: pause } };
  const dispatches = createLanes(deps.settings.concurrency);
  const close = (each: HeldRun, work: () => Promise<Concluded>): void => {
    if (each.isClosing) return;
    each.isClosing = true;
    inTurn(deps, each, async () => {
      try {
        await finish(deps, each, work);
      } finally {
        each.isClosing = false;
      }
    });
  };
  const tell = (away: RunIds, told: Note): void => {
    const each = held.at(away);
    if (each !== undefined) each.step = told.step;
    void note(deps, away, told);
  };
  const conclude = (each: HeldRun): void => close(each, () => concludeRun(deps, each));
  return {
    take: (each) =>
      void dispatches.run(() => {
        inTurn(deps, each, () => begin(deps, each));
        return each.turn;
      }),
    room: dispatches.room,
    tell: (away, state) => tell(away, { step: `${state} at the orchestrator` }),
    silent: ({ away }, told) => {
      // All runs have the same to note, at the same time.
      if (away !== undefined) void lanes.run(() => note(deps, away, told));
    },
    stalled: (diagnosis) => tell(diagnosis, { step: 'waits at the orchestrator', log: stallText(diagnosis) }),
    ended: (away, how) => {
      const each = held.at(away);
      if (each === undefined) return;
      each.ended = how;
      conclude(each);
    },
    conclude,
    cancel: (each) => {
      each.isCancelled = true;
      // Its trigger may be under way: what came of it is looked at when its turn comes.
      each.dispatching.abort();
      close(each, () => cancelAway(deps, each));
    },
    lose: (each) => lose(deps, each),
  };
}

function inTurn(deps: RunWorkDeps, each: HeldRun, work: () => Promise<void>): void {
  const { stop } = each;
  const guarded = async (): Promise<void> => {
    if (stop.signal.aborted) return;
    try {
      await work();
    } catch (error) {
      // Whoever takes it over goes on from what is stored.
      if (!stop.signal.aborted) await giveUp(deps, each, error);
    }
  };
  each.turn = each.turn.then(() => deps.lanes.run(guarded));
}

/** Dispatches a run, or watches the one that an earlier process dispatched. */
async function begin(deps: RunWorkDeps, each: HeldRun): Promise<void> {
  if (each.isCancelled) return await finish(deps, each, () => cancelAway(deps, each));
  if (each.away !== undefined) return deps.watcher.add(each.away);
  const { stop, dispatching } = each;
  const signal = AbortSignal.any([stop.signal, dispatching.signal]);
  try {
    const send = tellingFirst(deps, each, () => dispatchRun(deps, each, signal));
    const sent = await patiently(deps, send, signal);
    if (sent === 'lost') return lose(deps, each);
    if (sent === 'cancelled') return await finish(deps, each, () => cancelAway(deps, each));
    deps.held.found(each, sent);
    deps.watcher.add(sent);
  } catch (error) {
    // The cancellation has the next turn.
    if (!dispatching.signal.aborted) throw error;
  }
}

async function finish(deps: RunWorkDeps, each: HeldRun, work: () => Promise<Concluded>): Promise<void> {
  const { signal } = each.stop;
  let concluded = await patiently(deps, work, signal);
  if (concluded === 'cancelled') {
    each.isCancelled = true;
    concluded = await patiently(deps, () => cancelAway(deps, each), signal);
  }
  if (concluded !== 'open') lose(deps, each);
}

/** Tells in the run of the first time that the orchestrator did not take it: whoever looks at it sees for what it waits. */
function tellingFirst<T>(
  { runs, settings, logger }: RunWorkDeps,
  { run: { id, token } }: HeldRun,
  work: () => Promise<T>,
): (attempt: number) => Promise<T> {
  const tell = async (message: string): Promise<void> => {
    try {
      await runs.heartbeat(id, token, { leaseMs: settings.leaseMs, step: 'waits for the orchestrator' });
      await runs.appendEvent(id, { kind: 'log', data: { message } });
    } catch (error) {
      logger.error({ runId: id, error: String(error) }, 'what a run waits for could not be noted');
    }
  };
  return async (attempt) => {
    try {
      return await work();
    } catch (error) {
      if (attempt === 1 && isOrchestratorError(error) && mayPass(error))
        await tell(`the orchestrator has not taken it yet, which is tried again: ${storableText(error.message)}`);
      throw error;
    }
  };
}

function patiently<T>(deps: RunWorkDeps, work: (attempt: number) => Promise<T>, signal: AbortSignal): Promise<T> {
  const { timers, clock, settings } = deps;
  return retryUpstream(work, { timers, signal, now: () => clock.now(), ...settings });
}

/** Ends a run here that cannot go on there. */
async function giveUp(deps: RunWorkDeps, each: HeldRun, error: unknown): Promise<void> {
  const { runs, logger } = deps;
  const { id, token } = each.run;
  const isForeseen = isDomainError(error) || isOrchestratorError(error);
  logger.error(
    { runId: id, error: isForeseen || !(error instanceof Error) ? String(error) : (error.stack ?? error.message) },
    'a run ended for the orchestrator',
  );
  try {
    await patiently<WriteOutcome>(deps, () => runs.fail(id, token, failureOf(error)), each.stop.signal);
  } catch (cause) {
    logger.error({ runId: id, error: String(cause) }, 'the end of a run could not be stored; its lease will run out');
  }
  lose(deps, each);
}

function lose({ held, watcher }: RunWorkDeps, each: HeldRun): void {
  if (each.away !== undefined && held.at(each.away) === each) watcher.remove(each.away);
  held.drop(each);
}

async function note({ held, runs, settings, logger }: RunWorkDeps, away: RunIds, { step, log }: Note): Promise<void> {
  const each = held.at(away);
  if (each === undefined || each.ended !== undefined) return;
  const { id, token } = each.run;
  try {
    await runs.heartbeat(id, token, { leaseMs: settings.leaseMs, step });
    if (log !== undefined) await runs.appendEvent(id, { kind: 'log', data: { message: log } });
  } catch (error) {
    logger.error({ runId: id, error: String(error) }, 'the state of a run at the orchestrator could not be noted');
  }
}

function stallText({ runId, queuedMs, advice }: StallDiagnosis): string {
  return `run ${runId} has been queued at the orchestrator for ${Math.round(queuedMs / 60_000)} minutes: ${advice.join('; ')}`;
}
