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

/** Callbacks of an orchestrator: our own workers compute its runs here. */
export interface Callbacks {
  /**
   * The local run that computes for the named one: started now, joined while it is running, and returned with its result afterwards. After
   * a failure a new run starts, since the orchestrator retries. Undefined if the token does not belong to an open stored run.
   */
  begin(callback: Callback): Promise<Run | undefined>;
  /** As `begin`, after the run has ended. Rejects with the signal's reason when that aborts first; the run continues. */
  execute(callback: Callback & { readonly signal: AbortSignal }): Promise<Run | undefined>;
}

/** Dependencies of callbacks. */
export interface CallbackDeps {
  readonly runs: Pick<RunStore, 'get' | 'list' | 'enqueue' | 'requestCancel' | 'appendEvent'>;
  readonly waitFor: (runId: string, signal: AbortSignal) => Promise<Run>;
  readonly now: () => Date;
}

// Owner id of the request keys that count callbacks: no account has this id.
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

/** True if a token has this digest; a wrong token always takes the same time. */
export async function isTokenOf(runToken: string, hash: string): Promise<boolean> {
  const digest = await sha256(runToken);
  let different = digest.length ^ hash.length;
  for (let at = 0; at < digest.length; at++) different |= digest.charCodeAt(at) ^ hash.charCodeAt(at);
  return different === 0;
}

/** The runs that compute or computed for an orchestrated run, newest first. */
export async function computedFor({ runs }: Pick<CallbackDeps, 'runs'>, id: string): Promise<readonly Run[]> {
  const children = (await runs.list({ parentId: id, limit: MAX_LISTED, offset: 0 })).runs;
  // Runs that make the needs of the orchestrated run are its children too, but make other results. They are older than every callback, so
  // they do not push a computing run off the page.
  return children.filter(({ fingerprint }) => fingerprint === callbackFingerprint(id));
}

/** Fingerprint of the runs that compute for this run: one at a time is in flight. */
export const callbackFingerprint = (id: string): string => `callback:${id}`;

async function begin(deps: CallbackDeps, { jobId, runToken }: Callback): Promise<Run | undefined> {
  const job = isRunId(jobId) ? await deps.runs.get(jobId) : undefined;
  if (job?.backend !== 'orchestrator' || job.runTokenHash === null) return undefined;
  if (!(await isTokenOf(runToken, job.runTokenHash)) || !isOpen(job)) return undefined;
  const earlier = await computedFor(deps, jobId);
  const succeeded = earlier.find(({ state }) => state === 'success');
  if (succeeded !== undefined) return succeeded;
  const failed = earlier.filter(({ state }) => state === 'failed').length;
  // The key makes two concurrent callbacks share a run, even if the run of the first ends before the second starts.
  const key = { ownerId: CALLBACK_OWNER, key: `${jobId} ${failed}`, request: 'callback' };
  const { run, joined } = await deps.runs.enqueue(computingRun(job, deps.now()), { key });
  if (!joined)
    await deps.runs.appendEvent(jobId, { kind: 'log', data: { message: `called back: run ${run.id} computes` } });
  return await unlessClosed(deps, job, run);
}

const isOpen = (job: Run): boolean => !hasEnded(job) && !job.cancelRequested;

/** If the job ended while its run was being stored, cancels that run too. */
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
