import { readFileSync } from 'node:fs';

/** Peak memory of this process, bytes. On Linux from VmHWM, because `maxRSS` may be that of the parent process. */
export function peakBytes() {
  try {
    const [, kb] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kb !== undefined) return Number(kb) * 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}
