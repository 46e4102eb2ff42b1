import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData, type MessagePort } from 'node:worker_threads';
import type { ServerProcess } from './server-process.ts';

/** Measurements of a server during some work. */
export interface Vitals {
  /** Duration of the slowest response of /api/health, ms. */
  readonly slowestMs: number;
  /** Distinct responses of /api/health whose status is not 200. */
  readonly failures: readonly string[];
  /** Peak memory of the process, bytes; 0 without /proc. */
  readonly peakBytes: number;
}

type Watched = Pick<ServerProcess, 'baseUrl' | 'pid'>;

/** Limit for responses of /api/health, ms: one second, or more on a busy machine. */
export const HEALTH_BAR_MS = barUnder(loadavg()[0] ?? 0);

function barUnder(load: number): number {
  return Math.round(1000 * Math.max(1, load / availableParallelism() / 2));
}

/** Polls health and memory of the server in another thread until `work` is done; rejects if `work` rejects. */
export async function watching({ baseUrl, pid }: Watched, work: () => Promise<void>): Promise<Vitals> {
  const thread = new Worker(new URL(import.meta.url), { workerData: { baseUrl, pid } });
  const vitals = new Promise<Vitals>((resolve, reject) => thread.once('message', resolve).once('error', reject));
  // Prevents an unhandled rejection during `work`.
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
