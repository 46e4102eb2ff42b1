import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callFrom, callerPath } from './read-arguments.ts';

const COMMAND = resolve(import.meta.dirname, '..', 'bin', 'headwater.mjs');
let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'headwater-command-')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("resolves relative paths in the caller's folder, not in the checkout", async () => {
  const called = promisify(execFile)(process.execPath, [COMMAND, 'import', 'places', 'item.json'], { cwd: folder });
  await expect(called).rejects.toMatchObject({
    stderr: expect.stringContaining(`no file ${join(folder, 'item.json')}`),
  });
}, 60_000);

it.each([['check-data'], ['--help'], ['check-data', '--help']])(
  '%s %s ends without a stack trace when its output is closed',
  async (...args) => {
    const child = spawn(process.execPath, [COMMAND, ...args.filter(Boolean)], {
      env: { ...process.env, DATA_DIR: folder },
    });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)));
    child.stdout.destroy();
    await once(child, 'close');
    expect(errors).not.toMatch(/EPIPE|at .*node:/);
  },
  60_000,
);

it('resolves paths in the current folder if the caller’s folder is unknown, and keeps absolute paths', () => {
  expect(callerPath('a/b')).toBe(resolve('a/b'));
  callFrom('/elsewhere/c');
  expect(callerPath('/a/b')).toBe(resolve('/a/b'));
  expect(callerPath('../b')).toBe(resolve('/elsewhere/b'));
  callFrom(undefined);
  expect(callerPath('a/b')).toBe(resolve('a/b'));
});
