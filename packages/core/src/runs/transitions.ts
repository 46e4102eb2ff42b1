import { DomainError } from '../errors.ts';
import { storableText } from '../storable-text.ts';
import type {
  ClaimOptions,
  Deliverable,
  Dispatch,
  Heartbeat,
  NewRun,
  Run,
  RunEvent,
  RunFailure,
} from '../ports/runs.ts';

/** Queue of runs for which no queue was chosen. */
export const DEFAULT_QUEUE = 'nrm';

/** Maximum number of attempts of a run. If the worker dies in each of them, the run fails as `crashed_repeatedly`. */
export const MAX_ATTEMPTS = 3;

/** Failure of a cancelled run. */
export const CANCELLED: RunFailure = { code: 'cancelled', message: 'The run was cancelled before it was finished.' };

/** Failure of a run whose workers died in every attempt. */
export function crashedRepeatedly({ attempt, step }: Pick<Run, 'attempt' | 'step'>): RunFailure {
  const where = step === null ? 'before its first step' : `last at step "${step}"`;
  const message = `The worker died in each of ${attempt} attempts, ${where}. See the server's log for the cause, then start the run again.`;
  return { code: 'crashed_repeatedly', message };
}

/** Failure of a run that waited for a failed run. `what` names the missing result. */
export function dependencyFailed(what: string, { id, error }: Pick<Run, 'id' | 'error'>): RunFailure {
  const cause = error === null ? 'It failed for an unknown reason.' : error.message;
  const message = storableText(`This run needs ${what}, which is missing because run ${id} failed. ${cause}`);
  return { code: 'dependency_failed', message };
}

/** Failure of a run that waits for a failed run; undefined if no run in `after` has failed. */
export function failedDependency(
  { after, awaits }: Pick<Run, 'after' | 'awaits'>,
  find: (id: string) => Pick<Run, 'id' | 'state' | 'error'> | undefined,
): RunFailure | undefined {
  for (const [index, id] of after.entries()) {
    const run = find(id);
    if (run?.state === 'failed') return dependencyFailed(awaits[index] ?? `the result of run ${id}`, run);
  }
  return undefined;
}

/** Children that end with their cancelled run, because no other unfinished run waits for them. */
export function cancelledWith<R extends Pick<Run, 'id'>>(
  cancelled: Pick<Run, 'id'>,
  { children, waiting }: { readonly children: readonly R[]; readonly waiting: readonly Pick<Run, 'id' | 'after'>[] },
): readonly R[] {
  const ending = new Set([cancelled.id, ...children.map(({ id }) => id)]);
  for (let before = 0; before !== ending.size;) {
    before = ending.size;
    const continuing = waiting.filter(({ id }) => !ending.has(id));
    for (const id of continuing.flatMap(({ after }) => after)) if (id !== cancelled.id) ending.delete(id);
  }
  return children.filter(({ id }) => ending.has(id));
}

const LONGEST_STEP = 200;

/** Step that is shown for a run that waits for other runs; null if the run does not wait. */
export function waitingStep(awaits: readonly string[]): string | null {
  if (awaits.length === 0) return null;
  const text = `waits for ${awaits.join(', ')}`;
  return text.length <= LONGEST_STEP ? text : `${text.slice(0, LONGEST_STEP - 1).toWellFormed()}…`;
}

/** The error for a circle of dependencies. */
export function waitsForItself(id: string): DomainError {
  return new DomainError('internal', `Run ${id} would wait for itself: the needs of its pipeline lead back to it.`);
}

/** The error for an idempotency key that was used with another request. */
export function keyReused(key: string): DomainError {
  const text = `The key ${JSON.stringify(key.slice(0, 64))} was used with another request before; use a new key for a new request.`;
  return new DomainError('key_reused', text);
}

const RETRY_AFTER_SECONDS = 30;

