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

/** The queue of runs that name none. */
export const DEFAULT_QUEUE = 'nrm';

/** How often a run is tried before it counts as `crashed_repeatedly`. */
export const MAX_ATTEMPTS = 3;

/** Failure of a run that somebody cancelled. */
export const CANCELLED: RunFailure = { code: 'cancelled', message: 'The run was cancelled before it was finished.' };

/** Failure of a run whose workers died in every attempt. */
export function crashedRepeatedly({ attempt, step }: Pick<Run, 'attempt' | 'step'>): RunFailure {
  const where = step === null ? 'before its first step' : `last at step "${step}"`;
  const message = `The worker died in each of ${attempt} attempts, ${where}. See the server's log for the cause, then start the run again.`;
  return { code: 'crashed_repeatedly', message };
}

/** Failure of a run that waited for another one, which failed. `what` is what that one was to make. */
export function dependencyFailed(what: string, { id, error }: Pick<Run, 'id' | 'error'>): RunFailure {
  const cause = error === null ? 'It failed without a reason.' : error.message;
  const message = storableText(`${what} was not made, which this run needs: run ${id} ended. ${cause}`);
  return { code: 'dependency_failed', message };
}

/** Failure of a run that waits for one of these, where one has failed: of the first. */
export function failedDependency(
  { after, awaits }: Pick<Run, 'after' | 'awaits'>,
  find: (id: string) => Pick<Run, 'id' | 'state' | 'error'> | undefined,
): RunFailure | undefined {
  for (const [index, id] of after.entries()) {
    const run = find(id);
    if (run?.state === 'failed') return dependencyFailed(awaits[index] ?? `Run ${id}`, run);
  }
  return undefined;
}

/** Of the runs that a cancelled one asked for, those that end with it: no run waits for them but such as end too. */
export function cancelledWith<R extends Pick<Run, 'id'>>(
  cancelled: Pick<Run, 'id'>,
  { children, waiting }: { readonly children: readonly R[]; readonly waiting: readonly Pick<Run, 'id' | 'after'>[] },
): readonly R[] {
  const ending = new Set([cancelled.id, ...children.map(({ id }) => id)]);
  for (let before = 0; before !== ending.size;) {
    before = ending.size;
    const goingOn = waiting.filter(({ id }) => !ending.has(id));
    for (const id of goingOn.flatMap(({ after }) => after)) if (id !== cancelled.id) ending.delete(id);
  }
  return children.filter(({ id }) => ending.has(id));
}

const LONGEST_STEP = 200;

/** The step of a run that waits; null for one that does not. */
export function waitingStep(awaits: readonly string[]): string | null {
  if (awaits.length === 0) return null;
  const text = `waits for ${awaits.join(', ')}`;
  return text.length <= LONGEST_STEP ? text : `${text.slice(0, LONGEST_STEP - 1).toWellFormed()}…`;
}

/** The refusal of a run that would wait for itself. */
export function waitsForItself(id: string): DomainError {
  return new DomainError('internal', `Run ${id} would wait for itself: the needs of its pipeline lead back to it.`);
}

/** The refusal of a key that came with another request before. */
export function keyReused(key: string): DomainError {
  const text = `The key ${JSON.stringify(key.slice(0, 64))} came with another request before; use a new key for a new request.`;
  return new DomainError('key_reused', text);
}

/** Seconds after which a refused owner may ask again: a run takes minutes. */
const ASK_AGAIN_SECONDS = 30;

/** The refusal of one run more than an owner, or all calls without one together, may have queued or running. */
export function tooManyOpen(mostOpen: number, ownerId: number | null): DomainError {
  const have = mostOpen === 1 ? '1 run is' : `${mostOpen} runs are`;
  const text =
    ownerId === null
      ? `${have} queued or running for calls without an account, which is the most at a time; ask again later.`
      : `${have} queued or running for this account, which is the most at a time; wait until one ends, or cancel one.`;
  return new DomainError('throttled', text, { details: { retryAfterSeconds: ASK_AGAIN_SECONDS } });
}

/** True when nothing more happens to the run. */
export function hasEnded(run: Pick<Run, 'state'>): boolean {
  return run.state === 'success' || run.state === 'failed';
}

