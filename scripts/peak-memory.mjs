import { readFileSync } from 'node:fs';

/**
 * Peak memory of a process with all its threads, bytes. Linux keeps it per program (VmHWM); `maxRSS` of getrusage also counts
 * the process that started it, so a test process that has grown large would count.
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
