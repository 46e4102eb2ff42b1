import { readFileSync } from 'node:fs';

/** Clock ticks per second in /proc/PID/stat, on every Linux that Node supports. */
const TICKS = 100;

/** Processor time of a process and its ended children, s. Null if /proc has no such process. */
export function processCpu(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name, in parentheses, may contain spaces, so the fields are counted after the name.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number);
    return (user + system + childUser + childSystem) / TICKS;
  } catch {
    return null;
  }
}

/** Processor time of this process, s. */
export function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
