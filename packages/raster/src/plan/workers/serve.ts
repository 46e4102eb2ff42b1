import { parentPort } from 'node:worker_threads';
import { isDomainError } from '@headwater/core/errors';
import type { ErrorCode } from '@headwater/core';
import type { OnWait } from '@headwater/net';

/** An error in a message from a worker, because class instances cannot be sent. */
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
 * Message of a worker: a task's outcome; `ready` when the worker has loaded; `note`, the reason why it waits (null when it continues);
 * or `share`, the done part of a task (0-1).
 */
export type WorkerMessage<R> =
  | TaskOutcome<R>
  | { readonly ready: true }
  | { readonly note: string | null; readonly line?: string }
  | { readonly share: number };

/**
 * Handles tasks one at a time until the pool ends the thread; `start` creates the handler, once.
 * Only the pool that started the thread can send tasks, so messages are not checked.
 */
export function serveTasks<T, R>(
  start: (sendNote: OnWait, report: (share: number) => void) => Promise<(task: T) => Promise<R>>,
): void {
  const port = parentPort;
  if (port === null) throw new Error('this module runs in a worker thread only');
  const send = (message: WorkerMessage<R>): void => port.postMessage(message);
  send({ ready: true });
  const ready = start(
    (note, line) => send(line === undefined ? { note } : { note, line }),
    (share) => send({ share }),
  );
  // A failed start is reported with the first task; until then it must not end the thread without a reason.
  ready.catch(() => {});
  port.on('message', (task: T) => {
    void ready
      .then((handle) => handle(task))
      .then(
        (result) => send({ result }),
        (error: unknown) => send({ error: toWire(error) }),
      );
  });
}

/** Error -> plain data. */
function toWire(error: unknown): WireError {
  if (isDomainError(error)) return { message: error.message, code: error.code, details: error.details };
  if (!(error instanceof Error)) return { message: String(error) };
  return { message: error.message, ...(error.stack === undefined ? {} : { stack: error.stack }) };
}
