import { parentPort } from 'node:worker_threads';
import { toWire } from './protocol.ts';

/**
 * Answers tasks one at a time until the pool ends the thread; `start` makes the handler, once.
 * Only the pool that started the thread can send tasks: a worker takes them as its own task type.
 */
export function serveTasks(start: () => Promise<(task: unknown) => Promise<unknown>>): void {
  const port = parentPort;
  if (port === null) throw new Error('this module runs in a worker thread only');
  const ready = start();
  // A failed start is reported with the first task; until then it must not end the thread unexplained.
  ready.catch(() => {});
  port.on('message', (task: unknown) => {
    void ready
      .then((handle) => handle(task))
      .then(
        (result) => port.postMessage({ result }),
        (error: unknown) => port.postMessage({ error: toWire(error) }),
      );
  });
}
