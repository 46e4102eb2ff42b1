import { readFileSync } from 'node:fs';

/** High-water mark of a process in MiB, all its threads; null where the system does not tell. */
export function peakMib(pid: number | 'self' = 'self'): number | null {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line === null ? null : Number(line[1]) / 1024;
  } catch {
    return null;
  }
}
