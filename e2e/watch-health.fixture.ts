import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData, type MessagePort } from 'node:worker_threads';
import type { ServerProcess } from './server-process.ts';

/** What was seen of a server while something was done to it. */
export interface Vitals {
  /** Longest time in which health answered, ms. */
  readonly slowestMs: number;
  /** Answers of health that were not 200, each kind once. */
  readonly failures: readonly string[];
  /** Most memory that the process held, bytes; 0 where there is no /proc. */
  readonly peakBytes: number;
}

type Watched = Pick<ServerProcess, 'baseUrl' | 'pid'>;

/**
 * Time within which health has to answer, ms: a second, and longer where others leave the server less than half a core, so that it is
 * the server that is judged and not the machine. Looked up before the suite starts its server: no attack raises the bar that it has
 * to clear.
 */
export const HEALTH_BAR_MS = barUnder(loadavg()[0] ?? 0);

function barUnder(load: number): number {
  return Math.round(1000 * Math.max(1, load / availableParallelism() / 2));
}

/**
 * Asks health again and again, and looks at the memory, until `work` is done; rejects where the work does. It watches from a thread of
 * its own: what the test itself does at length is not counted.
 */
export async function watching({ baseUrl, pid }: Watched, work: () => Promise<void>): Promise<Vitals> {
  const thread = new Worker(new URL(import.meta.url), { workerData: { baseUrl, pid } });
  const vitals = new Promise<Vitals>((told, fail) => thread.once('message', told).once('error', fail));
  // A failure of the thread is told at the end; until then it must not count as unhandled.
  vitals.catch(() => {});
  await once(thread, 'online');
  try {
    await work();
  } finally {
    thread.postMessage('stop', []);
    await vitals.catch(() => {});
    await thread.terminate();
  }
  return vitals;
}

async function watch({ baseUrl, pid }: Watched, port: MessagePort): Promise<void> {
  let [slowestMs, peakBytes] = [0, 0];
  const failures = new Set<string>();
  const over = new AbortController();
  port.once('message', () => over.abort());
  do {
    const start = performance.now();
    const failure = await fetch(`${baseUrl}/api/health`).then(failureOf, String);
    slowestMs = Math.max(slowestMs, performance.now() - start);
    if (failure !== undefined) failures.add(failure);
    peakBytes = Math.max(peakBytes, residentBytes(pid));
    await pause(20);
  } while (!over.signal.aborted);
  port.postMessage({ slowestMs, failures: [...failures], peakBytes } satisfies Vitals, []);
}

async function failureOf(answer: Response): Promise<string | undefined> {
  const text = await answer.text();
  return answer.status === 200 ? undefined : `${answer.status}: ${text}`;
}

function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

if (!isMainThread && parentPort !== null && typeof workerData?.baseUrl === 'string')
  await watch(workerData, parentPort);
