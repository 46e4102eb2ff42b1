import { pages } from '../api/paged.ts';
import {
  type AnyOrchestratorError,
  invalidRequest,
  isNotOffered,
  isOrchestratorError,
  isTransient,
  isWorthRetrying,
  OrchestratorError,
  withNote,
} from '../errors.ts';
import { aborted, pauseUnlessAborted } from '../http/aborted.ts';
import { retryAfterOf } from '../http/retry.ts';
import { checkOwnRunId } from '../ids.ts';
import type { DagRun } from '../model/orchestrator.ts';
import { OrchestratorClock } from './orchestrator-clock.ts';
import { unpauseIfNeeded } from './unpause.ts';
import { untilStored } from './until-stored.ts';
import { pollPause, type Work } from './until-stored.ts';

/** True for equal JSON with members in any order. */
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

/** Options of a trigger. */
export interface TriggerOptions {
  /** Run id of the caller. Default: the orchestrator creates an id. */
  readonly runId?: string | undefined;
  /**
   * Aborts before the request and between attempts. A request that was sent is not aborted, because it may start a run.
   */
  readonly signal?: AbortSignal | undefined;
}

type Conf = Readonly<Record<string, unknown>>;
type TriggerRequest = { readonly dagId: string; readonly conf: Conf } & TriggerOptions;
/** A trigger request. `began`: time of its first attempt by this machine's clock. */
type Attempt = TriggerRequest & { readonly began: number };

/** Maximum number of latest runs that are searched after a lost response. */
const RECENT_RUNS = 1000;
/** Assumed maximum difference between the clocks of two machines, ms. */
const CLOCKS_APART_MS = 10 * 60_000;
/** Longest search for a lost run, ms, if no request for a list ever got a response: lists may not be offered. */
const UNPROVEN_SEARCH_MS = 60_000;
/** Number of searches before a retry of a trigger. One is not enough: the lost request may still be in progress. */
const SEARCHES = 2;

/** Starts one run, or finds the run of an earlier attempt; throws `OrchestratorError`. */
export async function triggerRun(work: Work, request: TriggerRequest): Promise<DagRun> {
  checkConf(request.conf);
  if (request.runId !== undefined) checkOwnRunId(request.runId);
  const refusal = await unpauseIfNeeded(work, request);
  try {
    return await triggerRepeatedly(work, request);
  } catch (error) {
    if (refusal === undefined || !isOrchestratorError(error) || isOrchestratorError(error, 'aborted')) throw error;
    throw withNote(error, `Before the trigger the orchestrator refused to unpause the DAG: ${refusal.message}`);
  }
}

async function triggerRepeatedly(work: Work, request: TriggerRequest): Promise<DagRun> {
  const { attempts, clock } = work.settings;
  const first: Attempt = { ...request, began: clock.now() };
  for (let attempt = 1; ; attempt++) {
    const run = await triggerOnce(work, first, attempt >= attempts);
    if (!isOrchestratorError(run)) return run;
    await pauseUnlessAborted(clock.sleep(retryAfterOf(run) ?? 0, request.signal), request.signal);
    await pollPause(work, request.signal);
  }
}

/** Sends a trigger. Returns the run, or the error if a retry is safe (no run was started or found) and permitted. */
async function triggerOnce(work: Work, request: Attempt, isLast: boolean): Promise<DagRun | AnyOrchestratorError> {
  const { dagId, signal } = request;
  if (signal?.aborted === true) throw aborted(signal.reason);
  try {
    // The request is sent without the signal, because an aborted request may still start a run with an unknown id.
    const run = await work.api.trigger(dagId, request);
    if (await untilStored(work, run, { isAsExpected: () => true })) return run;
    throw neverStored(run);
  } catch (error) {
    const adopted = await adopt(work, request, error);
    if (adopted !== undefined) return adopted;
    if (isLast || !isOrchestratorError(error)) throw error;
    return error;
  }
}

