import { spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, watch } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../database.ts';
import { createPostgresStores } from '../stores.ts';
import { openEmbedded } from './open.ts';
import { copyDatabase } from '../../../../scripts/database-template.mjs';

const HAS_PROC = existsSync('/proc/self/status');
if (!HAS_PROC) console.log('skipped: the tests of memory, because this machine has no /proc');

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'headwater-embedded-'));
});
afterAll(async () => await rm(root, { recursive: true, force: true }));

const sources = (file: string): string => JSON.stringify(fileURLToPath(new URL(file, import.meta.url)));

const writer = `
  import { openEmbedded } from ${sources('open.ts')};
  import { createPostgresStores } from ${sources('../stores.ts')};
  const { connection } = await openEmbedded({ dataDir: process.argv[1] });
  const { users } = await createPostgresStores({ connection });
  const rest = { email: '', firstName: '', lastName: '', contactNumber: null, isActive: true, isSuperuser: false, mayCompute: true, mustChangePassword: false, passwordHash: 'x' };
  const start = await users.count();
  for (let n = start; ; n++) { await users.create({ username: 'user ' + n, ...rest }); console.log(n); }`;

async function killAfter(dataDir: string, count: number): Promise<number> {
  const args = ['--conditions=@headwater/source', '--input-type=module', '-e', writer, dataDir];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let last = -1;
  let lines = 0;
  for await (const line of createInterface(child.stdout)) {
    last = Number(line);
    lines += 1;
    if (lines === count) child.kill('SIGKILL');
  }
  await exited;
  return last;
}

const MOST_MIB = 500;

/**
 * Opens the database and prints the memory at rest, MiB. V8 frees its compiler's memory after hundreds of statements,
 * so a number of statements is awaited, not a time.
 */
const weigher = `
  import { openEmbedded } from ${sources('open.ts')};
  import { createPostgresStores } from ${sources('../stores.ts')};
  import { readFileSync } from 'node:fs';
  const embedded = await openEmbedded({ dataDir: process.argv[1] });
  const stores = await createPostgresStores({ connection: embedded.connection });
  const memory = () => Math.round(Number(/VmRSS:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024);
  let now = Infinity;
  for (let round = 0; round < 15 && now >= ${MOST_MIB}; round++) {
    for (let statement = 0; statement < 1000; statement++) await stores.ping();
    now = memory();
  }
  console.log(now);
  await stores.close();
  await embedded.close();`;

async function killFirstStart(dataDir: string): Promise<void> {
  mkdirSync(dataDir);
  const watcher = watch(dataDir);
  const args = ['--conditions=@headwater/source', '--input-type=module', '-e', weigher, dataDir];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const exited = once(child, 'exit');
  for await (const [, name] of on(watcher, 'change')) if (String(name).startsWith('unfinished-')) break;
  watcher.close();
  child.kill('SIGKILL');
  await exited;
}

async function weigh(dataDir: string): Promise<number> {
  const args = ['--conditions=@headwater/source', '--input-type=module', '-e', weigher, dataDir];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let mib = Number.NaN;
  for await (const line of createInterface(child.stdout)) mib = Number(line);
  return mib;
}

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** Peak memory of the process that creates files below the folder, MiB; 0 if there is none. */
function peakBelow(folder: string): number {
  const maker = readdirSync('/proc').find((pid) => {
    const command = /^\d+$/.test(pid) ? textOf(`/proc/${pid}/cmdline`) : '';
    return command.includes('make-files-process') && command.includes(folder);
  });
  return Number(/VmHWM:\s+(\d+)/.exec(textOf(`/proc/${maker}/status`))?.[1] ?? 0) / 1024;
}

/** Result of `work`, and peak memory of the creating process, MiB. */
async function withPeak<T>(folder: string, work: () => Promise<T>): Promise<[T, number]> {
  let peak = 0;
  // Polling finds the peak, because the kernel records it.
  const polling = setInterval(() => (peak = Math.max(peak, peakBelow(folder))), 20);
  try {
    return [await work(), peak];
  } finally {
    clearInterval(polling);
  }
}

// One database for all cases, because creation takes many seconds.
describe('an embedded database whose first start was killed', { timeout: 240_000 }, () => {
  const dataDir = (): string => join(root, 'made');
  const names = (): readonly string[] => readdirSync(dataDir());
  let namesAfterKill: readonly string[];
  let [firstMib, peakMib] = [Number.NaN, Number.NaN];
  beforeAll(async () => {
    await killFirstStart(dataDir());
    namesAfterKill = names();
    if (HAS_PROC) [firstMib, peakMib] = await withPeak(dataDir(), () => weigh(dataDir()));
    else await (await openEmbedded({ dataDir: dataDir() })).close();
  }, 240_000);

  it('has its files after the next start', async () => {
    expect(namesAfterKill).not.toContain('pgdata');
    expect(names()).toContain('pgdata');
    expect(names().filter((name) => name.startsWith('unfinished-'))).toEqual([]);
    const embedded = await openEmbedded({ dataDir: dataDir() });
    const client = openDatabase(embedded.connection);
    expect(await client.first(`select extname from pg_extension where extname = 'postgis'`)).toEqual({
      extname: 'postgis',
    });
    await client.close();
    await embedded.close();
  });

  it.skipIf(!HAS_PROC)(`takes less than ${MOST_MIB} MiB of memory from its first start on`, async () => {
    const again = await weigh(dataDir());
    console.log(
      `a process with the embedded database takes ${firstMib} MiB at the first start, ${again} MiB at the next`,
    );
    expect(Math.max(firstMib, again)).toBeLessThan(MOST_MIB);
  });

  it.skipIf(!HAS_PROC)('was created with about 600 MiB of memory, not twice as much', () => {
    expect(peakMib).toBeGreaterThan(300);
    expect(peakMib).toBeLessThan(800);
  });
});

describe('an embedded database that is stopped and started', { timeout: 240_000 }, () => {
  it('opens again with every acknowledged row after a kill during inserts', async () => {
    const dataDir = join(root, 'killed');
    await copyDatabase(dataDir);
    for (const count of [60, 25]) {
      const last = await killAfter(dataDir, count);
      expect(last).toBeGreaterThanOrEqual(count - 1);
      const embedded = await openEmbedded({ dataDir });
      const { users, close } = await createPostgresStores({ connection: embedded.connection });
      expect(await users.byUsername(`user ${last}`)).toBeDefined();
      expect(await users.count()).toBeGreaterThan(last);
      await close();
      await embedded.close();
    }
  });
});
