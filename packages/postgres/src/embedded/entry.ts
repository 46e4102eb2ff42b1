const TEXT = new Set(['-e', '--eval', '-p', '--print', '-pe']);

/** Flags of this process for a child process or thread: all except code to evaluate, input type and debugger. */
export function ownFlags(): string[] {
  return process.execArgv.filter(
    (flag, at, flags) => !TEXT.has(flag) && !TEXT.has(flags[at - 1] ?? '') && !/^--(input-type|inspect)/.test(flag),
  );
}

/** Settings of the worker thread; absolute paths. */
export interface WorkerSettings {
  readonly dataDir: string;
  readonly socket: string;
}

/** Messages to the worker thread. */
export interface ToWorker {
  readonly kind: 'close';
}

/** Messages from the worker thread. `freeBytes`: free space of the table that is rewritten. */
export type FromWorker =
  | { readonly kind: 'ready' | 'closed' }
  | { readonly kind: 'compacting'; readonly freeBytes: number };
