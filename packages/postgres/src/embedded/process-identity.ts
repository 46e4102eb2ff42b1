import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

/** Identity of a process of this host. */
export function identityOf(pid: number): ProcessIdentity {
  return { pid, host: hostname(), started: startOf(pid) };
}

/** `dying`: killed, and the kernel is still taking it apart, so that its last writes may be under way. `unknown`: no /proc to ask. */
export type Life = 'alive' | 'dying' | 'dead' | 'unknown';

/** What has become of the process of this identity, on this host. A zombie is dead once its last thread is. */
export function lifeOf({ pid, started }: ProcessIdentity): Life {
  if (!Number.isInteger(pid) || pid <= 0 || !hasNumber(pid)) return 'dead';
  const now = readStat(`/proc/${pid}/stat`);
  if (now === undefined) return existsSync('/proc/self/stat') && !hasNumber(pid) ? 'dead' : 'unknown';
  if (started !== null && startOf(pid) !== started) return 'dead';
  if (isOver(now)) return threadsOf(pid).every(isOver) ? 'dead' : 'dying';
  return now.isExiting || isKilled(pid) ? 'dying' : 'alive';
}

/** True while a process of this number is in the kernel's table; zombies are. */
function hasNumber(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, but belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** What /proc tells of a process or thread. */
interface Stat {
  /** One letter; Z = zombie, X = dead. */
  readonly state: string;
  readonly isExiting: boolean;
  readonly startTicks: string;
}

/** The kernel's PF_EXITING. */
const EXITING = 0x4;
/** SIGKILL in a mask of signals. */
const KILL_BIT = 1n << 8n;

/** Fields 3, 9 and 22 of a stat file, counted after the name, which may hold blanks. */
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

/** True once SIGKILL is on its way to the process: nothing can keep it from ending. */
function isKilled(pid: number): boolean {
  const masks = (readOr(`/proc/${pid}/status`) ?? '').matchAll(/^(?:SigPnd|ShdPnd):\s*([0-9a-f]+)$/gm);
  return [...masks].some(([, mask]) => (BigInt(`0x${mask ?? '0'}`) & KILL_BIT) !== 0n);
}

/** Start of a process as `bootId:ticks`; null where there is no /proc. */
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
