/** What is read apart, as the process is told. */
export interface ApartOrder {
  /** Address of the module that runs in its thread, which tells by `sayApart` what comes of it. */
  readonly worker: string;
  /** The thread's `workerData`. */
  readonly data: unknown;
  /** Memory that the thread may take, MB. */
  readonly heapMb: number;
}

/** What a process that reads a file says. */
export type ApartMessage<T> =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'disk full' }
  | { readonly kind: 'memory full' }
  | { readonly kind: 'failed'; readonly reason: string };
