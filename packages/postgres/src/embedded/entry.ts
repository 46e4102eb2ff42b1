const TEXT = new Set(['-e', '--eval', '-p', '--print', '-pe']);

/**
 * Returns the flags of this process that a child process gets. These are all flags except code to evaluate, the input type and the debugger's
 * port.
 */
export function ownFlags(): string[] {
  return process.execArgv.filter(
    (flag, at, flags) => !TEXT.has(flag) && !TEXT.has(flags[at - 1] ?? '') && !/^--(input-type|inspect)/.test(flag),
  );
}

/** Settings of the worker thread; both are absolute paths. */
export interface WorkerSettings {
  readonly dataDir: string;
  readonly socket: string;
}

/** Messages to the worker thread. */
export interface ToWorker {
  readonly kind: 'close';
}

/** Messages from the worker thread. `freeBytes` is the free space of the table that is rewritten now, bytes. */
export type FromWorker =
  | { readonly kind: 'ready' | 'closed' }
  | { readonly kind: 'compacting'; readonly freeBytes: number };
