import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openDatabase } from '@headwater/postgres';
import { openEmbedded } from '@headwater/postgres/embedded';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { copyDatabase } from '../../../../scripts/database-template.mjs';
import { cleanCommand } from './clean-command.ts';
import { readConfig } from '../config/read-config.ts';

let dataDir: string;
const closing: (() => Promise<void>)[] = [];

const MB = 1_000_000;
const SHOWN = 'assets/shown/1/map.tif';
const FAILED = 'assets/failed/1/map.tif';
const OLD = 'assets/old/1/map.tif';
const FRESH = 'assets/fresh/1/map.tif';
const UNKNOWN = 'assets/unknown/1/map.tif';
const LOG = 'logs/headwater/headwater.log.2026-01-01.1';
const OPEN_LOG = 'logs/headwater/headwater.log';
/** No process of this machine has the id in this name. */
const SCRATCH = `scratch/${hostname().replaceAll(/[^\w.-]/g, '_')}-99999999-00000000/piece`;
/** This is a folder of a service in another container on the same data folder. */
const ELSEWHERE = 'scratch/elsewhere-1-00000000/piece';
const ALL = [SHOWN, FAILED, OLD, FRESH, UNKNOWN, LOG, OPEN_LOG, SCRATCH, ELSEWHERE];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-clean-'));
  await copyDatabase(join(dataDir, 'db'));
  const embedded = await openEmbedded({ dataDir: join(dataDir, 'db') });
  const database = openDatabase(embedded.connection);
  closing.push(() => database.close(), embedded.close);
  const add = (id: string, state: string, replaced: string) =>
    database.run(
      `insert into headwater.runs (id, pipeline, params, fingerprint, fingerprint_key, owner_id, state, token, finished_at, replaced_at)
        values ($1, 'p', '{}', $1, $1, 1, $2, 1, now(), now() - $3::interval)`,
      [id, state, replaced],
    );
  await add('shown', 'success', '100 days');
  await database.run(`update headwater.runs set replaced_at = null where id = 'shown'`);
  await database.run(
    `insert into headwater.items (collection_path, id, version, run_id, position, content) values ('a/b/c', 'i', 1, 'shown', 0, '{}')`,
  );
  await add('failed', 'failed', '0');
  await add('old', 'success', '3 days');
  await add('fresh', 'success', '1 hour');
  for (const path of ALL) {
    await mkdir(dirname(join(dataDir, path)), { recursive: true });
    await writeFile(join(dataDir, path), Buffer.alloc(MB));
  }
});
afterAll(async () => {
  process.exitCode = undefined;
  for (const close of closing) await close();
  await rm(dataDir, { recursive: true, force: true });
});

async function clean(...args: readonly string[]): Promise<readonly string[]> {
  let printed = '';
  const output = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  process.exitCode = undefined;
  await cleanCommand(readConfig({ DATA_DIR: dataDir }), args);
  output.mockRestore();
  return printed.split('\n');
}

const existing = (): readonly string[] => ALL.filter((path) => existsSync(join(dataDir, path)));

it('lists everything in the order of removal in a dry run, and removes nothing', async () => {
  const lines = await clean('--dry-run', '--budget-gb', '0.001');
  expect(lines.filter((line) => line.startsWith('would remove'))).toEqual([
    `would remove a scratch folder: ${dirname(SCRATCH)} (1 MB)`,
    `would remove files of a failed or replaced run: ${dirname(FAILED)} (1 MB)`,
    `would remove files of a failed or replaced run: ${dirname(OLD)} (1 MB)`,
    `would remove an older log file: ${LOG} (1 MB)`,
    `would remove files of a replaced result: ${dirname(FRESH)} (1 MB)`,
  ]);
  expect(lines.join('\n')).toMatch(
    /5 MB would be freed.*\n.*more than the budget, and no other file can be removed automatically/,
  );
  expect(lines.join('\n')).toContain('largest: db ');
  expect(process.exitCode).toBe(1);
  expect(existing()).toEqual(ALL);
});

it('without a budget removes only files that nothing uses', async () => {
  await clean();
  expect(process.exitCode).toBeUndefined();
  expect(existing()).toEqual([SHOWN, FRESH, UNKNOWN, LOG, OPEN_LOG, ELSEWHERE]);
  expect(existsSync(join(dataDir, 'assets/old'))).toBe(false);
});

it('with a budget also removes older log files and recently replaced results, and never a file of an Item', async () => {
  await clean('--budget-gb', '0.001');
  expect(existing()).toEqual([SHOWN, UNKNOWN, OPEN_LOG, ELSEWHERE]);
});

it('removes data that a restore replaced, but is refused while a restore is incomplete', async () => {
  const [replaced, staging] = [join(dataDir, '.replaced/assets'), join(dataDir, '.restoring')];
  await mkdir(replaced, { recursive: true });
  await mkdir(staging);
  await expect(clean()).rejects.toThrow('a restore into');
  expect(existsSync(replaced)).toBe(true);
  await rm(staging, { recursive: true });
  expect((await clean()).join()).toContain('removed data that a restore replaced: .replaced');
  expect(existsSync(replaced)).toBe(false);
});

it('removes the scratch folders of other hosts if no service has the database open', async () => {
  for (const close of closing.splice(0)) await close();
  await clean();
  expect(existing()).toEqual([SHOWN, UNKNOWN, OPEN_LOG]);
});

it.each(['0', 'much', '-1'])('a budget of %s is refused with the usage', async (text) => {
  await expect(cleanCommand(readConfig({ DATA_DIR: dataDir }), [`--budget-gb=${text}`])).rejects.toThrow(
    'usage: headwater clean',
  );
});

it('is refused if the folder of DATA_DIR is missing, and the message names DATA_DIR', async () => {
  const config = readConfig({ DATA_DIR: join(dataDir, 'none'), DB_HOST: '127.0.0.1', DB_NAME: 'x', DB_USER: 'x' });
  await expect(cleanCommand(config, [])).rejects.toThrow(/^DATA_DIR: there is no folder .*none/);
});
