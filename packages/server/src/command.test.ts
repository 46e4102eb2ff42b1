import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callFrom, givenPath } from './given-path.ts';

const COMMAND = resolve(import.meta.dirname, '..', 'bin', 'headwater.mjs');
let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'headwater-command-')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('takes relative paths as they lie in the folder from which it is called, not in the checkout', async () => {
  const called = promisify(execFile)(process.execPath, [COMMAND, 'import', 'places', 'item.json'], { cwd: folder });
  await expect(called).rejects.toMatchObject({
    stderr: expect.stringContaining(`no file ${join(folder, 'item.json')}`),
  });
}, 60_000);

it('takes a path as it is where nobody tells the caller’s folder, and an absolute one always', () => {
  expect(givenPath('a/b')).toBe(resolve('a/b'));
  callFrom('/elsewhere/c');
  expect(givenPath('/a/b')).toBe(resolve('/a/b'));
  expect(givenPath('../b')).toBe(resolve('/elsewhere/b'));
  callFrom(undefined);
  expect(givenPath('a/b')).toBe(resolve('a/b'));
});
