import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { childEnv } from '../scripts/child-env.mjs';
import { copyDatabase } from '../scripts/database-template.mjs';
import { freePort } from './server-process.ts';

const ROOT = resolve(import.meta.dirname, '..');
/** Executable that `npx headwater` runs. */
const BIN = join(ROOT, 'node_modules', '.bin', 'headwater');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-command-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function headwater(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const child = spawn(BIN, args, { cwd: folder, env: { ...childEnv(), ...env } });
  // Empty input, so that a command that asks for a password ends.
  child.stdin.end();
  return child;
}

async function ended(child: ChildProcess): Promise<{ readonly code: number | null; readonly output: string }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

describe('the command headwater', () => {
  it('prints its usage', async () => {
    expect(await ended(headwater(['--help']))).toEqual({
      code: 0,
      output: expect.stringMatching(/^usage: headwater \[serve\].*--service URL.*--as-superuser/s),
    });
  });

  it('accepts help as a command, with and without the name of another command after it', async () => {
    expect(await ended(headwater(['help']))).toEqual(await ended(headwater(['--help'])));
    expect(await ended(headwater(['help', 'worker']))).toEqual(await ended(headwater(['worker', '--help'])));
  });

  it('npm start -- --help prints the options and starts no server', async () => {
    const { start } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')).scripts;
    const [, ...args] = String(start).split(' ');
    const child = spawn(process.execPath, [...args, '--help'], { cwd: ROOT, env: childEnv() });
    expect(await ended(child)).toEqual({
      code: 0,
      output: expect.stringMatching(/^usage: .*--no-sample.*--all-layers/s),
    });
  });

  it('rejects an unknown command and names the most similar command in the last line', async () => {
    expect(await ended(headwater(['srve']))).toEqual({
      code: 2,
      output: expect.stringMatching(
        /unknown command: srve\. Did you mean serve\? "npx headwater --help" lists all commands\.\n$/,
      ),
    });
  });

  it('creates no superuser, database or folder in a mistyped DATA_DIR', async () => {
    const DATA_DIR = join(folder, 'dtaa');
    expect(await ended(headwater(['create-superuser', '--username', 'asha'], { DATA_DIR }))).toEqual({
      code: 2,
      output: expect.stringContaining(
        `DATA_DIR: there is no database in ${DATA_DIR}. Set DATA_DIR to the folder of the service, or start the service once.`,
      ),
    });
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it('check-data creates no folder in a mistyped DATA_DIR, and names an unknown variable', async () => {
    const DATA_DIR = join(folder, 'dtaa');
    expect(await ended(headwater(['check-data'], { DATA_DIR, EO_STAC_URL: 'https://stac.example.org' }))).toEqual({
      code: 2,
      output: expect.stringMatching(
        new RegExp(
          `^headwater: EO_STAC_URL is set, but unknown to Headwater\\. Did you mean EO_STAC_API_URL\\?[^]*` +
            `DATA_DIR: there is no folder ${DATA_DIR}\\. Set DATA_DIR to the folder of the service, or start the service once\\.`,
        ),
      ),
    });
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it('check reports every problem with exit code 1, and creates nothing; without a problem the exit code is 0', async () => {
    const DATA_DIR = join(folder, 'data');
    const env = { DATA_DIR, BACKEND_PORT: String(await freePort()), BACKEND_HOST: '127.0.0.1', MAPSERVER_PORT: '0' };
    expect(await ended(headwater(['check'], env))).toEqual({
      code: 0,
      output: expect.stringMatching(/^ok {6}settings [^]*a start would succeed; \d+ warnings?\n$/),
    });
    const wrong = { ...env, JWT_SECRET: 'short', DB_HOST: '127.0.0.1', DB_PORT: '1', DB_NAME: 'a', DB_USER: 'b' };
    const { code, output } = await ended(headwater(['check', '--json'], wrong));
    expect([code, JSON.parse(output)]).toEqual([
      1,
      expect.arrayContaining([
        { check: 'settings', level: 'problem', text: expect.stringMatching(/^JWT_SECRET: /) },
        { check: 'database', level: 'problem', text: expect.stringContaining('does not respond') },
      ]),
    ]);
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it('rejects an invalid sample size before it creates a database', async () => {
    const { code, output } = await ended(headwater(['--sample-size', '7'], { DATA_DIR: join(folder, 'data') }));
    expect([code, output]).toEqual([2, expect.stringMatching(/--sample-size: 7 is not a multiple of 4 km/)]);
    expect(existsSync(join(folder, 'data', 'db'))).toBe(false);
  });

  it('serves until SIGTERM, then stops', async () => {
    const port = await freePort();
    await copyDatabase(join(folder, 'data', 'db'));
    const env = {
      DATA_DIR: join(folder, 'data'),
      BACKEND_PORT: String(port),
      BACKEND_HOST: '127.0.0.1',
      SUPERUSER_PASSWD: 'tall-river-42',
    };
    const child = headwater(['--no-sample'], env);
    onTestFinished(() => void child.kill('SIGTERM'));
    let text = '';
    const open = new Promise<void>((found) => {
      child.stdout?.on('data', (chunk: Buffer) => {
        text += String(chunk);
        if (text.includes(`Open http://localhost:${port}/`)) found();
      });
    });
    const end = ended(child);
    await Promise.race([open, end]);
    expect((await fetch(`http://localhost:${port}/api/health`)).status).toBe(200);
    expect(
      text.split('SUPERUSER_PASSWD is set, but unknown to Headwater. Did you mean SUPERUSER_PASSWORD?'),
    ).toHaveLength(2);
    expect(text).not.toContain('tall-river-42');
    expect(text).not.toContain('PUBLIC_BASE_URL');
    child.kill('SIGTERM');
    expect((await end).code).toBe(0);
    await expect(fetch(`http://localhost:${port}/api/health`)).rejects.toThrow('fetch failed');
  }, 240_000);
});
