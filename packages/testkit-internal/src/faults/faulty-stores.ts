import type { DomainError } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { callKind, type CallKind } from './store-calls.ts';

/** A call of a store method during a request. */
export interface StoreCall {
  /** `store.method`. */
  readonly name: string;
  readonly kind: CallKind;
}

/** A fault of one store call: number `nth` (from 0) of the calls of `name`. */
export interface Fault {
  readonly name: string;
  readonly nth: number;
  /** `before`: the call has no effect. `after`: the call takes effect, but its result is lost. */
  readonly when: 'before' | 'after';
  readonly error: DomainError;
  /** True: the request is then repeated without a fault. */
  readonly isFollowed?: boolean;
}

/** Store calls of a request. */
export interface Watch {
  readonly calls: readonly StoreCall[];
  /** Calls that took effect, in order. */
  readonly done: readonly StoreCall[];
  /** True if the faulty call was made. */
  readonly isReached: boolean;
  /** Retry-After of the error, seconds. */
  readonly retryAfter: number | undefined;
  /** Removes the fault and stops watching. */
  end(): void;
}

/** Stores that pass on calls to other stores, count the calls, and can reject a call. */
export interface FaultyStores {
  readonly stores: Stores;
  /** Replaces the underlying stores. */
  use(stores: Stores): void;
  /** Watches the following calls. The call that `fault` names is rejected. */
  watch(fault?: Fault): Watch;
  /** Number of pending calls. */
  readonly open: number;
  /** Number of change listeners. */
  readonly listeners: number;
}

/** A store call and its arguments. */
export interface Calling {
  readonly store: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** Called for each store call that took effect. */
export type OnCall = (call: Calling & { readonly kind: CallKind }, result: unknown) => void;

/** Calls that timers make. A watch ignores these calls unless a fault names them. */
const BACKGROUND: ReadonlySet<string> = new Set(['apiKeys.noteUses', 'apiKeys.removeOld']);

/** Wraps stores so that a chosen call rejects. */
export function createFaultyStores(first: Stores, onCall: OnCall = () => {}): FaultyStores {
  let current = first;
  let [open, listeners] = [0, 0];
  let watched: WatchedCalls | undefined;
  const make = async ({ store, method, args }: Calling, kind: CallKind): Promise<unknown> => {
    const name = `${store}.${method}`;
    const watch = BACKGROUND.has(name) && watched?.targetName !== name ? undefined : watched;
    open += 1;
    try {
      const fault = watch?.note({ name, kind });
      if (fault?.when === 'before') throw fault.error;
      const result: unknown = await callMethod(current, { store, method, args });
      onCall({ store, method, args, kind }, result);
      watch?.noteDone({ name, kind });
      if (fault !== undefined) throw fault.error;
      return result;
    } finally {
      open -= 1;
    }
  };
  const proxyOf = (store: string): object =>
    new Proxy(Object(Reflect.get(first, store)), {
      get: (_target, method) => {
        const kind = callKind(store, String(method));
        if (kind === undefined) return Reflect.get(Object(Reflect.get(current, store)), method);
        return (...args: readonly unknown[]) => make({ store, method: String(method), args }, kind);
      },
    });
  const changes: Stores['changes'] = {
    listen: (onChange) => {
      const end = current.changes.listen(onChange);
      listeners += 1;
      return () => {
        listeners -= 1;
        end();
      };
    },
  };
  const stores = new Proxy(first, {
    get: (_target, name) => {
      if (name === 'changes') return changes;
      if (name === 'ping') return () => make({ store: 'ping', method: 'all', args: [] }, 'read');
      const own: unknown = Reflect.get(current, name);
      return typeof own === 'function' ? own : proxyOf(String(name));
    },
  });
  return {
    stores,
    use: (next) => void (current = next),
    watch: (fault) => {
      const watch = new WatchedCalls(fault, () => void (watched = undefined));
      watched = watch;
      return watch;
    },
    get open() {
      return open;
    },
    get listeners() {
      return listeners;
    },
  };
}

class WatchedCalls implements Watch {
  readonly calls: StoreCall[] = [];
  readonly done: StoreCall[] = [];
  isReached = false;
  readonly end: () => void;
  readonly targetName: string | undefined;
  readonly retryAfter: number | undefined;
  readonly #fault: Fault | undefined;

  constructor(fault: Fault | undefined, end: () => void) {
    this.#fault = fault;
    this.targetName = fault?.name;
    this.end = end;
    const seconds = fault?.error.details['retryAfterSeconds'];
    this.retryAfter = typeof seconds === 'number' ? seconds : undefined;
  }

  note(call: StoreCall): Fault | undefined {
    const nth = this.calls.filter(({ name }) => name === call.name).length;
    this.calls.push(call);
    const isTarget = this.#fault?.name === call.name && this.#fault.nth === nth;
    if (isTarget) this.isReached = true;
    return isTarget ? this.#fault : undefined;
  }

  noteDone(call: StoreCall): void {
    this.done.push(call);
  }
}

/** Calls a store method by name. */
export function callMethod(stores: Stores, { store, method, args }: Calling): unknown {
  if (store === 'ping') return stores.ping();
  const on: unknown = Reflect.get(stores, store);
  const fn: unknown = Reflect.get(Object(on), method);
  if (typeof fn !== 'function') throw new Error(`fixture: the stores have no ${store}.${method}`);
  return Reflect.apply(fn, on, [...args]);
}
