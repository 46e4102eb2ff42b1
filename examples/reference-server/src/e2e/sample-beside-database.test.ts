import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { collect, freePort, spawnServer, startServerProcess, waitForText } from './server-process.ts';

const HAS_PROC = process.platform === 'linux';
if (!HAS_PROC) console.log('skipped: who is left of a start that ended is read from /proc');

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-beside-'));
});
afterEach(async () => await rm(dataDir, { recursive: true, force: true }));

/** Numbers of the living processes whose arguments name the data folder and `what`. */
function helpers(what: string): readonly number[] {
  const commandOf = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  };
  const isHelper = (pid: string): boolean => /^\d+$/.test(pid) && commandOf(pid).includes(dataDir);
  return readdirSync('/proc')
    .filter((pid) => isHelper(pid) && commandOf(pid).includes(what))
    .map(Number);
}

const unfinished = async (): Promise<readonly string[]> =>
  (await readdir(dataDir)).filter((name) => name.startsWith('.sample-'));

/** A start that makes its database and scenes of its sample at this moment; the sample is so large that it takes longer. */
async function makingBoth() {
  const child = spawnServer({ dataDir, args: ['--sample-size', '8'] }, await freePort());
  const output = collect(child);
  await waitForText(child, output, { pattern: /"step":"scenes","msg":"sample data"/, ms: 60_000 });
  return { child, output };
}

describe('the sample of a first start', { timeout: 400_000 }, () => {
  it('is begun before the database is made, and is whole', async () => {
    const server = await startServerProcess({ dataDir });
    try {
      const output = server.output();
      const begun = output.indexOf('"step":"scenes","msg":"sample data"');
      expect(begun).toBeGreaterThan(-1);
      expect(begun).toBeLessThan(output.indexOf('"msg":"listening"'));
      await server.printed(/sample data are made: 139 scenes of 4 x 4 km, 20 micro-watersheds/, 120_000);
      await server.printed(/land cover of the sample is done/, 120_000);
      expect(server.output().split('sample data are made')).toHaveLength(2);
    } finally {
      await server.stop('SIGTERM');
    }
    expect(await unfinished()).toEqual([]);
  });

  it.skipIf(!HAS_PROC)('ends with the start whose database cannot be made', async () => {
    const { child, output } = await makingBoth();
    expect(helpers('sample-process')).toHaveLength(2);
    for (const pid of helpers('make-files-process')) process.kill(pid, 'SIGKILL');
    const [code] = await once(child, 'close');
    expect(output.text).toMatch(/headwater cannot start: The embedded database in .* cannot be opened/);
    expect(code).toBe(1);
    expect(helpers('')).toEqual([]);
    expect(await unfinished()).toEqual([]);
  });

  it.skipIf(!HAS_PROC)('ends with a start that is interrupted', async () => {
    const { child } = await makingBoth();
    child.kill('SIGINT');
    await once(child, 'close');
    await vi.waitFor(() => expect(helpers('')).toEqual([]), { timeout: 20_000, interval: 20 });
    // The next start removes what was left, as after any kill.
    const server = await startServerProcess({ dataDir });
    await server.printed(/sample data are made: 139 scenes of 4 x 4 km/, 120_000);
    await server.stop('SIGTERM');
    expect(await unfinished()).toEqual([]);
  });
});
