import { spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, watch } from 'node:fs';
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
if (!HAS_PROC) console.log('skipped: the memory of a process is read from /proc');

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'headwater-embedded-'));
});
afterAll(async () => await rm(root, { recursive: true, force: true }));

const sources = (file: string): string => JSON.stringify(fileURLToPath(new URL(file, import.meta.url)));

/** A service that stores one user after another and says each name once it is acknowledged. */
const writer = `
  import { openEmbedded } from ${sources('open.ts')};
  import { createPostgresStores } from ${sources('../stores.ts')};
  const { connection } = await openEmbedded({ dataDir: process.argv[1] });
  const { users } = await createPostgresStores({ connection });
  const rest = { email: '', firstName: '', lastName: '', contactNumber: null, isActive: true, isSuperuser: false, mayCompute: true, mustChangePassword: false, passwordHash: 'x' };
  const start = await users.count();
  for (let n = start; ; n++) { await users.create({ username: 'user ' + n, ...rest }); console.log(n); }`;

/** Runs the writer until it has said so many names, kills it outright, and gives the last acknowledged number. */
async function killAfter(dataDir: string, count: number): Promise<number> {
  const args = ['--conditions=@headwater/source', '--input-type=module', '-e', writer, dataDir];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let last = -1;
  let said = 0;
  for await (const line of createInterface(child.stdout)) {
    last = Number(line);
    said += 1;
    if (said === count) child.kill('SIGKILL');
  }
  await exited;
  return last;
}

const MOST_MIB = 500;

/**
 * Opens the database in a folder and tells what its process holds, MiB, at rest: V8 still translates the database while it answers its first
 * statements, and gives back the memory for that when it has done so, here within some hundred of them. Statements are counted and not
 * seconds, for on a busy machine both take longer.
 */
const weigher = `
  import { openEmbedded } from ${sources('open.ts')};
  import { createPostgresStores } from ${sources('../stores.ts')};
  import { readFileSync } from 'node:fs';
  const embedded = await openEmbedded({ dataDir: process.argv[1] });
  const stores = await createPostgresStores({ connection: embedded.connection });
  const held = () => Math.round(Number(/VmRSS:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024);
  let now = Infinity;
  for (let turn = 0; turn < 15 && now >= ${MOST_MIB}; turn++) {
    for (let statement = 0; statement < 1000; statement++) await stores.ping();
    now = held();
  }
  console.log(now);
  await stores.close();
  await embedded.close();`;

async function weigh(dataDir: string): Promise<number> {
  const args = ['--conditions=@headwater/source', '--input-type=module', '-e', weigher, dataDir];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let mib = Number.NaN;
  for await (const line of createInterface(child.stdout)) mib = Number(line);
  return mib;
}

// Each of these makes databases, or kills processes that have them open: many seconds each.
describe('stopping and starting', { timeout: 240_000 }, () => {
  it.skipIf(!HAS_PROC)(`holds at most ${MOST_MIB} MB from its first start on`, async () => {
    const dataDir = join(root, 'weighed');
    const [first, again] = [await weigh(dataDir), await weigh(dataDir)];
    console.log(`a process with the embedded database holds ${first} MB at the first start, ${again} MB at the next`);
    expect(Math.max(first, again)).toBeLessThan(MOST_MIB);
  });

  it('makes the files of a new database anew where a start was killed on the way', async () => {
    const dataDir = join(root, 'half-made');
    mkdirSync(dataDir);
    const watcher = watch(dataDir);
    const child = spawn(
      process.execPath,
      ['--conditions=@headwater/source', '--input-type=module', '-e', weigher, dataDir],
      { stdio: 'ignore' },
    );
    const exited = once(child, 'exit');
    for await (const [, name] of on(watcher, 'change')) if (String(name).startsWith('unfinished-')) break;
    watcher.close();
    child.kill('SIGKILL');
    await exited;
    expect(readdirSync(dataDir)).not.toContain('pgdata');
    const embedded = await openEmbedded({ dataDir });
    const client = openDatabase(embedded.connection);
    expect(await client.first(`select extname from pg_extension where extname = 'postgis'`)).toEqual({
      extname: 'postgis',
    });
    expect(readdirSync(dataDir).filter((name) => name.startsWith('unfinished-'))).toEqual([]);
    await client.close();
    await embedded.close();
  });

  it('killed under insert load opens again with every acknowledged row', async () => {
    const dataDir = join(root, 'killed');
    copyDatabase(dataDir);
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
