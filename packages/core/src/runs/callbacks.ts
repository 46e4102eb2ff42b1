import type { NewRun, Run, RunStore } from '../ports/runs.ts';
import { sha256 } from '../sha256.ts';
import { isRunId, newRunId } from './run-id.ts';
import { hasEnded } from './transitions.ts';

/** Credentials in a callback of an orchestrator's worker. */
export interface Callback {
  /** Run id from the conf (parameters) of the trigger. */
  readonly jobId: string;
  /** Token from the trigger's conf. */
  readonly runToken: string;
}

/** Callbacks of an orchestrator's tasks, which let local workers compute a run that the orchestrator started. */
export interface Callbacks {
  /**
   * Starts a local run that computes the orchestrator's run. If an earlier callback started one that has not failed,
   * returns that run. Undefined if the token belongs to no unfinished run, or if a cancel of this run was requested.
   */
  begin(callback: Callback): Promise<Run | undefined>;
  /** Like `begin`, but waits for the end of the local run. Rejects if the signal aborts; the run then continues. */
  execute(callback: Callback & { readonly signal: AbortSignal }): Promise<Run | undefined>;
}

/** Dependencies of callbacks. */
export interface CallbackDeps {
  readonly runs: Pick<RunStore, 'get' | 'list' | 'enqueue' | 'requestCancel' | 'appendEvent'>;
  readonly waitFor: (runId: string, signal: AbortSignal) => Promise<Run>;
  readonly now: () => Date;
}

/** Owner of the idempotency keys of callbacks. No account has this id, so these keys differ from the keys of users. */
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

/** Returns true if a token has this digest, in constant time. */
export async function isTokenOf(runToken: string, hash: string): Promise<boolean> {
  const digest = await sha256(runToken);
  let different = digest.length ^ hash.length;
  for (let at = 0; at < digest.length; at++) different |= digest.charCodeAt(at) ^ hash.charCodeAt(at);
  return different === 0;
}

/** Returns the runs that compute for an orchestrated run, newest first. */
export async function computedFor({ runs }: Pick<CallbackDeps, 'runs'>, id: string): Promise<readonly Run[]> {
  const children = (await runs.list({ parentId: id, limit: MAX_LISTED, offset: 0 })).runs;
  // The first page is enough, because the newest runs are first. The other children compute inputs and are older
  // than every callback.
  return children.filter(({ fingerprint }) => fingerprint === callbackFingerprint(id));
}

/** Returns the fingerprint of the runs that compute for this run; only one of them can be unfinished. */
export const callbackFingerprint = (id: string): string => `callback:${id}`;

async function begin(deps: CallbackDeps, { jobId, runToken }: Callback): Promise<Run | undefined> {
  const job = isRunId(jobId) ? await deps.runs.get(jobId) : undefined;
  if (job?.backend !== 'orchestrator' || job.runTokenHash === null) return undefined;
  if (!(await isTokenOf(runToken, job.runTokenHash)) || !isOpen(job)) return undefined;
  const earlier = await computedFor(deps, jobId);
  const succeeded = earlier.find(({ state }) => state === 'success');
  if (succeeded !== undefined) return succeeded;
  const failed = earlier.filter(({ state }) => state === 'failed').length;
  // Concurrent callbacks have an equal key, so they share one run.
  const key = { ownerId: CALLBACK_OWNER, key: `${jobId} ${failed}`, request: 'callback' };
  const { run, joined } = await deps.runs.enqueue(computingRun(job, deps.now()), { key });
  if (!joined)
    await deps.runs.appendEvent(jobId, {
      kind: 'log',
      data: { message: `the workflow called back: run ${run.id} computes the result of this run` },
    });
  return await unlessClosed(deps, job, run);
}

const isOpen = (job: Run): boolean => !hasEnded(job) && !job.cancelRequested;

/** Cancels `run` if the orchestrated run ended meanwhile. */
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
