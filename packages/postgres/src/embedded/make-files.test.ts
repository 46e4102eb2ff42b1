import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ensureFiles } from './make-files.ts';

const HAS_PROC = process.platform === 'linux';
if (!HAS_PROC) console.log('skipped: the memory of the process that makes a database is read from /proc');

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** Peak memory, MiB, of the process that creates files below the folder; 0 if there is none. */
function peakBelow(folder: string): number {
  const maker = readdirSync('/proc').find((pid) => {
    const command = /^\d+$/.test(pid) ? textOf(`/proc/${pid}/cmdline`) : '';
    return command.includes('make-files-process') && command.includes(folder);
  });
  return Number(/VmHWM:\s+(\d+)/.exec(textOf(`/proc/${maker}/status`))?.[1] ?? 0) / 1024;
}

it.skipIf(!HAS_PROC)(
  'creating a database takes about 600 MiB of memory, not twice as much',
  { timeout: 240_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'headwater-make-'));
    let peak = 0;
    // The kernel records the peak, so one read shortly before the end is enough.
    const polling = setInterval(() => (peak = Math.max(peak, peakBelow(folder))), 20);
    try {
      await ensureFiles(join(folder, 'pgdata'));
    } finally {
      clearInterval(polling);
      await rm(folder, { recursive: true, force: true });
    }
    expect(peak).toBeGreaterThan(300);
    expect(peak).toBeLessThan(800);
  },
);
