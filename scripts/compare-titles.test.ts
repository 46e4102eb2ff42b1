import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-titles-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a report, and returns the path. */
function report(name: string, titles: readonly string[], skipped: readonly string[] = []): string {
  const of = (status: string) => (fullName: string) => ({ fullName, status });
  const assertionResults = [...titles.map(of('passed')), ...skipped.map(of('skipped'))];
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ testResults: [{ name: '/x/packages/a/src/a.test.ts', assertionResults }] }));
  return path;
}

it('the script names a case that no longer runs, but not a case that moved to another suite or host', () => {
  const before = report('before.json', [
    'http over express adds',
    'loses none of 1,000 runs',
    'moves',
    'goes',
    'waits',
  ]);
  const here = report('here.json', ['http over fetch adds', 'loses none of 200 runs'], ['waits']);
  const there = report('there.json', ['moves']);
  const script = join(import.meta.dirname, 'compare-titles.mjs');
  const { status, stdout } = spawnSync(process.execPath, [script, before, here, there], { encoding: 'utf8' });
  expect(stdout.trim().split('\n')).toEqual([
    'no longer runs: packages/a/src/a.test.ts: goes',
    'no longer runs: packages/a/src/a.test.ts: waits',
    '5 cases ran before, 2 of them no longer run in any suite',
  ]);
  expect(status).toBe(1);
});
