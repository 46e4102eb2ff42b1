/** Settings of the worker thread; both are absolute paths. */
export interface WorkerSettings {
  readonly dataDir: string;
  readonly socket: string;
}

/** Messages to the worker thread. */
export interface ToWorker {
  readonly kind: 'close';
}

/** Messages from the worker thread. */
export interface FromWorker {
  readonly kind: 'ready' | 'closed';
}
