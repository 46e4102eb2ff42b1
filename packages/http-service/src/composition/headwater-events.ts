import { EventEmitter } from 'eventemitter3';
import type { Logger, Run } from '@headwater/core';
import { hasEnded, isImport, type RunSignals } from '@headwater/core/runs';
import { dropOldest } from '@headwater/core/values';
import type { Stores } from '@headwater/identity';

/** A run in an event. */
export type RunFacts = Pick<Run, 'id' | 'pipeline' | 'ownerId' | 'requestId' | 'startedAt'>;

/** The end of a run. */
export interface EndedRun extends RunFacts {
  readonly state: 'success' | 'failed';
  /** Reason of a failure, such as a cancellation; null after a success. */
  readonly error: Run['error'];
  readonly itemIds: readonly string[];
  readonly finishedAt: string | null;
}

/** An Item that a run has published. */
export interface PublishedItemFacts {
  /** Path of the Item's Collection: `state/district/tehsil`. */
  readonly collectionPath: string;
  readonly id: string;
  readonly runId: string;
}

/** Events about the runs of all processes with the same PostgreSQL. A process that is not running misses events. */
export interface HeadwaterEvents {
  /** A run was claimed by a worker, or started by an orchestrator. */
  readonly 'run.started': (run: RunFacts) => void;
  readonly 'run.ended': (run: EndedRun) => void;
  readonly 'item.published': (item: PublishedItemFacts) => void;
  /** An import succeeded or failed. `run.ended` is emitted too. */
  readonly 'import.ended': (run: EndedRun) => void;
}

/** Emitter of a service's events. */
export type HeadwaterEmitter = EventEmitter<HeadwaterEvents>;

/** Logs errors of listeners, so that all other listeners and the worker continue. */
class GuardedEmitter extends EventEmitter<HeadwaterEvents> {
  readonly #logger: Logger;
  readonly #guarded = new Map<keyof HeadwaterEvents, WeakMap<object, EventEmitter.ListenerFn>>();

  constructor(logger: Logger) {
    super();
    this.#logger = logger;
  }

  override on<E extends keyof HeadwaterEvents>(event: E, listener: Listener<E>, context?: unknown): this {
    return super.on(event, this.#guard(event, listener), context);
  }

  override addListener<E extends keyof HeadwaterEvents>(event: E, listener: Listener<E>, context?: unknown): this {
    return this.on(event, listener, context);
  }

  override once<E extends keyof HeadwaterEvents>(event: E, listener: Listener<E>, context?: unknown): this {
    return super.once(event, this.#guard(event, listener), context);
  }

  override removeListener<E extends keyof HeadwaterEvents>(...[event, listener, ...rest]: Removal<E>): this {
    // Callers pass their own listener, but its wrapped form is registered. To remove a listener of `once`,
    // eventemitter3 passes the wrapped form.
    const known = listener && this.#guarded.get(event)?.get(listener);
    return super.removeListener(event, known ?? listener, ...rest);
  }

  override off<E extends keyof HeadwaterEvents>(...removal: Removal<E>): this {
    return this.removeListener(...removal);
  }

  #guard<E extends keyof HeadwaterEvents>(event: E, listener: Listener<E>): Listener<E> {
    const note = (error: unknown): void =>
      this.#logger.error({ event, error }, 'a listener of an event threw an error; correct the listener');
    const ofEvent = this.#guarded.get(event) ?? new WeakMap<object, EventEmitter.ListenerFn>();
    this.#guarded.set(event, ofEvent);
    const guarded = function (this: unknown, ...facts: Parameters<Listener<E>>): void {
      try {
        const result: unknown = Reflect.apply(listener, this, facts);
        if (result instanceof Promise) result.catch(note);
      } catch (error) {
        note(error);
      }
    };
    ofEvent.set(listener, guarded);
    return guarded;
  }
}

type Listener<E extends keyof HeadwaterEvents> = EventEmitter.EventListener<HeadwaterEvents, E>;
type Removal<E extends keyof HeadwaterEvents> = [event: E, listener?: Listener<E>, context?: unknown, once?: boolean];

/** The emitter, and the function that stops its reads of runs. */
export interface EventSource {
  readonly events: HeadwaterEmitter;
  readonly end: () => void;
}

/** Maximum number of runs whose last event is remembered. For an older run, an event may be emitted twice. */
const MOST_KNOWN = 10_000;

interface Parts {
  readonly stores: Pick<Stores, 'runs' | 'catalog'>;
  readonly signals: RunSignals;
  readonly logger: Logger;
}

/** Creates the emitter. Without listeners, the store is not read. */
export function createHeadwaterEvents({ stores, signals, logger }: Parts): EventSource {
  const events: HeadwaterEmitter = new GuardedEmitter(logger);
  const known = new Map<string, 'started' | 'ended'>();
  const pending = new Map<string, Promise<void>>();
  const note = (id: string, state: 'started' | 'ended'): boolean => {
    const before = known.get(id);
    if (before === state || before === 'ended') return false;
    known.set(id, state);
    dropOldest(known, MOST_KNOWN);
    return true;
  };
  const look = async (id: string): Promise<void> => {
    const run = await stores.runs.get(id);
    if (run === undefined) return;
    if (run.startedAt !== null && note(id, 'started')) events.emit('run.started', factsOf(run));
    if (!hasEnded(run) || !note(id, 'ended')) return;
    const ended = { ...factsOf(run), ...endOf(run) };
    if (run.state === 'success' && events.listenerCount('item.published') > 0) {
      for (const { collectionPath, id: item } of await stores.catalog.itemsOfRun(id))
        events.emit('item.published', { collectionPath, id: item, runId: id });
    }
    events.emit('run.ended', ended);
    if (isImport(run)) events.emit('import.ended', ended);
  };
  // Ids of runs that changed again while they were read. Each of them is read once more afterwards.
  const waiting = new Set<string>();
  const changed = (id?: string): void => {
    if (id === undefined || events.eventNames().length === 0 || known.get(id) === 'ended') return;
    if (pending.has(id)) return void waiting.add(id);
    const work = look(id)
      .catch((error: unknown) =>
        logger.error({ runId: id, error: String(error) }, 'a changed run could not be read, so its event is lost'),
      )
      .finally(() => {
        pending.delete(id);
        if (waiting.delete(id)) changed(id);
      });
    pending.set(id, work);
  };
  signals.on('changed', changed);
  const end = (): void => {
    signals.off('changed', changed);
    waiting.clear();
  };
  return { events, end };
}

function factsOf({ id, pipeline, ownerId, requestId, startedAt }: Run): RunFacts {
  return { id, pipeline, ownerId, requestId, startedAt };
}

function endOf({ state, error, itemIds, finishedAt }: Run): Omit<EndedRun, keyof RunFacts> {
  return { state: state === 'success' ? 'success' : 'failed', error, itemIds, finishedAt };
}
