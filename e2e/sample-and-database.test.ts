import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isLong } from '../scripts/test-length.mjs';
import { collect, freePort, spawnServer, waitForText } from './server-process.ts';

const HAS_PROC = process.platform === 'linux';
if (!HAS_PROC)
  console.log('skipped: helper processes that are left after a start ended: this system has no /proc that lists them');

/** Timeout of a step, which takes minutes on a busy machine. */
const WAIT_MS = 240_000;

let dataDir: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-sample-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

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

async function unfinishedScenes(): Promise<number> {
  const paths = await Promise.all(
    (await unfinished()).map((name) => readdir(join(dataDir, name), { recursive: true })),
  );
  return paths.flat().filter((path) => /items.[^/\\]+$/.test(path)).length;
}

async function begin() {
  const child = await spawnServer({ dataDir }, await freePort());
  children.push(child);
  const output = collect(child);
  const printed = (pattern: RegExp) => waitForText(child, output, { pattern, ms: WAIT_MS });
  return { child, output, printed };
}

async function startCreatingBoth() {
  const started = await begin();
  const areAtWork = (): void =>
    expect([helpers('sample-process').length, helpers('make-files-process').length]).toEqual([2, 1]);
  await vi.waitFor(areAtWork, { timeout: WAIT_MS, interval: 20 });
  return started;
}

const WHOLE = /sample data are generated: 139 scenes of 4 x 4 km, 20 micro-watersheds/;

describe('the sample of a first start', { timeout: 2 * WAIT_MS }, () => {
  it.skipIf(!HAS_PROC)('leaves no files and no child processes if the database cannot be created', async () => {
    const { child, output } = await startCreatingBoth();
    for (const pid of helpers('make-files-process')) process.kill(pid, 'SIGKILL');
    const [code] = await once(child, 'close');
    expect(output.text).toMatch(/headwater cannot start: The embedded database in .* cannot be opened/);
    expect(code).toBe(1);
    expect(helpers('')).toEqual([]);
    expect(await unfinished()).toEqual([]);
  });

  if (!isLong)
    console.log('left to npm run test:long: a first start that is interrupted; here a first start is only killed');
  it.skipIf(!HAS_PROC).each([
    ...(isLong ? ([['is interrupted', 'SIGINT']] as const) : []),
    // After SIGKILL, the child processes must detect that the server has ended.
    ['is killed', 'SIGKILL'],
  ] as const)(
    'is aborted if the start %s, and the next start creates sample and database again at the same time',
    async (_, signal) => {
      const { child, output } = await startCreatingBoth();
      child.kill(signal);
      await once(child, 'close');
      expect(output.text).not.toContain('"msg":"listening"');
      await vi.waitFor(() => expect(helpers('')).toEqual([]), { timeout: WAIT_MS, interval: 20 });
      // The child processes ended before they wrote the last scene.
      expect(await unfinishedScenes()).toBeLessThan(139);
      const again = await begin();
      await again.printed(WHOLE);
      await again.printed(/land cover of the sample is done/);
      const begun = again.output.text.indexOf('"step":"scenes","msg":"sample data"');
      expect(begun).toBeGreaterThan(-1);
      expect(begun).toBeLessThan(again.output.text.indexOf('"msg":"listening"'));
      expect(again.output.text.split('sample data are generated')).toHaveLength(2);
      again.child.kill('SIGTERM');
      await once(again.child, 'close');
      expect(await unfinished()).toEqual([]);
    },
  );
});
