import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** Asks health all the time until it is told to stop. */
export interface HealthWatch {
  /** Ends the watch; the longest time until an answer, ms. Rejects where health answered anything but 200. */
  stop(): Promise<number>;
}

/** What the watching thread shares: element 0 is 1 once it is to stop, element 1 the longest time in whole ms. */
type Shared = Int32Array<SharedArrayBuffer>;

/** Watches the health of a running server from a thread of its own: what the test itself does at length is not counted. */
export function watchHealth(baseUrl: string): HealthWatch {
  const shared: Shared = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(new URL(import.meta.url), { workerData: { baseUrl, shared } });
  const ended = once(worker, 'exit');
  // A failure is told by `stop`; until then it must not count as unhandled.
  ended.catch(() => {});
  return {
    async stop() {
      Atomics.store(shared, 0, 1);
      await ended;
      return Atomics.load(shared, 1);
    },
  };
}

/**
 * Time within which health has to answer, ms: a second, and longer where others leave the server less than half a core, so that it is the
 * server that is judged and not the machine.
 */
export function healthBarMs(): number {
  const [load = 0] = loadavg();
  return Math.round(1000 * Math.max(1, load / availableParallelism() / 2));
}

async function watch({ baseUrl, shared }: { readonly baseUrl: string; readonly shared: Shared }): Promise<void> {
  let slowestMs = 0;
  do {
    const start = performance.now();
    const { status } = await fetch(`${baseUrl}/api/health`);
    slowestMs = Math.max(slowestMs, performance.now() - start);
    Atomics.store(shared, 1, Math.ceil(slowestMs));
    if (status !== 200) throw new Error(`health answered ${status}`);
    await new Promise((settle) => setTimeout(settle, 20));
  } while (Atomics.load(shared, 0) === 0);
}

if (!isMainThread && workerData?.shared instanceof Int32Array) await watch(workerData);
