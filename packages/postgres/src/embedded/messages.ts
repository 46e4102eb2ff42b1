/** Settings of the worker thread; both are absolute paths. */
export interface WorkerSettings {
  readonly dataDir: string;
  readonly socket: string;
}

/** Messages to the worker thread. */
export interface ToWorker {
  readonly kind: 'close';
}

/** Messages from the worker thread; `freeBytes`: free space of a table that is rewritten now. */
export type FromWorker =
  | { readonly kind: 'ready' | 'closed' }
  | { readonly kind: 'compacting'; readonly freeBytes: number };
