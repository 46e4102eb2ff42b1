import type { DomainError } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { callKind, type CallKind } from './store-calls.ts';

/** One call of a store that a request made. */
export interface StoreCall {
  /** `store.method`. */
  readonly name: string;
  readonly kind: CallKind;
}

/** A call that rejects: the n-th (from 0) of this name. */
export interface Fault {
  readonly name: string;
  readonly nth: number;
  /** `before`: nothing was done; `after`: the call took effect, and its answer was lost. */
  readonly when: 'before' | 'after';
  readonly error: DomainError;
  /** True: the same request is sent once more, without a fault. */
  readonly isFollowed?: boolean;
}

/** Calls of one request. */
export interface Watch {
  readonly calls: readonly StoreCall[];
  /** Calls that took effect, in their order. */
  readonly done: readonly StoreCall[];
  /** The call of the fault was made. */
  readonly isReached: boolean;
  /** Seconds that the fault asks a caller to wait. */
  readonly retryAfter: number | undefined;
  /** Removes the fault and watches no more. */
  end(): void;
}

/** Stores whose calls are counted and may reject, over stores that can be replaced. */
export interface FaultyStores {
  readonly stores: Stores;
  /** Puts other stores in the place of the present ones. */
  use(stores: Stores): void;
  /** Watches the calls from now on; `fault` rejects once. */
  watch(fault?: Fault): Watch;
  /** Calls that have not settled. */
  readonly open: number;
  /** Listeners of changes that are registered. */
  readonly listeners: number;
}

/** A call by its name. */
export interface Calling {
  readonly store: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** Called with each call that took effect, also while nothing is watched. */
export type OnCall = (call: Calling & { readonly kind: CallKind }, result: unknown) => void;

/** Calls that time makes, not a request: they pass, unless the fault is meant for one. */
const BACKGROUND: ReadonlySet<string> = new Set(['apiKeys.noteUses', 'apiKeys.removeOld']);

/** Builds faulty stores. */
export function createFaultyStores(first: Stores, onCall: OnCall = () => {}): FaultyStores {
  let current = first;
  let [open, listeners] = [0, 0];
  let watched: WatchedCalls | undefined;
  const make = async ({ store, method, args }: Calling, kind: CallKind): Promise<unknown> => {
    const name = `${store}.${method}`;
    const watch = BACKGROUND.has(name) && watched?.meant !== name ? undefined : watched;
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
  /** The call that the fault is meant for. */
  readonly meant: string | undefined;
  readonly retryAfter: number | undefined;
  readonly #fault: Fault | undefined;

  constructor(fault: Fault | undefined, end: () => void) {
    this.#fault = fault;
    this.meant = fault?.name;
    this.end = end;
    const seconds = fault?.error.details['retryAfterSeconds'];
    this.retryAfter = typeof seconds === 'number' ? seconds : undefined;
  }

  /** Notes a call; returns the fault if it is this call's. */
  note(call: StoreCall): Fault | undefined {
    const nth = this.calls.filter(({ name }) => name === call.name).length;
    this.calls.push(call);
    const isMeant = this.#fault?.name === call.name && this.#fault.nth === nth;
    if (isMeant) this.isReached = true;
    return isMeant ? this.#fault : undefined;
  }

  noteDone(call: StoreCall): void {
    this.done.push(call);
  }
}

/** Calls a method of a store by its name. */
export function callMethod(stores: Stores, { store, method, args }: Calling): unknown {
  if (store === 'ping') return stores.ping();
  const on: unknown = Reflect.get(stores, store);
  const fn: unknown = Reflect.get(Object(on), method);
  if (typeof fn !== 'function') throw new Error(`fixture: the stores have no ${store}.${method}`);
  return Reflect.apply(fn, on, [...args]);
}
