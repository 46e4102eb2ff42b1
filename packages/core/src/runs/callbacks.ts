import type { NewRun, Run, RunStore } from '../ports/runs.ts';
import { sha256 } from '../sha256.ts';
import { isRunId, newRunId } from './run-id.ts';
import { hasEnded } from './transitions.ts';

/** What an orchestrator's worker says of the run for which it calls. */
export interface Callback {
  /** As the trigger's conf had it; anything else than a run's id is nobody's. */
  readonly jobId: string;
  /** As the trigger's conf had it. */
  readonly runToken: string;
}

/** The callbacks of an orchestrator: what a run computes is computed here, by our own workers. */
export interface Callbacks {
  /**
   * The local run that computes for the named one: begun now, joined while it is at work, its result afterwards; after a failure a
   * new one, since the orchestrator tries again. Undefined where the token is not that of a stored run that is still open.
   */
  begin(callback: Callback): Promise<Run | undefined>;
  /** The same as it ended. Rejects with the signal's reason when that aborts first; the run goes on. */
  execute(callback: Callback & { readonly signal: AbortSignal }): Promise<Run | undefined>;
}

/** What callbacks stand on. */
export interface CallbackDeps {
  readonly runs: Pick<RunStore, 'get' | 'list' | 'enqueue' | 'requestCancel' | 'appendEvent'>;
  readonly waitFor: (runId: string, signal: AbortSignal) => Promise<Run>;
  readonly now: () => Date;
}

/** Owner of the keys under which callbacks are counted: no account has this id. */
const NOBODY = -1;
const MOST_TRIES = 100;

/** Builds the callbacks over the runs of a service. */
export function createCallbacks(deps: CallbackDeps): Callbacks {
  return {
    begin: (callback) => begin(deps, callback),
    execute: async ({ signal, ...callback }) => {
      const computing = await begin(deps, callback);
      return computing === undefined ? undefined : await deps.waitFor(computing.id, signal);
    },
  };
}

/** Whether a token is the one of this digest; takes as long for every wrong one. */
export async function isTokenOf(runToken: string, hash: string): Promise<boolean> {
  const given = await sha256(runToken);
  let different = given.length ^ hash.length;
  for (let at = 0; at < given.length; at++) different |= given.charCodeAt(at) ^ hash.charCodeAt(at);
  return different === 0;
}

/** The runs that compute or computed for an orchestrated one, newest first. */
export async function computedFor({ runs }: Pick<CallbackDeps, 'runs'>, id: string): Promise<readonly Run[]> {
  const children = (await runs.list({ parentId: id, limit: MOST_TRIES, offset: 0 })).runs;
  // What the run needs was asked for by it as well, and makes something else. That is older than every callback, so it takes no place of one.
  return children.filter(({ fingerprint }) => fingerprint === callbackFingerprint(id));
}

/** What makes a run that computes for this one known: one at a time is in flight. */
export const callbackFingerprint = (id: string): string => `callback:${id}`;

async function begin(deps: CallbackDeps, { jobId, runToken }: Callback): Promise<Run | undefined> {
  const job = isRunId(jobId) ? await deps.runs.get(jobId) : undefined;
  if (job?.backend !== 'orchestrator' || job.runTokenHash === null) return undefined;
  if (!(await isTokenOf(runToken, job.runTokenHash)) || !isOpen(job)) return undefined;
  const earlier = await computedFor(deps, jobId);
  const made = earlier.find(({ state }) => state === 'success');
  if (made !== undefined) return made;
  const failed = earlier.filter(({ state }) => state === 'failed').length;
  // The key decides between two callbacks at once, also where the first one's run ends before the second one asks.
  const key = { ownerId: NOBODY, key: `${jobId} ${failed}`, request: 'callback' };
  const { run, joined } = await deps.runs.enqueue(computingRun(job, deps.now()), { key });
  if (!joined)
    await deps.runs.appendEvent(jobId, { kind: 'log', data: { message: `called back: run ${run.id} computes` } });
  return await unlessClosed(deps, job, run);
}

const isOpen = (job: Run): boolean => !hasEnded(job) && !job.cancelRequested;

/** A job that ended while its run was being stored takes that with it. */
async function unlessClosed({ runs }: CallbackDeps, { id }: Run, run: Run): Promise<Run> {
  const job = await runs.get(id);
  if (job !== undefined && isOpen(job)) return run;
  return (await runs.requestCancel(run.id)) ?? run;
}

function computingRun({ id, pipeline, params, ownerId, queue, requestId }: Run, now: Date): NewRun {
  return {
    id: newRunId(now),
    pipeline,
    params,
    fingerprint: callbackFingerprint(id),
    ownerId,
    queue,
    parentId: id,
    ...(requestId === null ? {} : { requestId }),
  };
}
