import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const BIN = fileURLToPath(new URL('../bin/headwater-stac.mjs', import.meta.url));
let dir: string;
let bad: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'headwater-main-'));
  bad = join(dir, 'bad.json');
  writeFileSync(bad, '{"type":"Feature"}');
});
afterEach(() => rmSync(dir, { recursive: true }));

const ARGS = ['--conditions=@headwater/source', MAIN, 'validate', '--quiet'];

it('a report that cannot be written ends the program with exit code 2 and a message', async () => {
  const script = ['-c', '"$@" > /dev/full', 'sh', process.execPath, ...ARGS, bad];
  const child = spawn('sh', script, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^headwater-stac: the report cannot be written: .*ENOSPC.*; write it to another file or disk\n$/,
  );
});

it('a closed pipe ends the program with exit code 1 or 141, without a message', async () => {
  const many = Array.from({ length: 3000 }, () => bad);
  const child = spawn(process.execPath, [...ARGS, ...many], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(stderr).toBe('');
  expect([1, 141]).toContain(code);
});

it.each([
  ['20.20.2', 2, 'headwater-stac needs Node 22.18 or newer; this is v20.20.2\n'],
  ['22.17.1', 2, 'headwater-stac needs Node 22.18 or newer; this is v22.17.1\n'],
  ['22.18.0', 0, ''],
])('on Node %s the exit code is %i', async (version, code, message) => {
  const pretend = `const is = { value: { ...process.versions, node: '${version}' } };
    Object.defineProperties(process, { versions: is, version: { value: 'v${version}' } });`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, BIN, '--help'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const [stderr, [ended]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect([ended, stderr]).toEqual([code, message]);
});
