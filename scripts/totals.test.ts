import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const SCRIPTS = import.meta.dirname;
const VITEST = resolve(SCRIPTS, '..', 'node_modules', 'vitest', 'vitest.mjs');

let project = '';
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'headwater-totals-'));
  mkdirSync(join(project, 'reports'));
  put('vitest.config.mjs', "export default { test: { globals: true, include: ['*.test.mjs'] } };");
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const put = (name: string, text: string): void => writeFileSync(join(project, name), text);
const failing = (name: string, message = 'it is broken') =>
  `it('${name}', () => { throw new Error('${message}'); });\n`;
const passing = (name: string): string => `it('${name}', () => {});\n`;
/** A test that fails only the first time. */
const unsteady = (name: string): string => `it('${name}', () => {
  const fs = process.getBuiltinModule('node:fs');
  if (fs.existsSync('${name}.seen')) return;
  fs.writeFileSync('${name}.seen', '');
  throw new Error('the first time');
});\n`;

function node(args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const env = { PATH: process.env['PATH'], ...more };
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: project, env, encoding: 'utf8' });
  return { status, text: stdout };
}

/** Runs the stage `test` like CI, and then the script of totals. */
function ci(failedSteps?: readonly string[]): { readonly status: number | null; readonly lines: readonly string[] } {
  const reporters = ['--reporter=json', `--reporter=${join(SCRIPTS, 'stray-errors.mjs')}`];
  const stage = node([VITEST, 'run', ...reporters, '--outputFile.json=reports/test.json'], {
    STRAY_ERRORS: join(project, 'reports', 'test.stray'),
  });
  const steps = failedSteps ?? (stage.status === 0 ? [] : ['test']);
  const { status, text } = node([join(SCRIPTS, 'totals.mjs'), 'reports', ...steps]);
  return { status, lines: text.trimEnd().split('\n') };
}

it('the script names a failed case with its error, and does not run the test file again', () => {
  put('a.test.mjs', unsteady('reads the clock') + passing('adds'));
  put('b.test.mjs', failing('subtracts', 'one and one are \\u001b[31mthree\\u001b[39m'));
  const { status, lines } = ci();
  expect(lines.slice(lines.indexOf('failed: test: a.test.mjs > reads the clock')).slice(0, 2)).toEqual([
    'failed: test: a.test.mjs > reads the clock',
    '    Error: the first time',
  ]);
  expect(lines[lines.indexOf('failed: test: b.test.mjs > subtracts') + 1]).toBe('    Error: one and one are three');
  expect([lines.at(-1), status]).toEqual(['1 passed, 2 failed, 0 skipped', 1]);
});

it('an error outside of every test counts as a failure', () => {
  put('a.test.mjs', passing('adds'));
  put('b.test.mjs', `it('leaves a promise', () => void Promise.reject(new Error('uncaught rejection')));\n`);
  const { status, lines } = ci();
  const at = lines.indexOf('failed: test: an error outside of every test');
  expect(lines[at + 1]).toBe('    Error: uncaught rejection');
  expect([lines.at(-1), status]).toEqual(['2 passed, 1 failed, 0 skipped', 1]);
});

it.each(['SIGSEGV', 'SIGKILL'])('a file counts as a failure if its process was ended by %s', (signal) => {
  put(
    'a.test.mjs',
    `it('ends', async () => {\n  process.kill(process.pid, '${signal}');\n  await new Promise(() => {});\n});\n`,
  );
  put('b.test.mjs', passing('adds'));
  const { status, lines } = ci();
  expect(lines.join('\n')).toContain('failed: test: an error outside of every test');
  expect([lines.at(-1), status]).toEqual([expect.stringMatching(/^1 passed, [12] failed/), 1]);
});

it('a file that cannot be loaded and a step that has no report count as failures', () => {
  put('a.test.mjs', 'it(;');
  put('b.test.mjs', passing('adds'));
  const { status, lines } = ci(['check', 'test']);
  expect(lines).toContainEqual(expect.stringMatching(/^failed: test: a\.test\.mjs$/));
  expect(lines.slice(-3, -1)).toEqual(['failed step: check', 'failed step: test']);
  expect([lines.at(-1), status]).toEqual(['1 passed, 2 failed, 0 skipped', 1]);
});

it('the script prints at most 40 lines of failures', () => {
  put('a.test.mjs', Array.from({ length: 60 }, (_, index) => failing(`case ${index}`)).join(''));
  put('b.test.mjs', failing('alone'));
  put('c.test.mjs', failing('alone'));
  const { lines } = ci();
  expect(lines).toHaveLength(41);
  expect(lines.slice(-2)).toEqual(['and 23 more; see the output of the steps above', '0 passed, 62 failed, 0 skipped']);
});
