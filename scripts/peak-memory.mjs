import { readFileSync } from 'node:fs';

/**
 * Peak memory of this process with all its threads, bytes. On Linux the value is read from VmHWM. `maxRSS` of getrusage
 * is not used there, because this value may be the memory of the parent process, such as a large test process.
 */
export function peakBytes() {
  try {
    const [, kb] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kb !== undefined) return Number(kb) * 1024;
  } catch {
    // This system is not Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}
