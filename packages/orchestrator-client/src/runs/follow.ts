import type { RunIds } from '../api/orchestrator-api.ts';
import { invalidRequest, isOrchestratorError, isWorthRetrying, OrchestratorError } from '../errors.ts';
import type { DagRun, RunState } from '../model/orchestrator.ts';
import type { StallDiagnosis } from '../model/run-report.ts';
import { diagnose, stalled } from './diagnose.ts';
import { failedWithoutReport, runFailed } from './make-report.ts';
import { pollPause, type Work } from './until-stored.ts';

const LATE = Symbol('late');

interface Limits {
  /** Ends the wait, not the run. */
  readonly signal?: AbortSignal | undefined;
  /** End of the wait by this machine's clock; the run continues. */
  readonly deadline?: Date | undefined;
}

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

function msLeft(deadline: Date, now: number): number {
  const left = deadline.getTime() - now;
  if (Number.isNaN(left)) throw invalidRequest('deadline', 'is not a valid date; give a valid Date');
  return left;
}

/** Signal and deadline of a wait. */
export type WaitOptions = Limits;

/** A change of state, or (once) the report that the run stays queued. */
export type RunEvent =
  | { readonly type: 'state'; readonly state: RunState; readonly run: DagRun }
  | { readonly type: 'stalled'; readonly diagnosis: StallDiagnosis };

/** True for final states. */
export const isEnded = (state: RunState): boolean => state === 'success' || state === 'failed';

/** Polls a run until its end; throws `run_failed`, `stalled`, `deadline` or `aborted`. */
export async function waitForRun(work: Work, ids: RunIds, options: WaitOptions): Promise<DagRun> {
  for await (const event of watchRun(work, ids, options)) {
    if (event.type === 'stalled') throw stalled(event.diagnosis);
    if (event.state === 'failed') throw await failure(work, event.run, options);
    if (event.state === 'success') return event.run;
  }
  throw new TypeError(`the events of run ${ids.runId} ended before the run succeeded or failed`);
}

/** Error of a failed run. It has no tasks if the deadline leaves no time to read them. */
async function failure(work: Work, run: DagRun, options: WaitOptions): Promise<OrchestratorError<'run_failed'>> {
  const error = await beforeDeadline(work, options, (signal) => runFailed(work.api, run, signal));
  return error === LATE
    ? failedWithoutReport(run, 'the deadline of the wait passed before its tasks were read')
    : error;
}

/** Yields the present state and each change until the end. Throws `deadline` or `aborted`. */
export async function* watchRun(work: Work, ids: RunIds, options: WaitOptions): AsyncGenerator<RunEvent, void> {
  const { clock, stalledAfterMs } = work.settings;
  let [last, queuedSince]: [RunState | null, number | null] = [null, clock.now()];
  for await (const run of pollRun(work, ids, options)) {
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

/** Time between the last read and the deadline, ms. The last read finds a run that ends shortly before the deadline. */
const LAST_READ_MS = 1000;

/** Reads the run at the interval `poll` (default: every 3 to 5 s). Tolerates an outage of `patienceMs`. */
async function* pollRun(work: Work, ids: RunIds, options: WaitOptions): AsyncGenerator<DagRun, void> {
  const { clock, patienceMs, poll } = work.settings;
  let [answered, state]: [number, RunState | null] = [clock.now(), null];
  for (;;) {
    const began = clock.now();
    try {
      const run = await beforeDeadline(work, options, (signal) => work.api.run(ids, { signal }));
      if (run === LATE) throw late(ids, state);
      [answered, state] = [clock.now(), run.state];
      yield run;
    } catch (error) {
      if (!isWorthRetrying(error) || clock.now() - answered >= patienceMs) throw error;
    }
    const left = options.deadline === undefined ? Infinity : msLeft(options.deadline, clock.now());
    const untilDeadline = left > LAST_READ_MS ? left - LAST_READ_MS : left;
    // The pause is shorter after a slow response, so that two reads usually start at most `poll.maxMs` apart.
    const longest = Math.max(poll.minMs, poll.maxMs - (clock.now() - began));
    await pollPause(work, options.signal, Math.min(untilDeadline, longest));
  }
}

function late({ dagId, runId }: RunIds, state: RunState | null): OrchestratorError<'deadline'> {
  const message = `run ${runId} of DAG ${dagId} was ${state ?? 'of unknown state'} at the deadline of this wait. The run continues; wait for it again with its ids`;
  return new OrchestratorError('deadline', message, { details: { dagId, runId, state } });
}
