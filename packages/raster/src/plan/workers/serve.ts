import { parentPort, workerData } from 'node:worker_threads';
import { isDomainError } from '@headwater/core/errors';
import type { ErrorCode } from '@headwater/core';
import type { OnWait } from '@headwater/net';

/** Plain data of an error, because messages cannot contain instances of classes. */
export interface WireError {
  readonly message: string;
  /** Code of a `DomainError`; absent for other errors. */
  readonly code?: ErrorCode;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly stack?: string;
}

/** Outcome of one task in a worker. */
export type TaskOutcome<R> = { readonly result: R } | { readonly error: WireError };

/**
 * Message of a worker: the outcome of a task; `ready` after the module was loaded; `note` with the reason of a wait
 * (null when the wait ends); `share`, the done part of a task (0-1).
 */
export type WorkerMessage<R> =
  | TaskOutcome<R>
  | { readonly ready: true }
  | { readonly note: string | null; readonly line?: string }
  | { readonly share: number };

/** Message to a worker: a task, the data of the next pool, or the end of a pool. */
export type WorkerOrder<T, W = unknown> = { readonly task: T } | { readonly begin: W } | { readonly end: true };

/** Handler of the tasks of one pool. `close` frees resources such as open files. */
export interface TaskHandler<T, R> {
  (task: T): Promise<R>;
  readonly close?: () => void;
}

/** Handles tasks until the thread ends. `start` creates a handler for each pool that uses the thread. */
export function serveTasks<T, R, W = unknown>(
  start: (sendNote: OnWait, report: (share: number) => void, data: W) => Promise<TaskHandler<T, R>>,
): void {
  const port = parentPort;
  if (port === null) throw new Error('this module runs in a worker thread only');
  const send = (message: WorkerMessage<R>): void => port.postMessage(message);
  send({ ready: true });
  const begin = (data: W): Promise<TaskHandler<T, R>> => {
    const begun = start(
      (note, line) => send(line === undefined ? { note } : { note, line }),
      (share) => send({ share }),
      data,
    );
    // A failed start is reported with the first task. Without this handler, the unhandled rejection would end the
    // thread first.
    begun.catch(() => {});
    return begun;
  };
  let ready = begin(workerData);
  port.on('message', (order: WorkerOrder<T, W>) => {
    if ('begin' in order) {
      ready = begin(order.begin);
      return;
    }
    if ('end' in order) {
      ready.then((handle) => handle.close?.()).catch(() => {});
      return;
    }
    const { task } = order;
    void ready
      .then((handle) => handle(task))
      .then(
        (result) => send({ result }),
        (error: unknown) => send({ error: toWire(error) }),
      );
  });
}

function toWire(error: unknown): WireError {
  if (isDomainError(error)) return { message: error.message, code: error.code, details: error.details };
  if (!(error instanceof Error)) return { message: String(error) };
  return { message: error.message, ...(error.stack === undefined ? {} : { stack: error.stack }) };
}
