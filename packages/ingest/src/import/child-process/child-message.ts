/** Message that starts the work of a child process. */
export interface ChildTask {
  /** Address of the module that runs in its thread; it reports by `reportToParent`. */
  readonly worker: string;
  /** The thread's `workerData`. */
  readonly data: unknown;
  /** Memory limit of the thread, MB. */
  readonly heapMb: number;
}

/** Message from a child process that reads a file. */
export type ChildMessage<T> =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'disk full' }
  | { readonly kind: 'memory full' }
  | { readonly kind: 'failed'; readonly reason: string };
