import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Enough about a process to tell it from a later one that got the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Kernel ticks since boot at which it started, with the boot's id; null where there is no /proc. */
  readonly started: string | null;
}

/** Identity of this process. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, host: hostname(), started: startOf(process.pid) };
}

/** True while the process of this identity, on this host, is alive. */
export function isAlive({ pid, started }: ProcessIdentity): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, but belongs to somebody else.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const now = startOf(pid);
  return started === null || now === null || now === started;
}

/** Start of a process as `bootId:ticks`: field 22 of /proc/PID/stat, counted after the name, which may hold blanks. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return ticks === undefined ? null : `${boot}:${ticks}`;
  } catch {
    return null;
  }
}
