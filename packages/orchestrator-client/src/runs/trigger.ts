import { pages } from '../api/paged.ts';
import {
  type AnyOrchestratorError,
  invalidRequest,
  isOrchestratorError,
  isPassing,
  isWorthWaiting,
  OrchestratorError,
} from '../errors.ts';
import { aborted, pauseUnlessAborted } from '../http/aborted.ts';
import { askedBy } from '../http/retry.ts';
import { checkOwnRunId } from '../ids.ts';
import type { DagRun } from '../model/orchestrator.ts';
import { OrchestratorClock } from './orchestrator-clock.ts';
import { untilStored } from './until-stored.ts';
import { pollPause, type Work } from './until-stored.ts';

/** True where two values are the same JSON; members in any order. */
function isSameJson(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** What a run is started with. */
export interface TriggerOptions {
  /** A run id of the caller; absent = the orchestrator mints one. */
  readonly runId?: string | undefined;
  /** Ends the trigger before it is sent and between attempts; one that is under way is waited for, since it may start a run all the same. */
  readonly signal?: AbortSignal | undefined;
}

type Conf = Readonly<Record<string, unknown>>;
type Order = { readonly dagId: string; readonly conf: Conf } & TriggerOptions;
/** An order, and our time when it was first sent. */
type Attempt = Order & { readonly began: number };

/** How many of the latest runs are searched for one whose trigger's answer was lost just now. */
const RECENT_RUNS = 1000;
/** Clocks of the machines that store a time and read it may differ so much, ms. */
const CLOCKS_APART_MS = 10 * 60_000;
/** Looks at the recent runs before a trigger is sent again: the lost request may still be at work. */
const LOOKS = 2;

/** Starts one run, or adopts the one that an earlier attempt has started; throws `OrchestratorError`. */
export async function triggerRun(work: Work, order: Order): Promise<DagRun> {
  checkConf(order.conf);
  if (order.runId !== undefined) checkOwnRunId(order.runId);
  await unpauseIfNeeded(work, order);
  const { attempts, clock } = work.settings;
  const first: Attempt = { ...order, began: clock.now() };
  for (let attempt = 1; ; attempt++) {
    const run = await triggerOnce(work, first, attempt >= attempts);
    if (!isOrchestratorError(run)) return run;
    await pauseUnlessAborted(clock.sleep(askedBy(run) ?? 0, order.signal), order.signal);
    await pollPause(work, order.signal);
  }
}

/** One POST; a failure = it has certainly started no run, and it is not the last. */
async function triggerOnce(work: Work, order: Attempt, isLast: boolean): Promise<DagRun | AnyOrchestratorError> {
  const { dagId, signal } = order;
  if (signal?.aborted === true) throw aborted(signal.reason);
  try {
    // Without the signal: a caller that hangs up does not keep the orchestrator from starting the run, and then nobody would know of it.
    const run = await work.api.trigger(dagId, order);
    if (await untilStored(work, run, { isAsExpected: () => true })) return run;
    throw neverStored(run);
  } catch (error) {
    const adopted = await adopt(work, order, error);
    if (adopted !== undefined) return adopted;
    if (isLast || !isOrchestratorError(error)) throw error;
    return error;
  }
}

/**
 * After a trigger that failed: the run that it may have started all the same. Undefined = there is none, it may be sent again.
 * Rethrows where sending it again cannot help.
 */
async function adopt(work: Work, order: Attempt, error: unknown): Promise<DagRun | undefined> {
  const isTaken = isOrchestratorError(error, 'conflict');
  if (!isLost(error) && !isTaken) throw error;
  // Neither has started a run: too many requests, or a logical date of the same microsecond.
  if (isOrchestratorError(error, 'throttled') && error.details.status === 429) return undefined;
  if (isTaken && order.runId === undefined) return undefined;
  return order.runId === undefined
    ? findByJob(work, order, error)
    : findOwn(work, { ...order, runId: order.runId }, error);
}

/** True where a run may have been started though nobody told its id: no answer, or one of success that cannot be read. */
function isLost(error: unknown): boolean {
  if (isPassing(error)) return true;
  if (!isOrchestratorError(error, 'not_json') && !isOrchestratorError(error, 'too_large')) return false;
  const { method, path, status } = error.details;
  return method === 'POST' && path.endsWith('/dagRuns') && status !== null && status < 400;
}

/** By the caller's own run id: the same run where its conf is the same, else somebody else's. */
async function findOwn(
  { api }: Work,
  { dagId, runId, conf, signal }: Order & { readonly runId: string },
  error: unknown,
): Promise<DagRun | undefined> {
  try {
    const run = await api.run({ dagId, runId }, signal);
    if (isSameJson(run.conf, conf)) return run;
  } catch (missing) {
    if (!isOrchestratorError(missing, 'unknown_run')) throw missing;
    if (isLost(error)) return undefined;
  }
  throw error;
}

/** By `conf.job_id` among the latest runs of the DAG. */
async function findByJob(
  work: Work,
  { dagId, conf, signal, began }: Attempt,
  error: unknown,
): Promise<DagRun | undefined> {
  const { jobKey, clock, patienceMs } = work.settings;
  const job = conf[jobKey];
  if (typeof job !== 'string' && typeof job !== 'number') throw unknown(dagId, null, { jobKey, cause: error });
  const isWanted = (run: DagRun): boolean => run.conf[jobKey] === job;
  // By times that the orchestrator itself wrote: the `Date` of an answer may be a proxy's, and two runs would come of one job.
  const orchestrator = new OrchestratorClock();
  const areOld = (runs: readonly DagRun[], asked: number): boolean => {
    for (const run of runs) orchestrator.observe(run, asked);
    return runs.every((run) => orchestrator.isBefore(run, began, CLOCKS_APART_MS));
  };
  // A job that is started again after its run failed has two runs: only one that was made since can be this trigger's.
  const isOfEarlier = async (run: DagRun): Promise<boolean> => {
    const asked = clock.now();
    orchestrator.observeWritten(await heartbeat(work, signal), asked);
    return orchestrator.isBefore(run, began, CLOCKS_APART_MS);
  };
  const patienceEnds = clock.now() + patienceMs;
  for (let look = 1; look <= LOOKS;) {
    if (look > 1) await pollPause(work, signal);
    try {
      const found = await searchRecent(work, { dagId, signal, areOld, most: RECENT_RUNS }, isWanted);
      if (found !== undefined && !(await isOfEarlier(found))) return found;
      look += 1;
    } catch (cause) {
      if (!isWorthWaiting(cause)) throw cause;
      if (clock.now() >= patienceEnds) throw unknown(dagId, String(job), { jobKey, cause });
      await pollPause(work, signal);
    }
  }
  return undefined;
}

/** A time that the orchestrator wrote just now; null where it does not tell. */
async function heartbeat({ api }: Work, signal: AbortSignal | undefined): Promise<string | null> {
  try {
    return (await api.health({ signal, attempts: 1 })).latestSchedulerHeartbeat;
  } catch (error) {
    if (isOrchestratorError(error, 'aborted')) throw error;
    return null;
  }
}

/** What is searched for, and how far back. */
export interface JobSearch {
  /** No earlier run can be it, by the caller's clock: all runs since then are searched. Absent: the latest 1,000. */
  readonly since?: Date | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The run that an earlier process may have started for a job: by `conf` of the DAG's runs, the latest first. */
export async function findRunOfJob(
  work: Work,
  { dagId, jobId, since, signal }: { readonly dagId: string; readonly jobId: string } & JobSearch,
): Promise<DagRun | undefined> {
  const { jobKey, clock } = work.settings;
  const { transport } = await work.api.connect();
  const ahead = (transport.serverTime() ?? clock.now()) - clock.now();
  const least = since === undefined ? null : since.getTime() + ahead - CLOCKS_APART_MS;
  const areOld = (runs: readonly DagRun[]): boolean =>
    least !== null && runs.every(({ createdDate }) => createdDate !== null && Date.parse(createdDate) < least);
  const most = since === undefined ? RECENT_RUNS : Number.POSITIVE_INFINITY;
  return await searchRecent(work, { dagId, signal, areOld, most }, ({ conf }) => isJob(conf[jobKey], jobId));
}

/** A job may be named by a number, which a caller that goes on after a crash knows as a text. */
const isJob = (named: unknown, jobId: string): boolean =>
  typeof named === 'number' ? String(named) === jobId : named === jobId;

interface Search extends Pick<Order, 'dagId' | 'signal'> {
  /** True for runs that were certainly all made before what is searched for; `asked`: our time when they were asked for. */
  readonly areOld: (runs: readonly DagRun[], asked: number) => boolean;
  readonly most: number;
}

async function searchRecent(
  { api, settings }: Work,
  { dagId, signal, areOld, most }: Search,
  isWanted: (run: DagRun) => boolean,
): Promise<DagRun | undefined> {
  let [seen, asked] = [0, settings.clock.now()];
  for await (const { entries } of pages((offset) => api.runs(dagId, { order: '-id', offset }, signal))) {
    const found = entries.find(isWanted);
    if (found !== undefined) return found;
    seen += entries.length;
    // Scheduled runs carry the date of their interval; one triggered run may carry any date, a page of them does not.
    const triggered = entries.filter(({ runType }) => runType === 'manual');
    if (seen >= most || (triggered.length > 0 && areOld(triggered, asked))) return undefined;
    asked = settings.clock.now();
  }
  return undefined;
}

function unknown(
  dagId: string,
  jobId: string | null,
  { jobKey, cause }: { jobKey: string; cause: unknown },
): OrchestratorError<'trigger_unknown'> {
  const why =
    jobId === null
      ? `its conf has no ${jobKey} to find it by`
      : `the recent runs could not be searched for ${jobKey} ${jobId}`;
  const message =
    `the answer to the trigger of DAG ${dagId} was lost and ${why}, so it was not sent again: a run may have been started. ` +
    `Look at the DAG's latest runs; give conf.${jobKey} or a run id of your own to have this settled by itself.`;
  return new OrchestratorError('trigger_unknown', message, { details: { dagId, jobId }, cause });
}

function neverStored({ dagId, runId }: DagRun): OrchestratorError<'trigger_unknown'> {
  const message = `the orchestrator answered that it had started run ${runId} of DAG ${dagId}, but does not know this run: look at its database and the log of its API server`;
  return new OrchestratorError('trigger_unknown', message, { details: { dagId, jobId: null } });
}

async function unpauseIfNeeded({ api, settings }: Work, { dagId, signal }: Order): Promise<void> {
  if (settings.unpause === 'never') return;
  const { isPaused } = await api.dag(dagId, { signal });
  if (!isPaused) return;
  if (settings.unpause === 'error')
    throw new OrchestratorError(
      'paused',
      `DAG ${dagId} is paused, its runs would stay queued: unpause it in the orchestrator, or let this client do it (unpause: 'auto')`,
      {
        details: { dagId },
      },
    );
  await api.setPaused(dagId, false, signal);
}

function checkConf(conf: Conf): void {
  if (typeof conf !== 'object' || conf === null || Array.isArray(conf))
    throw invalidRequest('conf', 'is no object; the orchestrator takes an object of parameters');
  try {
    JSON.stringify(conf);
  } catch (error) {
    throw invalidRequest(
      'conf',
      `cannot be written as JSON (${error instanceof Error ? error.message : String(error)}); give plain data`,
    );
  }
}
