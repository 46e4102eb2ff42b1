import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { onlyInShell, setVariables } from './env-file.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-env-'));
  path = join(folder, '.env');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('does not change other lines, fills empty values, and makes the file private', async () => {
  await writeFile(path, '# my notes\nDB_HOST=\nBACKEND_PORT=8100 # mine\n\nexport DB_NAME=\n', { mode: 0o644 });
  await setVariables(path, { DB_HOST: 'db.example.org', DB_NAME: 'geo', DB_PASSWORD: `it's #1` });
  expect(await readFile(path, 'utf8')).toBe(
    "# my notes\nDB_HOST=db.example.org\nBACKEND_PORT=8100 # mine\n\nDB_NAME=geo\nDB_PASSWORD=`it's #1`\n",
  );
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['.env']);
});

it('creates the file, and changes nothing when it is called again', async () => {
  await setVariables(path, { DB_HOST: 'a' });
  await setVariables(path, { DB_HOST: 'a' });
  expect(await readFile(path, 'utf8')).toBe('DB_HOST=a\n');
});

it('refuses to replace another value, names the variable, and writes nothing', async () => {
  await writeFile(path, 'DB_HOST=a\n');
  await expect(setVariables(path, { DB_NAME: 'geo', DB_HOST: 'b' })).rejects.toThrow(
    /^DB_HOST: .*another value already/,
  );
  expect(await readFile(path, 'utf8')).toBe('DB_HOST=a\n');
});

it('replaces the last of several lines of a variable, because Node uses this one', async () => {
  await writeFile(path, 'DB_HOST=a\nDB_NAME=geo\nDB_HOST=\n');
  await setVariables(path, { DB_HOST: 'b' });
  expect(await readFile(path, 'utf8')).toBe('DB_HOST=a\nDB_NAME=geo\nDB_HOST=b\n');
});

it.each([
  ['a file', 'DB_HOST=\n'],
  ['no file yet', undefined],
])('a link to %s stays a link, and its target is written', async (_, text) => {
  const target = join(folder, 'shared.env');
  if (text !== undefined) await writeFile(target, text);
  await symlink('shared.env', path);
  await setVariables(path, { DB_HOST: 'a' });
  expect((await lstat(path)).isSymbolicLink()).toBe(true);
  expect(await readFile(target, 'utf8')).toBe('DB_HOST=a\n');
  expect((await stat(target)).mode & 0o777).toBe(0o600);
  expect((await readdir(folder)).toSorted()).toEqual(['.env', 'shared.env']);
});

it("writes values that Node's parser reads again, or refuses them", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1, unit: 'binary-ascii' }), async (value) => {
      await rm(path, { force: true });
      const isWritten = await setVariables(path, { DB_PASSWORD: value }).then(
        () => true,
        (error: unknown) => !String(error).startsWith('ConfigError') && Promise.reject(error),
      );
      if (isWritten) expect(parseEnv(await readFile(path, 'utf8'))['DB_PASSWORD']).toBe(value);
    }),
    { numRuns: 200 },
  );
});

it('lists the settings that are only in the shell or have another value there, and no others', () => {
  const shell = {
    DB_HOST: 'a',
    DB_PORT: '5432',
    DB_NAME: '',
    DATA_DIR: '/srv',
    HOME: '/home/asha',
    SUPERUSER_PASSWORD: 'x',
  };
  expect(onlyInShell(shell, 'DB_HOST=b\nDB_PORT=5432\n')).toEqual(['DATA_DIR', 'DB_HOST']);
});
