import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConfigError } from './config/read-config.ts';
import { prepareDataDir, refuseSecondDatabase } from './data-dir.ts';
import { writeFolderId } from './folder-id.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-dir-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('creates the folder and its parents, and accepts an existing one', async () => {
  const path = join(folder, 'a', 'b');
  await prepareDataDir(path);
  await prepareDataDir(path);
  expect((await stat(path)).isDirectory()).toBe(true);
});

it('refuses a new embedded database in the folder of services on a PostgreSQL', async () => {
  const dataDir = join(folder, 'shared');
  refuseSecondDatabase({ database: undefined, dataDir });
  await writeFolderId(dataDir, 'an-id');
  expect(() => refuseSecondDatabase({ database: undefined, dataDir })).toThrow(
    /^DB_HOST: it is not set, but .*shared is the folder of/,
  );
  const moved = join(folder, 'moved');
  await mkdir(join(moved, 'db', 'pgdata-moved'), { recursive: true });
  expect(() => refuseSecondDatabase({ database: undefined, dataDir: moved })).toThrow('pgdata-moved exists');
  await mkdir(join(dataDir, 'db', 'pgdata'), { recursive: true });
  refuseSecondDatabase({ database: undefined, dataDir });
});

it('reports DATA_DIR and the reason if nothing can be written', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  for (const path of [file, join(file, 'below')]) {
    await expect(prepareDataDir(path)).rejects.toThrow(/^DATA_DIR: .*is a file/);
    await expect(prepareDataDir(path)).rejects.toBeInstanceOf(ConfigError);
  }
});