/** True for the last state event of a run. */
export function endsRun(event: Pick<RunEvent, 'kind' | 'data'>): boolean {
  return event.kind === 'state' && (event.data['state'] === 'success' || event.data['state'] === 'failed');
}

/** `data` of the state event that tells of this run's present state. */
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

/** True when a worker may take the run at `nowMs`: queued, or running with its lease over. */
export function isClaimable(run: Run, nowMs: number): boolean {
  if (run.state === 'queued') return true;
  return run.state === 'running' && run.leaseUntil !== null && Date.parse(run.leaseUntil) <= nowMs;
}

/** True for a run that may be going on at an orchestrator: its end has to be told there first. */
const isAway = ({ backend, state }: Pick<Run, 'backend' | 'state'>): boolean =>
  backend === 'orchestrator' && state === 'running';

/** True for the run of a call that has no owner, that computes here, and that no other run asked for: all of these share a few places. */
export const isUnowned = ({ ownerId, parentId, backend }: Pick<Run, 'ownerId' | 'parentId' | 'backend'>): boolean =>
  ownerId === null && parentId === null && backend === 'local';

/** Whether a new run counts towards what its owner, or all calls without one, may have open. */
export const countsAsOpen = ({ ownerId, parentId, backend = 'local' }: NewRun): boolean =>
  parentId === undefined && (ownerId !== null || backend === 'local');

/** True while a worker has the run at `nowMs`: its lease lasts, and the run is not parked. */
export function isHeld(run: Run, nowMs: number): boolean {
  return run.workerId !== null && run.state === 'running' && !isClaimable(run, nowMs);
}

/** True when no worker has the run at `nowMs`, and no orchestrator: a cancel ends it at once. */
export function isFree(run: Run, nowMs: number): boolean {
  return !isHeld(run, nowMs) && !isAway(run);
}

/** Why a claimable run must end rather than be taken, if so. */
export function claimRefusal(run: Run, maxAttempts: number): RunFailure | undefined {
  if (isAway(run)) return undefined;
  if (run.cancelRequested) return CANCELLED;
  return run.attempt >= maxAttempts ? crashedRepeatedly(run) : undefined;
}

/** The run as a worker has just taken it: one attempt and one token further. */
export function claimedRun(run: Run, claim: Pick<ClaimOptions, 'workerId' | 'leaseMs'>, nowMs: number): Run {
  return {
    ...run,
    state: 'running',
    // Whoever watches it from now on: it goes on where it is.
    attempt: isAway(run) ? run.attempt : run.attempt + 1,
    token: run.token + 1,
    step: run.attempt === 0 ? null : run.step,
    workerId: claim.workerId,
    leaseUntil: iso(nowMs + claim.leaseMs),
    startedAt: run.startedAt ?? iso(nowMs),
  };
}

/** The run after a heartbeat: lease extended, progress as reported (a new attempt starts again from 0). */
export function runAfterHeartbeat(run: Run, beat: Heartbeat, nowMs: number): Run {
  return {
    ...run,
    leaseUntil: iso(nowMs + beat.leaseMs),
    progress: Math.min(1, Math.max(0, beat.progress ?? run.progress)),
    step: beat.step ?? run.step,
  };
}

/** The run back in the queue; the attempt does not count. */
export function releasedRun(run: Run): Run {
  return { ...run, state: 'queued', attempt: Math.max(0, run.attempt - 1), workerId: null, leaseUntil: null };
}

/** The run left alone for a pause; no worker has it. */
export function parkedRun(run: Run, pauseMs: number, nowMs: number): Run {
  return { ...run, workerId: null, leaseUntil: iso(nowMs + pauseMs) };
}

/** The run with what an orchestrator is asked. */
export function dispatchedRun(run: Run, { dagId, runTokenHash, dagRunId }: Dispatch): Run {
  return { ...run, dagId, runTokenHash, dagRunId: dagRunId ?? null };
}

/** The run ended well by what another one published. */
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

/** The refusal of a result that is none. */
export function noResult(id: string, by: string): DomainError {
  return new DomainError('internal', `Run ${id} cannot end by the result of run ${by}, which did not succeed.`);
}

/** The run ended as failed. */
export function failedRun(run: Run, error: RunFailure, now: string): Run {
  return { ...run, state: 'failed', error, leaseUntil: null, finishedAt: now };
}

/** The run ended well. */
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