/**
 * Finds the run that a failed trigger may have started; undefined if the trigger may be retried. Rethrows an error
 * after which a retry would also fail.
 */
async function adopt(work: Work, request: Attempt, error: unknown): Promise<DagRun | undefined> {
  const isTaken = isOrchestratorError(error, 'conflict');
  if (!isLost(error) && !isTaken) throw error;
  // A 429, or a conflict of two logical dates in the same microsecond, means that no run was started.
  if (isOrchestratorError(error, 'throttled') && error.details.status === 429) return undefined;
  if (isTaken && request.runId === undefined) return undefined;
  return request.runId === undefined
    ? findByJob(work, request, error)
    : findOwn(work, { ...request, runId: request.runId }, error);
}

/** True if a run may have been started: no response, a transient status, or an unreadable response below 400. */
function isLost(error: unknown): boolean {
  if (isTransient(error)) return true;
  if (!isOrchestratorError(error, 'not_json') && !isOrchestratorError(error, 'too_large')) return false;
  const { method, path, status } = error.details;
  return method === 'POST' && path.endsWith('/dagRuns') && status !== null && status < 400;
}

/**
 * Run with the caller's id, if any. Throws if its conf belongs to another trigger. If the version is unknown, a 404
 * proves nothing: the orchestrator may have started the run under another id.
 */
async function findOwn(
  { api }: Work,
  { dagId, runId, conf, signal }: TriggerRequest & { readonly runId: string },
  error: unknown,
): Promise<DagRun | undefined> {
  try {
    const run = await api.run({ dagId, runId }, { signal });
    if (isSameJson(run.conf, conf)) return run;
  } catch (missing) {
    const keepsIds = api.hasAnswered('version');
    if (isLost(error) && isNotOffered(missing) && !keepsIds) throw unknownOwn({ dagId, runId }, error);
    if (!isOrchestratorError(missing, 'unknown_run')) throw missing;
    if (isLost(error)) return undefined;
  }
  throw error;
}

/** Run with the job id of the trigger (`conf[jobKey]`) among the latest runs. */
async function findByJob(
  work: Work,
  { dagId, conf, signal, began }: Attempt,
  error: unknown,
): Promise<DagRun | undefined> {
  const { jobKey, clock, patienceMs } = work.settings;
  const isProven = work.api.hasAnswered('runs');
  const job = conf[jobKey];
  if (typeof job !== 'string' && typeof job !== 'number') throw unknown(dagId, null, { jobKey, cause: error });
  const isWanted = (run: DagRun): boolean => run.conf[jobKey] === job;
  // The `Date` of a response is not used. With a proxy's wrong clock, the run would look too old, and a second run
  // would be started.
  const orchestrator = new OrchestratorClock();
  const areOld = (runs: readonly DagRun[], requestedAt: number): boolean => {
    for (const run of runs) orchestrator.observe(run, requestedAt);
    return runs.every((run) => orchestrator.isBefore(run, began, CLOCKS_APART_MS));
  };
  // A restarted job has several runs with its id; older runs do not belong to this trigger.
  const isOlder = async (run: DagRun): Promise<boolean> => {
    const requestedAt = clock.now();
    orchestrator.observeWritten(await heartbeat(work, signal), requestedAt);
    return orchestrator.isBefore(run, began, CLOCKS_APART_MS);
  };
  const givesUpAt = clock.now() + (isProven ? patienceMs : Math.min(patienceMs, UNPROVEN_SEARCH_MS));
  for (let search = 1; search <= SEARCHES;) {
    if (search > 1) await pollPause(work, signal);
    try {
      const found = await searchRecent(work, { dagId, signal, areOld, most: RECENT_RUNS }, isWanted);
      if (found !== undefined && !(await isOlder(found))) return found;
      search += 1;
    } catch (cause) {
      if (!isWorthRetrying(cause) && !isNotOffered(cause)) throw cause;
      if (!isWorthRetrying(cause) || clock.now() >= givesUpAt) throw unknown(dagId, String(job), { jobKey, cause });
      await pollPause(work, signal);
    }
  }
  return undefined;
}

