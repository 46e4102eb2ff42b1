import type { Worker } from 'node:worker_threads';
import type { WorkerOrder } from './serve.ts';

/** Maximum number of waiting threads of one module. */
const MOST = 4;

/**
 * Removes the listeners that a pool added. Other listeners are not removed, because Node needs its own listeners to
 * read messages.
 */
function forget(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
}

/**
 * Threads that have ended the work of a pool and wait for the next pool of their module. So the module need not be loaded again. The caller must
 * call `close`.
 */
export class SpareThreads {
  readonly #waiting = new Map<string, Set<Worker>>();
  #isClosed = false;

  /**
   * Returns a waiting thread of a module, if there is one. The pool must send the message `begin` with its data to this
   * thread.
   */
  take({ href }: URL): Worker | undefined {
    const waiting = this.#waiting.get(href);
    const [worker] = waiting ?? [];
    if (worker === undefined) return undefined;
    waiting?.delete(worker);
    forget(worker);
    worker.ref();
    return worker;
  }

  /**
   * Adds a thread without a task to the waiting threads. If enough threads of the module are waiting, ends the thread
   * instead.
   */
  async keep({ href }: URL, worker: Worker): Promise<void> {
    const waiting = this.#waiting.get(href) ?? new Set();
    this.#waiting.set(href, waiting);
    forget(worker);
    if (this.#isClosed || waiting.size >= MOST) {
      await worker.terminate();
      return;
    }
    const order: WorkerOrder<never> = { end: true };
    worker.postMessage(order, []);
    waiting.add(worker);
    // A thread that ends while it waits is removed from the list.
    worker.once('exit', () => waiting.delete(worker));
    worker.on('error', () => {});
    worker.unref();
  }

  /** Ends all waiting threads. After this call, each thread that is added is ended too. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#waiting.values()].flatMap((waiting) => [...waiting]);
    await Promise.all(all.map((worker) => worker.terminate()));
  }
}
