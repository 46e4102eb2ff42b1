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

/** A report of cases that ran, and of one that was skipped. */
function report(name: string, titles: readonly string[], skipped: readonly string[] = []): string {
  const of = (status: string) => (fullName: string) => ({ fullName, status });
  const assertionResults = [...titles.map(of('passed')), ...skipped.map(of('skipped'))];
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ testResults: [{ name: '/x/packages/a/src/a.test.ts', assertionResults }] }));
  return path;
}

it('a case that runs in no suite is named, one that moved to another suite or another host is not', () => {
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
    'runs no more: packages/a/src/a.test.ts: goes',
    'runs no more: packages/a/src/a.test.ts: waits',
    '5 cases ran before, 2 of them run in no suite now',
  ]);
  expect(status).toBe(1);
});
