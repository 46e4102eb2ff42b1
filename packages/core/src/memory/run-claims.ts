import type { ClaimOptions, Heartbeat, QueueState, Run, RunFailure, RunStore, WriteOutcome } from '../ports/runs.ts';
import { adoptable } from '../runs/own-queues.ts';
import {
  runAfterHeartbeat,
  CANCELLED,
  cancelledWith,
  claimedRun,
  claimRefusal,
  dispatchedRun,
  failedDependency,
  failedRun,
  hasEnded,
  isClaimable,
  isFree,
  isHeld,
  isUnowned,
  parkedRun,
  releasedRun,
} from '../runs/transitions.ts';
import { copy } from './copy.ts';
import { openRuns, type RunTable } from './run-table.ts';

/** Ends a run that no worker and no orchestrator holds. Otherwise requests the end of the run. */
export function requestStop(table: RunTable, run: Run): Run {
  if (isFree(run, table.nowMs())) return table.change(failedRun(run, CANCELLED, table.now()));
  const wanted = { ...run, cancelRequested: true };
  table.runs.set(run.id, wanted);
  return wanted;
}

/**
 * Stops the unfinished runs that a run requested, directly or indirectly. Such a run continues if another unfinished
 * run, which is not stopped, waits for it.
 */
export function stopChildren(table: RunTable, run: Pick<Run, 'id'>): void {
  const waiting = openRuns(table);
  const below = new Set([run.id]);
  // A run is stored before the runs that it requests, so one pass is enough.
  for (const { id, parentId } of waiting) if (parentId !== null && below.has(parentId)) below.add(id);
  const children = waiting.filter(({ id }) => id !== run.id && below.has(id));
  for (const child of cancelledWith(run, { children, waiting })) requestStop(table, child);
}

/** Methods of the run store for workers, in memory. */
export function memoryClaims(
  table: RunTable,
): Pick<
  RunStore,
  | 'claim'
  | 'queueState'
  | 'adoptAbandoned'
  | 'heartbeat'
  | 'heartbeats'
  | 'progressOf'
  | 'fail'
  | 'release'
  | 'park'
  | 'dispatch'
> {
  return {
    claim: async (options) => copy(claim(table, options)),
    queueState: async (queue) => queueState(table, queue),
    adoptAbandoned: async (by) => {
      const taken = adoptable([...table.runs.values()], by, table.nowMs());
      for (const run of taken) table.runs.set(run.id, { ...run, queue: by.queue });
      return taken.length;
    },
    heartbeat: async (id, token, beat) => heartbeat(table, { id, token }, beat),
    heartbeats: async (beats, leaseMs) => beats.map((beat) => heartbeat(table, beat, { ...beat, leaseMs })),
    progressOf: async (fingerprints) => {
      const wanted = new Set(fingerprints);
      return [...table.runs.values()]
        .filter((run) => wanted.has(run.fingerprint) && run.state === 'running' && !run.cancelRequested)
        .map(({ fingerprint, progress, step }) => ({ fingerprint, progress, step }));
    },
    fail: async (id, token, failure) =>
      table.write(id, token, (run) => {
        table.change(failedRun(run, copy(failure), table.now()));
        stopChildren(table, run);
        return 'ok';
      }),
    release: async (id, token) =>
      table.write(id, token, (run) => {
        if (run.cancelRequested) return endCancelled(table, run);
        table.change(releasedRun(run));
        return 'ok';
      }),
    park: async (id, token, pauseMs) =>
      table.write(id, token, (run) => {
        if (run.cancelRequested) return endCancelled(table, run);
        table.runs.set(id, parkedRun(run, pauseMs, table.nowMs()));
        return 'ok';
      }),
    dispatch: async (id, token, dispatch) =>
      table.write(id, token, (run) => {
        table.runs.set(id, dispatchedRun(run, copy(dispatch)));
        return run.cancelRequested ? 'cancelled' : 'ok';
      }),
  };
}

function endCancelled(table: RunTable, run: Run): WriteOutcome {
  table.change(failedRun(run, CANCELLED, table.now()));
  stopChildren(table, run);
  return 'cancelled';
}

function heartbeat(table: RunTable, { id, token }: Pick<Run, 'id' | 'token'>, beat: Heartbeat): WriteOutcome {
  return table.write(id, token, (run) => {
    table.runs.set(id, runAfterHeartbeat(run, beat, table.nowMs()));
    return run.cancelRequested ? 'cancelled' : 'ok';
  });
}

function claim(table: RunTable, options: ClaimOptions): Run | undefined {
  const nowMs = table.nowMs();
  const brokenOf = (run: Run): RunFailure | undefined => failedDependency(run, (id) => table.runs.get(id));
  const hasRoom = (run: Run): boolean =>
    !isUnowned(run) || othersAtWork(table, run) < (options.mostUnowned ?? Number.POSITIVE_INFINITY);
  const isDue = (run: Run): boolean =>
    isClaimable(run, nowMs) && (!isWaiting(table, run) || brokenOf(run) !== undefined) && hasRoom(run);
  for (;;) {
    const run = table.claimOrder.order([...table.runs.values()], options).find(isDue);
    if (run === undefined) return undefined;
    const ending = claimRefusal(run, options.maxAttempts);
    const refusal = ending ?? brokenOf(run);
    if (refusal === undefined) {
      table.claimOrder.claimed(run, nowMs);
      return table.change(claimedRun(run, options, nowMs));
    }
    table.change(failedRun(run, refusal, table.now()));
    if (ending !== undefined) stopChildren(table, run);
  }
}

function othersAtWork(table: RunTable, { id }: Run): number {
  const isAtWork = (run: Run): boolean => isUnowned(run) && run.id !== id && isHeld(run, table.nowMs());
  return [...table.runs.values()].filter(isAtWork).length;
}

function isWaiting({ runs }: RunTable, { after }: Run): boolean {
  return after.map((id) => runs.get(id)).some((each) => each !== undefined && !hasEnded(each));
}

function queueState(table: RunTable, queue: string): QueueState {
  const local = [...table.runs.values()].filter((run) => run.backend === 'local' && run.queue === queue);
  const waiting = local.filter((run) => run.state === 'queued' && !isWaiting(table, run));
  const working = local.filter((run) => isHeld(run, table.nowMs()));
  const claimedMs = table.claimOrder.lastClaim(local);
  return {
    waiting: waiting.length,
    working: working.length,
    oldestAt: waiting[0]?.createdAt ?? null,
    claimedAt: claimedMs === undefined ? null : new Date(claimedMs).toISOString(),
  };
}
