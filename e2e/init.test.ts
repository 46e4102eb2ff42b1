import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { scenesAround, smallPlace, writeScenes } from '../packages/server/src/small-world.fixture.ts';
import { copyDatabase } from '../scripts/database-template.mjs';
import { listenOnLoopback } from '../scripts/loopback.mjs';
import { serverBundle } from '../scripts/server-bundle.mjs';
import { isLong } from '../scripts/test-length.mjs';
import { HAS_PTY, nodeInTerminal, screen } from './pty.ts';
import { runCommand, startCommand } from './server-process.ts';

let cwd: string;
let dataDir: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'headwater-init-'));
  dataDir = join(cwd, 'data');
  await mkdir(dataDir);
  await copyDatabase(join(dataDir, 'db'));
});
afterEach(() => rm(cwd, { recursive: true, force: true, maxRetries: 5 }));

const envFile = (): Promise<string> => readFile(join(cwd, '.env'), 'utf8');

/** Writes boundaries and scenes; returns the options of `init` that name the files of boundaries. */
async function writeWorld(): Promise<readonly string[]> {
  const { state, district, tehsil, geometry, mws } = smallPlace('Chaibasa');
  const names = { state, district, tehsil };
  const write = async (name: string, features: readonly object[]): Promise<string> => {
    await writeFile(join(cwd, name), JSON.stringify({ type: 'FeatureCollection', features }));
    return join(cwd, name);
  };
  const feature = (properties: object, of: unknown) => ({ type: 'Feature', properties, geometry: of });
  const places = await write('tehsils.geojson', [feature(names, geometry)]);
  const areas = mws.map(({ uid, geometry: of }) => feature({ ...names, uid }, of));
  await writeScenes(dataDir, scenesAround(2021));
  return ['--boundaries', places, '--mws', await write('mws.geojson', areas)];
}

describe('headwater init without a terminal', () => {
  it('names the option of the first question that has no answer, and changes nothing', async () => {
    const { code, output } = await runCommand({ dataDir, cwd, args: ['init'] });
    expect([code, output]).toEqual([2, expect.stringContaining('--database: is needed, because there is no terminal')]);
    expect(existsSync(join(cwd, '.env'))).toBe(false);
  });

  it('refuses an invalid name of the superuser, and names the option', async () => {
    const { code, output } = await runCommand({ dataDir, cwd, args: ['init', '--superuser', 'a b', '--yes'] });
    expect([code, output]).toEqual([2, expect.stringContaining('--superuser: Enter a valid username')]);
  }, 120_000);

  it('tries the connection to PostgreSQL immediately, and writes no settings if PostgreSQL does not respond', async () => {
    const server = ['--db-host', '127.0.0.1', '--db-port', '1', '--db-name', 'geo', '--db-user', 'asha'];
    const { code, output } = await runCommand({
      dataDir,
      cwd,
      args: ['init', '--database', 'postgresql', ...server],
      env: { DB_PASSWORD: 'tall-river-42' },
    });
    expect([code, output]).toEqual([1, expect.stringContaining('"geo" at 127.0.0.1:1 does not respond')]);
    expect(output).not.toContain('tall-river-42');
    expect(existsSync(join(cwd, '.env'))).toBe(false);
  });

  it.runIf(isLong)(
    'downloads boundaries from an address, and does not download them twice',
    async () => {
      const { state, district, tehsil, geometry } = smallPlace('Chaibasa');
      const file = JSON.stringify({ type: 'Feature', properties: { state, district, tehsil }, geometry });
      const server = await listenOnLoopback((_request, answer) => answer.end(file));
      onTestFinished(() => server.close());
      const url = `${server.origin}/tehsils.geojson?key=s3cret`;
      const options = ['--boundaries', url, '--scenes', 'none', '--yes'];
      const first = await runCommand({ dataDir, cwd, args: ['init', ...options] });
      expect([first.code, first.output]).toEqual([0, expect.stringContaining('boundaries: downloaded and stored\n')]);
      expect(await envFile()).toBe(`HEADWATER_SAMPLE=off\nBOUNDARY_DATA_URL=${url}\n`);
      const requests = server.asked.length;
      const second = await runCommand({ dataDir, cwd, args: ['init'] });
      expect([second.code, second.output]).toEqual([0, expect.stringContaining('are stored already')]);
      expect(server.asked).toHaveLength(requests);
      expect(first.output + second.output).not.toContain('s3cret');
    },
    240_000,
  );

  it.runIf(isLong)(
    'continues after a kill -9 during the computation, repeats no finished step, and prints the cost before it computes',
    async () => {
      const options = [...(await writeWorld()), '--scenes', 'none', '--tehsil', 'chaibasa', '--years', '2021', '--yes'];
      const killed = await startCommand({ dataDir, cwd, args: ['init', ...options] });
      await killed.printed(/ {2}lulc_for_tehsil \d+ %/, 360_000);
      await killed.stop('SIGKILL');
      const before = killed.output();
      expect(before).toMatch(/superuser: test_user_\d{4} is created; password, shown only now: \S+\n/);
      expect(before).toMatch(
        /tehsil: Chaibasa, Nirmalgarh, Virtapradesh\n {2}2021-2022: 48 scenes\n {2}cost: 48 scenes, about \d+ MB from this disk, about one minute/,
      );
      expect(await envFile()).toBe('HEADWATER_SAMPLE=off\n');
      expect((await stat(join(cwd, '.env'))).mode & 0o777).toBe(0o600);
      const second = await runCommand({ dataDir, cwd, args: ['init', '--yes'] });
      expect([second.code, second.output]).toEqual([0, expect.stringContaining('tehsil: Chaibasa is computed\n')]);
      expect(second.output).toMatch(
        /superuser: test_user_\d{4} exists already\n[^]*tehsils\.geojson is stored already\n[^]*mws\.geojson is stored already\n/,
      );
    },
    400_000,
  );
});

describe.skipIf(!HAS_PTY)('headwater init on a terminal', () => {
  it('asks, hides the password, and asks again after a wrong answer; after Ctrl-C, the next call continues', async () => {
    const env = { DATA_DIR: dataDir };
    const first = nodeInTerminal([await serverBundle(), 'init'], env, cwd);
    await first.after('postgresql (your own, with PostGIS) [embedded]: ');
    first.type('mysql\n');
    await first.after('mysql is not a kind of database; write embedded or postgresql.');
    first.type('\n');
    for (const [question, answer] of [
      ['Name of the superuser', 'asha'],
      ['Password', 'tall-river-42'],
      ['Repeat the password', 'tall-river-42'],
    ] as const) {
      await first.after(question);
      first.type(`${answer}\n`);
    }
    await first.after('Boundaries of tehsils');
    first.interrupt();
    await first.ended;
    const lines = screen(first.text()).join('\n');
    expect(lines).toMatch(/database: embedded in .*all migrations are applied/);
    expect(lines).toContain('superuser: asha is created\n');
    expect(lines).toContain('stopped. Finished steps stay; call init again to continue.');
    const second = nodeInTerminal([await serverBundle(), 'init'], env, cwd);
    for (const question of ['Boundaries of tehsils', 'Satellite scenes', 'First tehsil']) {
      await second.after(question);
      second.type('\n');
    }
    await second.ended;
    const more = screen(second.text()).join('\n');
    expect(more).toContain('superuser: asha exists already\n');
    expect(more).toContain('The installation is complete.');
    expect(more).not.toContain('[embedded]:');
    expect(first.text() + second.text()).not.toContain('tall-river-42');
  }, 240_000);
});
