import { readFileSync } from 'node:fs';

/** Peak memory of this process, bytes. On Linux, `maxRSS` may be the memory of the parent, so VmHWM is read. */
export function peakBytes() {
  try {
    const [, kb] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kb !== undefined) return Number(kb) * 1024;
  } catch {
    // This system is not Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}
