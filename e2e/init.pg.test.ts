import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findPostgres } from '../scripts/postgres-cluster.mjs';
import { runCommand } from './server-process.ts';

const { make, missing } =
  (process.env['HEADWATER_TEST_PG'] ?? '') === ''
    ? { missing: 'it runs with `npm run test:postgres`' }
    : findPostgres();
if (make === undefined) console.log(`skipped: headwater init with PostgreSQL. ${missing ?? ''}`);

describe.skipIf(make === undefined)('headwater init and headwater check with PostgreSQL', () => {
  it('sets up the database, and writes its settings to a private file that check reads', async () => {
    if (make === undefined) return;
    const cluster = make();
    onTestFinished(() => cluster.remove());
    const cwd = await mkdtemp(join(tmpdir(), 'headwater-init-pg-'));
    onTestFinished(() => rm(cwd, { recursive: true, force: true }));
    const dataDir = join(cwd, 'data');
    const server = [
      '--db-host',
      cluster.folder,
      '--db-port',
      '5432',
      '--db-name',
      'postgres',
      '--db-user',
      cluster.role,
    ];
    const check = async (env: Readonly<Record<string, string>>): Promise<string> =>
      (await runCommand({ dataDir, cwd, args: ['check'], env: { MAPSERVER_PORT: '0', ...env } })).output;
    const settings = { DB_HOST: cluster.folder, DB_NAME: 'postgres', DB_USER: cluster.role };
    expect(await check(settings)).toMatch(/^ok {6}database .*PostgreSQL \d+.*; a start applies \d+ migrations$/m);
    const { code, output } = await runCommand({
      dataDir,
      cwd,
      args: ['init', '--database', 'postgresql', ...server, '--superuser', 'asha', '--yes'],
      env: { DB_PASSWORD: 'tall river #42', SUPERUSER_PASSWORD: 'tall-river-42' },
    });
    expect([code, output]).toEqual([0, expect.stringContaining('superuser: asha is created\n')]);
    expect(output).not.toMatch(/tall.river/);
    expect(output).toMatch(/, and not in \.env: BACKEND_HOST, BACKEND_PORT, DATA_DIR\. Set them in/);
    const file = join(cwd, '.env');
    expect(await readFile(file, 'utf8')).toBe(
      `DB_HOST=${cluster.folder}\nDB_PORT=5432\nDB_NAME=postgres\nDB_USER=${cluster.role}\nDB_PASSWORD='tall river #42'\n`,
    );
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await check({})).toMatch(/^ok {6}database .*; no migration is pending/m);
    const again = await runCommand({ dataDir, cwd, args: ['init'] });
    expect([again.code, again.output]).toEqual([0, expect.stringContaining('superuser: asha exists already\n')]);
  }, 240_000);
});
