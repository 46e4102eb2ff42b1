import { parentPort } from 'node:worker_threads';
import { isDomainError } from '@headwater/core/errors';
import type { ErrorCode } from '@headwater/core';

/** An error as it crosses from a worker: class instances do not survive the copy. */
export interface WireError {
  readonly message: string;
  /** Set where it was a DomainError. */
  readonly code?: ErrorCode;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly stack?: string;
}

/** What a worker answers to one task. */
export type Answer<R> = { readonly result: R } | { readonly error: WireError };

/** What a worker says: that it is loaded, what it waits for (null when it goes on), how much of a task is done (0-1), answers. */
export type Reply<R> =
  | Answer<R>
  | { readonly ready: true }
  | { readonly note: string | null }
  | { readonly share: number };

/** Says something to the pool beside the answers. */
export type Tell = (note: string | null) => void;

/**
 * Answers tasks one at a time until the pool ends the thread; `start` makes the handler, once.
 * Only the pool that started the thread can send tasks: a worker takes them as its own task type.
 */
export function serveTasks<T, R>(
  start: (tell: Tell, report: (share: number) => void) => Promise<(task: T) => Promise<R>>,
): void {
  const port = parentPort;
  if (port === null) throw new Error('this module runs in a worker thread only');
  const say = (reply: Reply<R>): void => port.postMessage(reply);
  say({ ready: true });
  const ready = start(
    (note) => say({ note }),
    (share) => say({ share }),
  );
  // A failed start is reported with the first task; until then it must not end the thread unexplained.
  ready.catch(() => {});
  port.on('message', (task: T) => {
    void ready
      .then((handle) => handle(task))
      .then(
        (result) => say({ result }),
        (error: unknown) => say({ error: toWire(error) }),
      );
  });
}

/** Error -> plain data. */
function toWire(error: unknown): WireError {
  if (isDomainError(error)) return { message: error.message, code: error.code, details: error.details };
  if (!(error instanceof Error)) return { message: String(error) };
  return { message: error.message, ...(error.stack === undefined ? {} : { stack: error.stack }) };
}
