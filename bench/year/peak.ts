import { readFileSync } from 'node:fs';

/** Peak memory of a process, MiB; null if the system does not provide it. */
export function peakMib(pid: number | 'self' = 'self'): number | null {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line === null ? null : Number(line[1]) / 1024;
  } catch {
    return null;
  }
}
