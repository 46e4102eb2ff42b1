import { readFileSync } from 'node:fs';

/** Clock ticks of /proc/<pid>/stat in a second: 100 on every Linux that Node supports. */
const TICKS = 100;

/**
 * Processor time of a process since its start, s: the sum of its threads and its ended children. With `only:
 * 'children'`, only the sum of its ended children. Null if the system has no /proc.
 */
export function processCpu(pid: number | 'self', only: 'all' | 'children' = 'all'): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may contain spaces, so the fields are counted after the name. In the
    // whole file, state is the third field and utime the 14th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number);
    return ((only === 'all' ? user + system : 0) + childUser + childSystem) / TICKS;
  } catch {
    return null;
  }
}

/** Processor time of this process, s. */
export function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
