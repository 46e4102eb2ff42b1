import { EventEmitter } from 'eventemitter3';
import type { RunChanges } from '../ports/installation.ts';
import type { Run, RunStore } from '../ports/runs.ts';

/**
 * Events about runs; without `runId`, an event may concern any run. Read the run from the store after each event,
 * because an event may be late or repeated.
 */
interface SignalMap {
  readonly queued: () => void;
  readonly changed: (runId?: string) => void;
  readonly cancel: (runId?: string) => void;
}

/** Signals between the run service and the worker of one process, which share one instance. */
export type RunSignals = EventEmitter<SignalMap>;

/** Builds an emitter of signals. */
export function createRunSignals(): RunSignals {
  return new EventEmitter<SignalMap>();
}

/** True if a cancel signal may concern this run. */
export const isCancelledWith = (
  { id, parentId }: Pick<Run, 'id' | 'parentId'>,
  signalled: string | undefined,
): boolean => signalled === undefined || signalled === id || signalled === parentId;

/** Emits a signal for each change that another process writes. Returns a function that stops the signals. */
export function relayChanges(changes: RunChanges, signals: RunSignals): () => void {
  return changes.listen((change) => {
    const { kind } = change;
    const runId = kind === 'missed' ? undefined : change.runId;
    signals.emit('changed', runId);
    if (kind === 'queued' || kind === 'missed') signals.emit('queued');
    if (kind === 'cancel' || kind === 'missed') signals.emit('cancel', runId);
  });
}

/** Wraps a run store: emits signals after writes of states, parts and events. */
export function observedRunStore(store: RunStore, signals: RunSignals): RunStore {
  const then = async <T>(write: Promise<T>, ...emits: readonly (() => void)[]): Promise<T> => {
    const result = await write;
    for (const emit of emits) emit();
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
    hasOpenRuns: (tehsilId) => store.hasOpenRuns(tehsilId),
    openRunsOf: (eoAccountId, limit) => store.openRunsOf(eoAccountId, limit),
    claim: async (options) => {
      const run = await store.claim(options);
      if (run !== undefined) signals.emit('changed', run.id);
      return run;
    },
    queueState: (queue) => store.queueState(queue),
    heartbeat: (id, token, beat) => store.heartbeat(id, token, beat),
    heartbeats: (beats, leaseMs) => store.heartbeats(beats, leaseMs),
    progressOf: (fingerprints) => store.progressOf(fingerprints),
    // Workers are woken, because other runs may wait for the end of this run.
    fail: (id, token, failure) => then(store.fail(id, token, failure), changedRun(id), cancel(id), queued),
    release: (id, token) => then(store.release(id, token), changedRun(id), queued),
    park: (id, token, pauseMs) => then(store.park(id, token, pauseMs), changedRun(id), queued),
    publish: (id, token, given) => then(store.publish(id, token, given), changedRun(id), queued),
    dispatch: (id, token, dispatch) => then(store.dispatch(id, token, dispatch), changedRun(id)),
    complete: (id, token, by) => then(store.complete(id, token, by), changedRun(id), queued),
    // Followers of all runs are woken, because the ids of the runs that end are unknown here.
    requestCancel: (id) => then(store.requestCancel(id), cancel(id), changed, queued),
    endAbandonedImports: (queuedMs) => then(store.endAbandonedImports(queuedMs), changed),
    adoptAbandoned: (by) => then(store.adoptAbandoned(by), queued),
    parts: (id) => store.parts(id),
    setPart: (id, token, part) => then(store.setPart(id, token, part), changedRun(id)),
    pauseParts: (id, isPaused) => then(store.pauseParts(id, isPaused), changedRun(id), queued),
    retryParts: (id) => then(store.retryParts(id), changedRun(id), queued),
    endParts: (id, token, end) => then(store.endParts(id, token, end), changedRun(id), cancel(id), queued),
    appendEvent: (id, event) => then(store.appendEvent(id, event), changedRun(id)),
    events: (id, after, limit) => store.events(id, after, limit),
    liveAttempts: (keepMs) => store.liveAttempts(keepMs),
    removeOld: (ages) => store.removeOld(ages),
    removeRegions: (which) => store.removeRegions(which),
    unpublish: (item) => store.unpublish(item),
  };
}
