import type { RunIds } from '../api/orchestrator-api.ts';
import { invalidRequest, isOrchestratorError, isWorthWaiting, OrchestratorError } from '../errors.ts';
import type { DagRun, RunState } from '../model/orchestrator.ts';
import type { StallDiagnosis } from '../model/run-report.ts';
import { diagnose, stalled } from './diagnose.ts';
import { failedWithoutReport, runFailed } from './make-report.ts';
import { pollPause, type Work } from './until-stored.ts';

/** Said of work that the deadline cut off. */
const LATE = Symbol('late');

/** How long somebody waits. */
interface Limits {
  /** Ends the wait, not the run. */
  readonly signal?: AbortSignal | undefined;
  /** The last moment of the wait, by this machine's clock; the run goes on after it. */
  readonly deadline?: Date | undefined;
}

/** Does `task` until the deadline, by the client's clock, and then aborts what it has under way; LATE = it did not end before. */
async function beforeDeadline<T>(
  { settings: { clock } }: Work,
  { signal, deadline }: Limits,
  task: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T | typeof LATE> {
  if (deadline === undefined) return task(signal);
  const left = msLeft(deadline, clock.now());
  if (left <= 0) return LATE;
  const [stop, done] = [new AbortController(), new AbortController()];
  const abort = (): void => stop.abort(signal?.reason);
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort, { once: true });
  let isLate = false;
  const watchClock = async (): Promise<void> => {
    await clock.sleep(left, done.signal);
    isLate = true;
    stop.abort(new Error('the deadline has passed'));
  };
  void watchClock().catch(() => undefined);
  try {
    return await task(stop.signal);
  } catch (error) {
    if (isLate && isOrchestratorError(error, 'aborted')) return LATE;
    throw error;
  } finally {
    done.abort();
    signal?.removeEventListener('abort', abort);
  }
}

/** Milliseconds from `now` to the deadline; throws `invalid_request` for a date that is none. */
function msLeft(deadline: Date, now: number): number {
  const left = deadline.getTime() - now;
  if (Number.isNaN(left)) throw invalidRequest('deadline', 'is no date; give a Date of a moment that exists');
  return left;
}

/** How long somebody waits. */
export type WaitOptions = Limits;

/** What is told while a run is watched: each change of its state, and once that it stays queued. */
export type RunEvent =
  | { readonly type: 'state'; readonly state: RunState; readonly run: DagRun }
  | { readonly type: 'stalled'; readonly diagnosis: StallDiagnosis };

/** True for the states that a run does not leave by itself. */
export const isEnded = (state: RunState): boolean => state === 'success' || state === 'failed';

/** Looks at a run until it has ended and answers it; throws `run_failed`, `stalled`, `deadline` or `aborted`. */
export async function waitForRun(work: Work, ids: RunIds, options: WaitOptions): Promise<DagRun> {
  for await (const event of watchRun(work, ids, options)) {
    if (event.type === 'stalled') throw stalled(event.diagnosis);
    if (event.state === 'failed') throw await failure(work, event.run, options);
    if (event.state === 'success') return event.run;
  }
  throw new TypeError('a watched run ended in no known state');
}

/** Why a run failed; where the deadline leaves no time to look, that it failed is told all the same. */
async function failure(work: Work, run: DagRun, options: WaitOptions): Promise<OrchestratorError<'run_failed'>> {
  const told = await beforeDeadline(work, options, (signal) => runFailed(work.api, run, signal));
  return told === LATE ? failedWithoutReport(run, 'the deadline of the wait passed before its tasks were read') : told;
}

/** Each change of a run's state, from its present one to its end; throws `deadline` or `aborted`. */
export async function* watchRun(work: Work, ids: RunIds, options: WaitOptions): AsyncGenerator<RunEvent, void> {
  const { clock, stalledAfterMs } = work.settings;
  let [last, queuedSince]: [RunState | null, number | null] = [null, clock.now()];
  for await (const run of looks(work, ids, options)) {
    if (run.state !== last) yield { type: 'state', state: run.state, run };
    last = run.state;
    if (isEnded(run.state)) return;
    if (run.state !== 'queued') queuedSince = null;
    if (queuedSince === null || clock.now() - queuedSince < stalledAfterMs) continue;
    const facts = await beforeDeadline(work, options, (signal) => diagnose(work.api, ids, signal));
    if (facts === LATE) throw late(ids, run.state);
    yield { type: 'stalled', diagnosis: { ...facts, queuedMs: clock.now() - queuedSince } };
    queuedSince = null;
  }
}

/** The last look begins this long before the deadline, ms: a run that ends shortly before it is not missed. */
const LAST_LOOK_MS = 1000;

/** A run, looked at every 3 to 5 s until the deadline; bears an orchestrator that does not answer for as long as the settings say. */
async function* looks(work: Work, ids: RunIds, options: WaitOptions): AsyncGenerator<DagRun, void> {
  const { clock, patienceMs } = work.settings;
  let [answered, state]: [number, RunState | null] = [clock.now(), null];
  for (;;) {
    try {
      const run = await beforeDeadline(work, options, (signal) => work.api.run(ids, signal));
      if (run === LATE) throw late(ids, state);
      [answered, state] = [clock.now(), run.state];
      yield run;
    } catch (error) {
      if (!isWorthWaiting(error) || clock.now() - answered >= patienceMs) throw error;
    }
    const left = options.deadline === undefined ? Infinity : msLeft(options.deadline, clock.now());
    await pollPause(work, options.signal, left > LAST_LOOK_MS ? left - LAST_LOOK_MS : left);
  }
}

function late({ dagId, runId }: RunIds, state: RunState | null): OrchestratorError<'deadline'> {
  const message = `run ${runId} of DAG ${dagId} was ${state ?? 'of unknown state'} at the deadline of this wait; it goes on, wait for it again by its ids`;
  return new OrchestratorError('deadline', message, { details: { dagId, runId, state } });
}
