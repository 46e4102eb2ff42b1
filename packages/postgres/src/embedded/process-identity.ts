import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Identity of a process. A later process with the same id has another identity. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Id of the boot of the machine, and kernel ticks from the boot to the start of the process; null without /proc. */
  readonly started: string | null;
}

/** Returns the identity of this process. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, host: hostname(), started: startOf(process.pid) };
}

/** Returns the identity of a process of this host. */
export function identityOf(pid: number): ProcessIdentity {
  return { pid, host: hostname(), started: startOf(pid) };
}

/**
 * State of a process. `dying`: killed or exiting, but its last writes may still be in progress. `unknown`: /proc is
 * missing or not readable.
 */
export type Life = 'alive' | 'dying' | 'dead' | 'unknown';

/** Returns the state of a process of this host. A zombie counts as dead after its last thread has ended. */
export function lifeOf({ pid, started }: ProcessIdentity): Life {
  if (!Number.isInteger(pid) || pid <= 0 || !hasNumber(pid)) return 'dead';
  const now = readStat(`/proc/${pid}/stat`);
  if (now === undefined) return existsSync('/proc/self/stat') && !hasNumber(pid) ? 'dead' : 'unknown';
  if (started !== null && startOf(pid) !== started) return 'dead';
  if (isOver(now)) return threadsOf(pid).every(isOver) ? 'dead' : 'dying';
  return now.isExiting || isKilled(pid) ? 'dying' : 'alive';
}

function hasNumber(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

interface Stat {
  readonly state: string;
  readonly isExiting: boolean;
  readonly startTicks: string;
}

const EXITING = 0x4;
const KILL_BIT = 1n << 8n;

/** Reads a stat file of /proc. Field 2 (the name) may contain blanks, so only the text after it is split. */
function readStat(path: string): Stat | undefined {
  const text = readOr(path);
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', isExiting: (Number(fields[6]) & EXITING) !== 0, startTicks: fields[19] ?? '' };
}

const isOver = ({ state }: Stat): boolean => /^[ZXx]$/.test(state);

function threadsOf(pid: number): readonly Stat[] {
  try {
    const stats = readdirSync(`/proc/${pid}/task`).map((thread) => readStat(`/proc/${pid}/task/${thread}/stat`));
    return stats.filter((stat) => stat !== undefined);
  } catch {
    return [];
  }
}

/** True for a killed process. It will end, although it may still run. */
function isKilled(pid: number): boolean {
  const masks = (readOr(`/proc/${pid}/status`) ?? '').matchAll(/^(?:SigPnd|ShdPnd):\s*([0-9a-f]+)$/gm);
  return [...masks].some(([, mask]) => (BigInt(`0x${mask ?? '0'}`) & KILL_BIT) !== 0n);
}

function startOf(pid: number): string | null {
  const ticks = readStat(`/proc/${pid}/stat`)?.startTicks;
  const boot = readOr('/proc/sys/kernel/random/boot_id')?.trim();
  return ticks === undefined || boot === undefined ? null : `${boot}:${ticks}`;
}

function readOr(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
