import type { Worker } from 'node:worker_threads';
import type { WorkerOrder } from './serve.ts';

/** Number of threads of one module that wait. */
const MOST = 4;

/**
 * Removes the listeners that a pool added. Listeners of other events belong to Node, which needs them to read messages.
 */
function forget(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
}

/**
 * Threads that have ended the work of a pool and wait for the next pool of their module. So the module is not loaded again. `close` must be called.
 */
export class SpareThreads {
  readonly #waiting = new Map<string, Set<Worker>>();
  #isClosed = false;

  /** Returns a waiting thread of a module, if there is one. It gets its work by the message `begin`. */
  take({ href }: URL): Worker | undefined {
    const waiting = this.#waiting.get(href);
    const [worker] = waiting ?? [];
    if (worker === undefined) return undefined;
    waiting?.delete(worker);
    forget(worker);
    worker.ref();
    return worker;
  }

  /** Lets a thread without a task wait, or ends it if enough are waiting. */
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
    // A thread that ends while it waits is not used again.
    worker.once('exit', () => waiting.delete(worker));
    worker.on('error', () => {});
    worker.unref();
  }

  /** Ends all threads that wait, and later each thread that would wait. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#waiting.values()].flatMap((waiting) => [...waiting]);
    await Promise.all(all.map((worker) => worker.terminate()));
  }
}
