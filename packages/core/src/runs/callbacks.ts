import type { NewRun, Run, RunStore } from '../ports/runs.ts';
import { sha256 } from '../sha256.ts';
import { isRunId, newRunId } from './run-id.ts';
import { hasEnded } from './transitions.ts';

/** Credentials in a callback of an orchestrator's worker. */
export interface Callback {
  /** Run id from the trigger's conf; any text that is not a run id is refused. */
  readonly jobId: string;
  /** Token from the trigger's conf. */
  readonly runToken: string;
}

/** Callbacks of an orchestrator, by which local workers compute runs that the orchestrator started. */
export interface Callbacks {
  /**
   * Starts a local run that computes for the named run. If such a run exists, the call joins it while it is running, and returns it with
   * its result after it has succeeded. After a failure a new run starts, because the orchestrator retries. Undefined if the token does not
   * belong to an unfinished run.
   */
  begin(callback: Callback): Promise<Run | undefined>;
  /**
   * Like `begin`, and waits until the run has ended. If the signal aborts first, the call rejects with the signal's reason; the run
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

/** Owner id of the request keys of callbacks; no account has this id. */
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

/** Returns true if a token has this digest; the comparison always takes the same time. */
export async function isTokenOf(runToken: string, hash: string): Promise<boolean> {
  const digest = await sha256(runToken);
  let different = digest.length ^ hash.length;
  for (let at = 0; at < digest.length; at++) different |= digest.charCodeAt(at) ^ hash.charCodeAt(at);
  return different === 0;
}

/** Returns the runs that compute or computed for an orchestrated run, newest first. */
export async function computedFor({ runs }: Pick<CallbackDeps, 'runs'>, id: string): Promise<readonly Run[]> {
  const children = (await runs.list({ parentId: id, limit: MAX_LISTED, offset: 0 })).runs;
  // Runs that compute inputs of the orchestrated run are also its children. They are older than every callback, so a computing run is always
  // within the listed page.
  return children.filter(({ fingerprint }) => fingerprint === callbackFingerprint(id));
}

/** Fingerprint of the runs that compute for this run; equal fingerprints allow only one unfinished run at a time. */
export const callbackFingerprint = (id: string): string => `callback:${id}`;

async function begin(deps: CallbackDeps, { jobId, runToken }: Callback): Promise<Run | undefined> {
  const job = isRunId(jobId) ? await deps.runs.get(jobId) : undefined;
  if (job?.backend !== 'orchestrator' || job.runTokenHash === null) return undefined;
  if (!(await isTokenOf(runToken, job.runTokenHash)) || !isOpen(job)) return undefined;
  const earlier = await computedFor(deps, jobId);
  const succeeded = earlier.find(({ state }) => state === 'success');
  if (succeeded !== undefined) return succeeded;
  const failed = earlier.filter(({ state }) => state === 'failed').length;
  // With this key two concurrent callbacks share a run. They also share it if the run of the first callback ends before the second
  // callback would store its run.
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
