/** What the worker thread is started with; both are absolute paths. */
export interface WorkerSettings {
  readonly dataDir: string;
  readonly socket: string;
}

/** Orders to the worker thread. */
export interface ToWorker {
  readonly kind: 'close';
}

/** Reports of the worker thread. */
export interface FromWorker {
  readonly kind: 'ready' | 'closed';
}
