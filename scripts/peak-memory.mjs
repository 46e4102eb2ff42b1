import { readFileSync } from 'node:fs';

/**
 * Peak memory of a process with all its threads, bytes. Read from VmHWM on Linux: `maxRSS` of getrusage also includes the memory
 * of the process that started it, such as a large test process.
 */
export function peakBytes() {
  try {
    const [, kb] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kb !== undefined) return Number(kb) * 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}
