import type { NewRun, Run, RunStore } from '../ports/runs.ts';
import { sha256 } from '../sha256.ts';
import { isRunId, newRunId } from './run-id.ts';
import { hasEnded } from './transitions.ts';

/** Credentials in a callback of an orchestrator's worker. */
export interface Callback {
  /** Run id from the conf of the trigger (the parameters that the orchestrator got). Any text that is not a run id is refused. */
  readonly jobId: string;
  /** Token from the trigger's conf. */
  readonly runToken: string;
}

/**
 * Callbacks of an orchestrator. With a callback, a task of the orchestrator requests that local workers compute a run that the orchestrator
 * started.
 */
export interface Callbacks {
  /**
   * Starts a local run that computes for the named run. If a local run for the named run is unfinished or has succeeded, returns that local
   * run instead. If that local run has failed, starts a new local run, because the callback is then a retry of the orchestrator. Undefined if the token
   * does not belong to an unfinished run.
   */
  begin(callback: Callback): Promise<Run | undefined>;
  /**
   * Like `begin`, but waits until the local run has ended. If the signal aborts first, rejects with the signal's reason, and the run
   * continues.
   */
  execute(callback: Callback & { readonly signal: AbortSignal }): Promise<Run | undefined>;
}

/** Dependencies of callbacks. */
export interface CallbackDeps {
  readonly runs: Pick<RunStore, 'get' | 'list' | 'enqueue' | 'requestCancel' | 'appendEvent'>;
  readonly waitFor: (runId: string, signal: AbortSignal) => Promise<Run>;
  readonly now: () => Date;
}

/** Owner id of the request keys of callbacks. No account has this id, so the keys differ from the keys of users. */
const CALLBACK_OWNER = -1;
const MAX_LISTED = 100;

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

/**
 * Returns true if a token has this digest. The comparison always takes the same time, so that the time reveals nothing about the digest.
 */
export async function isTokenOf(runToken: string, hash: string): Promise<boolean> {
  const digest = await sha256(runToken);
  let different = digest.length ^ hash.length;
  for (let at = 0; at < digest.length; at++) different |= digest.charCodeAt(at) ^ hash.charCodeAt(at);
  return different === 0;
}

/** Returns the runs that compute or computed for an orchestrated run, newest first. */
export async function computedFor({ runs }: Pick<CallbackDeps, 'runs'>, id: string): Promise<readonly Run[]> {
  const children = (await runs.list({ parentId: id, limit: MAX_LISTED, offset: 0 })).runs;
  // The children of the orchestrated run also include the runs that compute its inputs. Those runs are older than every callback, and the
  // list begins with the newest run. So the first page contains all runs that compute for a callback.
  return children.filter(({ fingerprint }) => fingerprint === callbackFingerprint(id));
}

/** Fingerprint of the runs that compute for this run. At any time only one unfinished run can have this fingerprint. */
export const callbackFingerprint = (id: string): string => `callback:${id}`;

async function begin(deps: CallbackDeps, { jobId, runToken }: Callback): Promise<Run | undefined> {
  const job = isRunId(jobId) ? await deps.runs.get(jobId) : undefined;
  if (job?.backend !== 'orchestrator' || job.runTokenHash === null) return undefined;
  if (!(await isTokenOf(runToken, job.runTokenHash)) || !isOpen(job)) return undefined;
  const earlier = await computedFor(deps, jobId);
  const succeeded = earlier.find(({ state }) => state === 'success');
  if (succeeded !== undefined) return succeeded;
  const failed = earlier.filter(({ state }) => state === 'failed').length;
  // Two concurrent callbacks have the same key, so they share one run. The key is still bound to this run if the run ends before the second
  // callback calls `enqueue`.
  const key = { ownerId: CALLBACK_OWNER, key: `${jobId} ${failed}`, request: 'callback' };
  const { run, joined } = await deps.runs.enqueue(computingRun(job, deps.now()), { key });
  if (!joined)
    await deps.runs.appendEvent(jobId, { kind: 'log', data: { message: `callback: run ${run.id} computes this run` } });
  return await unlessClosed(deps, job, run);
}

const isOpen = (job: Run): boolean => !hasEnded(job) && !job.cancelRequested;

/**
 * Returns `run`, which computes for the orchestrated run `id`. If the orchestrated run ended while `run` was being
 * stored, cancels `run` first.
 */
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
