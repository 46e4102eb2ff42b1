import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { LargeReport } from './large-geometries.fixture.ts';

/** A feature of 500,000 vertices as text, parsed and written again takes the most of it; the file of 200 MB none. */
const MOST_MIB = 220;
/** The heap that the process may have, MiB: without a limit Node keeps garbage as long as the machine has room for it. */
const HEAP_MIB = 192;
const MINUTES_MS = 600_000;

test(
  'a layer of 200 MB, of which one feature has 500,000 vertices, is sent in bounded memory, compressed or not',
  { timeout: MINUTES_MS },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'large-geometries-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const script = join(import.meta.dirname, 'large-geometries.fixture.ts');
    const flags = [`--max-old-space-size=${HEAP_MIB}`, '--conditions=@headwater/source'];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, folder], { timeout: MINUTES_MS });
    const { storedBytes, before, after, answers } = JSON.parse(stdout) as LargeReport;
    expect(storedBytes).toBeGreaterThan(200_000_000);
    expect(answers.map(({ asked, status, encoding }) => [asked, status, encoding])).toEqual([
      ['identity', 200, null],
      ['gzip', 200, 'gzip'],
      ['br', 200, 'br'],
      ['gzip', 200, 'gzip'],
    ]);
    for (const { told, sent } of answers) expect(told).toBe(sent);
    const [whole, ...packed] = answers;
    expect(whole?.sent).toBeGreaterThan(storedBytes);
    for (const { sent } of packed) expect(sent).toBeLessThan(storedBytes / 2);
    expect(after - before).toBeLessThan(MOST_MIB);
  },
);
