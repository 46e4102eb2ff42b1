import { EventEmitter } from 'eventemitter3';
import type { RunChanges } from '../ports/installation.ts';
import type { Run, RunStore } from '../ports/runs.ts';

/** What happened to a run: a nudge to look at the store again, never the truth itself. Without an id: to any run. */
interface SignalMap {
  /** A run may be claimable. */
  readonly queued: () => void;
  /** Row or events of this run changed. */
  readonly changed: (runId?: string) => void;
  /** This run is to end, and what it asked for with it. */
  readonly cancel: (runId?: string) => void;
}

/** Nudges between the run service and the worker of one process; share one between them. */
export type RunSignals = EventEmitter<SignalMap>;

/** A fresh set of nudges. */
export function createRunSignals(): RunSignals {
  return new EventEmitter<SignalMap>();
}

/** Whether a nudge to cancel may be about this run. */
export const isCancelledWith = ({ id, parentId }: Pick<Run, 'id' | 'parentId'>, told: string | undefined): boolean =>
  told === undefined || told === id || told === parentId;

/** Passes on what other processes write; returns what ends that. */
export function relayChanges(changes: RunChanges, signals: RunSignals): () => void {
  return changes.listen((change) => {
    const { kind } = change;
    const runId = kind === 'missed' ? undefined : change.runId;
    signals.emit('changed', runId);
    if (kind === 'queued' || kind === 'missed') signals.emit('queued');
    if (kind === 'cancel' || kind === 'missed') signals.emit('cancel', runId);
  });
}

/** The same store, giving a nudge after each write that went through. */
export function observedRunStore(store: RunStore, signals: RunSignals): RunStore {
  const then = async <T>(write: Promise<T>, ...nudges: readonly (() => void)[]): Promise<T> => {
    const result = await write;
    for (const nudge of nudges) nudge();
    return result;
  };
  const changedRun = (id: string) => (): void => void signals.emit('changed', id);
  const queued = (): void => void signals.emit('queued');
  const changed = (): void => void signals.emit('changed');
  const cancel = (id: string) => (): void => void signals.emit('cancel', id);
  return {
    enqueue: (run, options) => then(store.enqueue(run, options), changedRun(run.id), queued),
    keyedRun: (key) => store.keyedRun(key),
    bindKey: (key, runId) => store.bindKey(key, runId),
    resultOf: (fingerprint) => store.resultOf(fingerprint),
    get: (id) => store.get(id),
    list: (filter) => store.list(filter),
    claim: async (options) => {
      const run = await store.claim(options);
      if (run !== undefined) signals.emit('changed', run.id);
      return run;
    },
    queueState: (queue) => store.queueState(queue),
    heartbeat: (id, token, beat) => store.heartbeat(id, token, beat),
    heartbeats: (beats, leaseMs) => store.heartbeats(beats, leaseMs),
    progressOf: (fingerprints) => store.progressOf(fingerprints),
    // The end of a run may be what others wait for, and the end of what it asked for.
    fail: (id, token, failure) => then(store.fail(id, token, failure), changedRun(id), cancel(id), queued),
    release: (id, token) => then(store.release(id, token), changedRun(id), queued),
    park: (id, token, pauseMs) => then(store.park(id, token, pauseMs), changedRun(id), queued),
    publish: (id, token, given) => then(store.publish(id, token, given), changedRun(id), queued),
    dispatch: (id, token, dispatch) => then(store.dispatch(id, token, dispatch), changedRun(id)),
    complete: (id, token, by) => then(store.complete(id, token, by), changedRun(id), queued),
    // Whatever it asked for may end with it: whoever follows any run looks.
    requestCancel: (id) => then(store.requestCancel(id), cancel(id), changed, queued),
    endAbandonedImports: (queuedMs) => then(store.endAbandonedImports(queuedMs), changed),
    adoptAbandoned: (by) => then(store.adoptAbandoned(by), queued),
    appendEvent: (id, event) => then(store.appendEvent(id, event), changedRun(id)),
    events: (id, after, limit) => store.events(id, after, limit),
    liveAttempts: (keepMs) => store.liveAttempts(keepMs),
    removeOld: (ages) => store.removeOld(ages),
  };
}