async function heartbeat({ api }: Work, signal: AbortSignal | undefined): Promise<string | null> {
  try {
    return (await api.health({ signal, attempts: 1 })).latestSchedulerHeartbeat;
  } catch (error) {
    if (isOrchestratorError(error, 'aborted')) throw error;
    return null;
  }
}

/** Limits of a search for a job's run. */
export interface JobSearch {
  /** Earliest creation of the run by the caller's clock. If absent, only the latest 1,000 runs are searched. */
  readonly since?: Date | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds the run that an earlier process may have started for a job, by the job id in its conf (`conf[jobKey]`). The
 * latest runs are searched first.
 */
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

/** True if the conf names this job. The job id in the conf may be a number, because the trigger accepts numbers. */
const isJob = (named: unknown, jobId: string): boolean =>
  typeof named === 'number' ? String(named) === jobId : named === jobId;

interface Search extends Pick<TriggerRequest, 'dagId' | 'signal'> {
  /**
   * True if all runs are certainly older than the wanted run. `requestedAt`: time of the list request on this machine.
   */
  readonly areOld: (runs: readonly DagRun[], requestedAt: number) => boolean;
  readonly most: number;
}

async function searchRecent(
  { api, settings }: Work,
  { dagId, signal, areOld, most }: Search,
  isWanted: (run: DagRun) => boolean,
): Promise<DagRun | undefined> {
  let [seen, requestedAt] = [0, settings.clock.now()];
  for await (const { entries } of pages((offset) => api.runs(dagId, { order: '-id', offset }, { signal }))) {
    const found = entries.find(isWanted);
    if (found !== undefined) return found;
    seen += entries.length;
    // Only triggered runs show the age of a page, because the date of a scheduled run is the date of its interval.
    const triggered = entries.filter(({ runType }) => runType === 'manual');
    if (seen >= most || (triggered.length > 0 && areOld(triggered, requestedAt))) return undefined;
    requestedAt = settings.clock.now();
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
      ? `the trigger's conf has no ${jobKey} by which the run could be found`
      : `the recent runs could not be searched for ${jobKey} ${jobId}`;
  const message =
    `the response to the trigger of DAG ${dagId} was lost, and ${why}. A run may have been started, so the trigger was not retried. ` +
    `Check the DAG's latest runs; set conf.${jobKey} or a run id so that this client can find the run itself.`;
  return new OrchestratorError('trigger_unknown', message, { details: { dagId, jobId }, cause });
}

function unknownOwn(
  { dagId, runId }: { readonly dagId: string; readonly runId: string },
  cause: unknown,
): OrchestratorError<'trigger_unknown'> {
  const message =
    `the response to the trigger of DAG ${dagId} was lost and the orchestrator returns no run ${runId}; the orchestrator may have started the run under another id, so the ` +
    "trigger was not retried. Check the DAG's latest runs before you start it again.";
  return new OrchestratorError('trigger_unknown', message, { details: { dagId, jobId: null }, cause });
}

function neverStored({ dagId, runId }: DagRun): OrchestratorError<'trigger_unknown'> {
  const message = `the orchestrator confirmed the start of run ${runId} of DAG ${dagId}, but does not know this run: check its database and the log of its API server`;
  return new OrchestratorError('trigger_unknown', message, { details: { dagId, jobId: null } });
}

function checkConf(conf: Conf): void {
  if (typeof conf !== 'object' || conf === null || Array.isArray(conf))
    throw invalidRequest('conf', 'is not an object; give an object of parameters');
  try {
    JSON.stringify(conf);
  } catch (error) {
    throw invalidRequest(
      'conf',
      `cannot be written as JSON (${error instanceof Error ? error.message : String(error)}); give plain data`,
    );
  }
}
