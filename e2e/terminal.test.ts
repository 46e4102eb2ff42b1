import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { RESULT_START } from '@headwater/orchestrator-client';
import { serverBundle } from '../scripts/server-bundle.mjs';
import { HAS_PTY, nodeInTerminal, screen } from './pty.ts';
import { freePort } from './server-process.ts';

const file = (name: string): string => resolve(import.meta.dirname, name);
const BAR = file('bar.fixture.ts');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-terminal-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(!HAS_PTY)('output on a terminal', () => {
  it('of a start has its first line immediately, then a line for each stage, and at the end the URL to open', async () => {
    const port = await freePort();
    const env = { DATA_DIR: join(folder, 'data'), BACKEND_PORT: String(port), BACKEND_HOST: '127.0.0.1' };
    const start = nodeInTerminal([file('../packages/server/src/start.ts'), '--no-sample'], env);
    const first = await start.after('Headwater is starting');
    const second = await start.after('creating the embedded database');
    onTestFinished(start.interrupt);
    console.log(`first line after ${first.toFixed(0)} ms, the next after ${second.toFixed(0)} ms`);
    // The first line must come within a second, or later on a busy machine.
    expect(first).toBeLessThan(Math.max(1000, second / 2));
    await start.after(`Open http://localhost:${port}/`);
    const lines = screen(start.text()).filter((line) => line.trim() !== '');
    expect(lines.at(-1)).toBe(`  Open http://localhost:${port}/`);
    start.interrupt();
    await start.ended;
  }, 240_000);

  it('of the list of algorithms is readable and explains eo_account_id; with --json it contains a result block for programs', async () => {
    const listed = async (...more: readonly string[]): Promise<readonly string[]> => {
      const list = nodeInTerminal([await serverBundle(), 'run-algorithm', '--list', ...more], { DATA_DIR: folder });
      await list.ended;
      return screen(list.text());
    };
    const lines = await listed();
    const at = lines.findIndex((line) => /^lulc_for_tehsil {2,}\S/.test(line));
    expect(lines[at + 1]).toMatch(/^ {4}--state STRING --district STRING --block STRING/);
    expect(lines.join('\n')).toMatch(/eo_account_id is .*\. A fresh installation has the account 1\./);
    expect(lines.join('\n')).not.toContain(RESULT_START);
    expect((await listed('--json')).join('\n')).toContain(RESULT_START);
  }, 60_000);

  it('has complete log lines above the progress bar, and no progress bar at the end', async () => {
    const show = nodeInTerminal([BAR, folder], {});
    await show.ended;
    const lines = screen(show.text()).filter((line) => line !== '');
    expect(show.text()).toContain('[###');
    expect(lines).toHaveLength(7);
    for (const [i, line] of lines.entries()) expect(line, `line ${i}`).not.toContain('[#');
    for (const [i, step] of [0, 5, 10, 15, 20].entries()) expect(lines[i]).toContain(`line ${step}`);
    expect(lines[5]).toBe('sample data are generated');
    expect(lines[6]).toContain('last line');
  });
});

describe('output into a pipe', () => {
  it('is JSON, with a line for each tenth of the progress', () => {
    const text = execFileSync(process.execPath, ['--conditions=@headwater/source', BAR, folder], { encoding: 'utf8' });
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly msg: string; readonly percent?: number });
    expect(text).not.toContain('\u001B');
    expect(lines.filter(({ msg }) => msg === 'sample data').map(({ percent }) => percent)).toEqual([
      0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100,
    ]);
    expect(lines.slice(-2).map(({ msg }) => msg)).toEqual(['sample data are generated', 'last line']);
  });
});
