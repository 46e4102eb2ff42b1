import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { sized } from '../../../../../scripts/test-length.mjs';
import type { LargeReport } from './large-geometries.fixture.ts';

/** Sizes of a layer, and the limit of the growth of peak memory, MiB. Reading the whole file would exceed the limit. */
const SHORT = { mb: 45, vertices: 60_000, features: 4000, mostMib: 110 };
const WHOLE = { mb: 200, vertices: 500_000, features: 18_000, mostMib: 220 };
const { mb, vertices, features, mostMib } = sized(SHORT, WHOLE);
/** Limits of the heap, MiB. Without limits, Node collects garbage at unpredictable times. */
const HEAP_FLAGS = ['--max-old-space-size=192', '--max-semi-space-size=4'];
const MINUTES_MS = 600_000;

test(
  `a layer of ${mb} MB with a feature of ${vertices} vertices is sent in bounded memory, compressed or not`,
  { timeout: MINUTES_MS },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'large-geometries-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const script = join(import.meta.dirname, 'large-geometries.fixture.ts');
    const flags = [...HEAP_FLAGS, '--conditions=@headwater/source'];
    const layer = [vertices, features].map(String);
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, folder, ...layer], {
      timeout: MINUTES_MS,
    });
    const { storedBytes, before, after, answers } = JSON.parse(stdout) as LargeReport;
    expect(storedBytes).toBeGreaterThan(mb * 1e6);
    expect(answers.map(({ requested, status, encoding }) => [requested, status, encoding])).toEqual([
      ['identity', 200, null],
      ['gzip', 200, 'gzip'],
      ['br', 200, 'br'],
      ['gzip', 200, 'gzip'],
    ]);
    for (const { declared, sent } of answers) expect(declared).toBe(sent);
    const [whole, ...packed] = answers;
    expect(whole?.sent).toBeGreaterThan(storedBytes);
    for (const { sent } of packed) expect(sent).toBeLessThan(storedBytes / 2);
    expect(after - before).toBeLessThan(mostMib);
  },
);
