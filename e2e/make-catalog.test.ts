import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BANDS, gridOf, valuesOf, writeDownload } from '../packages/server/src/make-catalog/downloads.fixture.ts';
import { serverBundle } from '../scripts/server-bundle.mjs';
import { HAS_PTY, nodeInTerminal, screen } from './pty.ts';
import { runCommand, startCommand } from './server-process.ts';

const GRID = gridOf(400, 400);
const DAYS = 12;
const FILES = DAYS * BANDS.length;
const START_MS = 120_000;

let dataDir = '';
let downloads = '';
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-command-'));
  downloads = join(dataDir, 'down loads');
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function putDays(): Promise<void> {
  const size = GRID.cols * GRID.rows;
  for (let day = 0; day < DAYS; day += 1) {
    for (const band of BANDS) {
      const data =
        band === 'SCL'
          ? new Uint8Array(size).fill(4)
          : Uint16Array.from({ length: size }, (_, i) => 1000 + ((i * (31 + day)) % 7000));
      await writeDownload(join(downloads, `T43QGV_201906${10 + day}T051131_${band}.tif`), { grid: GRID, data });
    }
  }
}

const command = (...args: readonly string[]) => runCommand({ dataDir, args: ['make-catalog', ...args] });
const made = async (): Promise<readonly string[]> =>
  (await readdir(join(dataDir, 'eo'), { recursive: true }).catch(() => [])).filter((name) => name.endsWith('.tif'));

describe('headwater make-catalog', () => {
  it('refuses a folder that is missing, and creates no DATA_DIR', async () => {
    const message = /FOLDER: there is no folder .*nowhere; check its name/;
    expect(await command('nowhere')).toEqual({ code: 2, output: expect.stringMatching(message) });
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('leaves no partly written file after a kill, and the next call converts the remaining files', async () => {
    await putDays();
    const running = await startCommand({ dataDir, args: ['make-catalog', downloads] });
    await running.printed(/make-catalog: 30 %/, START_MS);
    await running.stop('SIGKILL');
    const before = (await made()).filter((name) => !basename(name).startsWith('.'));
    expect(before.length).toBeGreaterThan(FILES / 5);
    for (const name of before) {
      expect([name, (await valuesOf(join(dataDir, 'eo', name))).includes(0)]).toEqual([name, false]);
    }
    const collection: unknown = JSON.parse(await readFile(join(dataDir, 'eo/own-scenes/collection.json'), 'utf8'));
    expect(JSON.stringify(collection)).toContain('S2_T43QGV_20190610T051131.json');
    const { code, output } = await command(downloads);
    expect(output).toContain(
      `${DAYS} scenes in the catalogue; ${FILES - before.length} files converted, ${before.length} converted before`,
    );
    expect(code).toBe(0);
    // The next process has removed the folder of the killed process.
    expect(await readdir(join(dataDir, 'scratch'))).toEqual([]);
  });

  it.skipIf(!HAS_PTY)('draws a progress bar on a terminal, and continues in a second call after Ctrl-C', async () => {
    await putDays();
    const running = nodeInTerminal([await serverBundle(), 'make-catalog', downloads], { DATA_DIR: dataDir });
    await running.after('] ');
    running.interrupt();
    await running.ended;
    expect(running.text()).toMatch(/make-catalog \[-+\] {3}0 % 1 of 72: /);
    expect(screen(running.text()).join('\n')).toMatch(
      /stopped by SIGINT; call again to continue, nothing is converted/,
    );
    expect((await command(downloads)).code).toBe(0);
    expect(await made()).toHaveLength(FILES);
  });
});
