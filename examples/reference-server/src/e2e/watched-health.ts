import { readFile } from 'node:fs/promises';
import { setInterval } from 'node:timers/promises';
import type { ServerProcess } from './server-process.ts';

/** What was seen of a server while something was done to it. */
export interface Vitals {
  /** Longest time in which health answered, ms. */
  readonly slowestMs: number;
  /** Answers of health that were not 200. */
  readonly failures: readonly string[];
  /** Most memory that the process held, bytes. */
  readonly peakBytes: number;
}

/** Asks health again and again, and looks at the memory, until `work` is done; rejects where the work does. */
export async function watching(
  { baseUrl, pid }: Pick<ServerProcess, 'baseUrl' | 'pid'>,
  work: () => Promise<void>,
): Promise<Vitals> {
  const vitals = { slowestMs: 0, failures: [] as string[], peakBytes: 0 };
  const done = new AbortController();
  const watch = async (): Promise<void> => {
    for await (const _ of setInterval(50)) {
      if (done.signal.aborted) return;
      const asked = performance.now();
      const answer = await fetch(`${baseUrl}/api/health`).catch((error: unknown) => String(error));
      if (typeof answer === 'string') vitals.failures.push(answer);
      else if (answer.status !== 200) vitals.failures.push(`${answer.status}: ${await answer.text()}`);
      else await answer.arrayBuffer();
      vitals.slowestMs = Math.max(vitals.slowestMs, performance.now() - asked);
      vitals.peakBytes = Math.max(vitals.peakBytes, await residentBytes(pid));
    }
  };
  const watched = watch();
  try {
    await work();
  } finally {
    done.abort();
    await watched;
  }
  return vitals;
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}
