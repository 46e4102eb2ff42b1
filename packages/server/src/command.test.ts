import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMMANDS } from './commands.ts';
import { readExportStacOptions } from './export-stac-command.ts';
import { readImportOptions } from './import-options.ts';
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

it.each(['check-data', '--help', 'check-data --help'])(
  '%s ends without a stack trace when its output is closed',
  async (line) => {
    const child = spawn(process.execPath, [COMMAND, ...line.split(' ')], {
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

it.each(['init', 'check', 'check-data', 'make-catalog', 'import', 'export-stac', 'smoke-test'])(
  'the help of %s says what the command reads and writes, explains each option, and has an example',
  (name) => {
    const { options = [], details = [] } = COMMANDS.find((command) => command.name === name) ?? {};
    const text = details.join('\n');
    expect(text).toMatch(/^Reads /m);
    expect(text).toMatch(/\bwrites? /i);
    expect(text).toContain(`npx headwater ${name}`);
    for (const option of options.join(' ').match(/--[a-z-]+/g) ?? []) expect(text).toContain(option);
  },
);

it('the examples in the help of commands are valid', () => {
  const wordsOf = (name: string): readonly (readonly string[])[] =>
    (COMMANDS.find((command) => command.name === name)?.details ?? [])
      .flatMap((line) => line.split(`npx headwater ${name} `).slice(1))
      .map((line) => (line.match(/"[^"]+"|\S+/g) ?? []).map((word) => word.replaceAll('"', '')));
  expect(wordsOf('import').map((words) => readImportOptions(words))).toMatchObject([
    { kind: 'places', isTrial: false },
    { kind: 'mws', place: { district: 'West Singhbhum', tehsil: 'Chaibasa' } },
  ]);
  expect(wordsOf('export-stac').map((words) => readExportStacOptions(words))).toMatchObject([{ format: 'static' }]);
});