/** The error for too many unfinished runs of an owner, or of calls without account. */
export function tooManyOpen(mostOpen: number, ownerId: number | null): DomainError {
  const have = mostOpen === 1 ? '1 run is' : `${mostOpen} runs are`;
  const text =
    ownerId === null
      ? `${have} queued or running for calls without an account, which is the maximum; retry later.`
      : `${have} queued or running for this account, which is the maximum; wait until one ends, or cancel one.`;
  return new DomainError('throttled', text, { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
}

/** The error for too many unfinished runs of one address. */
export function tooManyOfAddress(most: number): DomainError {
  const have = most === 1 ? '1 run is' : `${most} runs are`;
  const text = `${have} queued or running for calls from this address, which is the maximum without the secret of the service or a token; retry later.`;
  return new DomainError('throttled', text, { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
}

/** True for an ended run. */
export function hasEnded(run: Pick<Run, 'state'>): boolean {
  return run.state === 'success' || run.state === 'failed';
}

/** True for the last state event of a run. */
export function endsRun(event: Pick<RunEvent, 'kind' | 'data'>): boolean {
  return event.kind === 'state' && (event.data['state'] === 'success' || event.data['state'] === 'failed');
}

/** Member `data` of the event with the present state of a run. */
export function stateEventData(run: Run): Readonly<Record<string, unknown>> {
  return { state: run.state, attempt: run.attempt, ...(run.error === null ? {} : { error: run.error }) };
}

/** A new run, queued at `now` (ISO 8601 UTC). */
export function queuedRun(run: NewRun, now: string): Run {
  const awaits = run.awaits ?? [];
  return {
    ...run,
    backend: run.backend ?? 'local',
    queue: run.queue ?? DEFAULT_QUEUE,
    dagId: null,
    dagRunId: null,
    runTokenHash: null,
    requestId: run.requestId ?? null,
    publishedBy: null,
    parentId: run.parentId ?? null,
    after: run.after ?? [],
    awaits,
    state: 'queued',
    progress: 0,
    step: waitingStep(awaits),
    attempt: 0,
    token: 0,
    workerId: null,
    leaseUntil: null,
    cancelRequested: false,
    error: null,
    itemIds: [],
    timings: {},
    inputs: null,
    createdAt: now,
    startedAt: null,
    finishedAt: null,
  };
}

/** True if a worker may claim the run: queued, or running with an expired lease. */
export function isClaimable(run: Run, nowMs: number): boolean {
  if (run.state === 'queued') return true;
  return run.state === 'running' && run.leaseUntil !== null && Date.parse(run.leaseUntil) <= nowMs;
}

const isAtOrchestrator = ({ backend, state }: Pick<Run, 'backend' | 'state'>): boolean =>
  backend === 'orchestrator' && state === 'running';

/** True for a local run without owner and parent. */
export const isUnowned = ({ ownerId, parentId, backend }: Pick<Run, 'ownerId' | 'parentId' | 'backend'>): boolean =>
  ownerId === null && parentId === null && backend === 'local';

/** True if a new run counts towards a limit of unfinished runs. */
export const countsAsOpen = ({ ownerId, parentId, backend = 'local' }: NewRun): boolean =>
  parentId === undefined && (ownerId !== null || backend === 'local');

/** True if a worker holds the run: the lease is valid and the run is not parked. */
export function isHeld(run: Run, nowMs: number): boolean {
  return run.workerId !== null && run.state === 'running' && !isClaimable(run, nowMs);
}

/** True if no worker and no orchestrator holds the run, so that a cancel ends it immediately. */
export function isFree(run: Run, nowMs: number): boolean {
  return !isHeld(run, nowMs) && !isAtOrchestrator(run);
}

/** Reason why a claimable run must end; undefined if the run may be claimed. */
export function claimRefusal(run: Run, maxAttempts: number): RunFailure | undefined {
  if (isAtOrchestrator(run)) return undefined;
  if (run.cancelRequested) return CANCELLED;
  return run.attempt >= maxAttempts ? crashedRepeatedly(run) : undefined;
}

/** The run after a claim, with a new token. Also starts an attempt, unless the run is at an orchestrator. */
export function claimedRun(run: Run, claim: Pick<ClaimOptions, 'workerId' | 'leaseMs'>, nowMs: number): Run {
  return {
    ...run,
    state: 'running',
    // The orchestrator continues the attempt, because only the process that watches the run has changed.
    attempt: isAtOrchestrator(run) ? run.attempt : run.attempt + 1,
    token: run.token + 1,
    step: run.attempt === 0 ? null : run.step,
    workerId: claim.workerId,
    leaseUntil: iso(nowMs + claim.leaseMs),
    startedAt: run.startedAt ?? iso(nowMs),
  };
}

/** The run after a heartbeat, with an extended lease and the reported progress. */
export function runAfterHeartbeat(run: Run, beat: Heartbeat, nowMs: number): Run {
  return {
    ...run,
    leaseUntil: iso(nowMs + beat.leaseMs),
    progress: Math.min(1, Math.max(0, beat.progress ?? run.progress)),
    step: beat.step ?? run.step,
  };
}

/** The run after its worker has put it back in the queue. This attempt does not count. */
export function releasedRun(run: Run): Run {
  return { ...run, state: 'queued', attempt: Math.max(0, run.attempt - 1), workerId: null, leaseUntil: null };
}

/** The parked run, which a worker may claim after the pause. */
export function parkedRun(run: Run, pauseMs: number, nowMs: number): Run {
  return { ...run, workerId: null, leaseUntil: iso(nowMs + pauseMs) };
}

/** The run with the ids of its trigger at an orchestrator. */
export function dispatchedRun(run: Run, { dagId, runTokenHash, dagRunId }: Dispatch): Run {
  return { ...run, dagId, runTokenHash, dagRunId: dagRunId ?? null };
}

/** The run after success with the result of another run. */
export function completedRun(run: Run, by: Run, now: string): Run {
  const { itemIds, timings } = by;
  return {
    ...run,
    state: 'success',
    progress: 1,
    itemIds,
    timings,
    publishedBy: by.id,
    leaseUntil: null,
    finishedAt: now,
  };
}

/** The error for ending a run with the result of an unsuccessful run. */
export function noResult(id: string, by: string): DomainError {
  return new DomainError('internal', `Run ${id} cannot take the result of run ${by}, which did not succeed.`);
}

/** The run after it ended as failed. */
export function failedRun(run: Run, error: RunFailure, now: string): Run {
  return { ...run, state: 'failed', error, leaseUntil: null, finishedAt: now };
}

/** The run after it ended successfully. */
export function succeededRun(run: Run, deliverable: Deliverable, now: string): Run {
  return {
    ...run,
    state: 'success',
    progress: 1,
    itemIds: deliverable.items.map((item) => item.id),
    timings: deliverable.timings,
    inputs: deliverable.inputs ?? null,
    leaseUntil: null,
    finishedAt: now,
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
