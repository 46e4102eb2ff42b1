import type { Worker } from 'node:worker_threads';
import type { WorkerOrder } from './serve.ts';

const MOST = 4;

/**
 * Removes all listeners of the events that a pool uses. Listeners of other events stay, because Node needs its own
 * listener of `newListener` to receive messages.
 */
function forget(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
}

/**
 * Idle threads for the next pool of their module, so that the module need not be loaded again. The caller must call
 * `close`.
 */
export class SpareThreads {
  readonly #waiting = new Map<string, Set<Worker>>();
  #isClosed = false;

  /** Returns an idle thread of a module, if there is one. The pool must send the message `begin` to the thread. */
  take({ href }: URL): Worker | undefined {
    const waiting = this.#waiting.get(href);
    const [worker] = waiting ?? [];
    if (worker === undefined) return undefined;
    waiting?.delete(worker);
    forget(worker);
    worker.ref();
    return worker;
  }

  /** Adds an idle thread, or ends it if the module has enough idle threads. */
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
    worker.once('exit', () => waiting.delete(worker));
    worker.on('error', () => {});
    worker.unref();
  }

  /** Ends all idle threads, and each thread that is added later. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#waiting.values()].flatMap((waiting) => [...waiting]);
    await Promise.all(all.map((worker) => worker.terminate()));
  }
}
