import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Network } from '@headwater/net';
import { openDatabase, storesOver } from '@headwater/postgres';
import { openEmbedded } from '@headwater/postgres/embedded';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { copyDatabase } from '../../../../scripts/database-template.mjs';
import { checkStart } from '../checks/start-checks.ts';
import { readConfig, readSettings } from '../config/read-config.ts';
import { eoCredentials } from '../eo-credentials.ts';
import { backupCommand } from './backup-command.ts';
import { fillDatabase } from './backup.fixture.ts';
import { backupsIn, MANIFEST } from './manifest.ts';
import { restoreCommand } from './restore-command.ts';

const SECRET = 'the secret of the deployment that was backed up';
const EMAIL = 'runner@project.test';
const LOST = /Earth-observation account \d+ \(lost\) cannot be used: .*another secret.*Upload the key again/;
const NO_FILE = /Earth-observation account \d+ \(mounted\) cannot be used: .*GOOGLE_APPLICATION_CREDENTIALS/;

let root: string;
let dataDir: string;
let backup: string;
let printed = '';

async function command(run: typeof backupCommand, env: Record<string, string>, args: readonly string[]): Promise<void> {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  printed = '';
  await run(readConfig(env), args);
}

/** Stores an account with an uploaded key, one that needs the mounted file, and a disabled one. */
async function fillAccounts(): Promise<void> {
  const embedded = await openEmbedded({ dataDir: join(dataDir, 'db') });
  const database = openDatabase(embedded.connection);
  await fillDatabase(database);
  const { eoAccounts } = storesOver(database);
  const account = {
    accountEmail: null,
    serviceAccountEmail: EMAIL,
    platform: 'earth_engine',
    isVisible: true,
  } as const;
  const { id } = await eoAccounts.create({ ...account, name: 'lost' });
  await eoAccounts.create({ ...account, name: 'mounted' });
  await eoAccounts.create({ ...account, name: 'disabled', isActive: false });
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const text = JSON.stringify({
    type: 'service_account',
    project_id: 'a-project',
    client_email: EMAIL,
    private_key: privateKey,
    token_uri: 'https://oauth2.googleapis.com/token',
  });
  const secret = new TextEncoder().encode(SECRET);
  const network = new Network();
  const { keyOf } = eoCredentials({ mounted: undefined, secret, eoAccounts, network });
  await eoAccounts.setSealedKey(id, keyOf(text).sealFor(id));
  await database.run(`delete from headwater.installation where name = 'signing key'`);
  await database.close();
  await embedded.close();
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'headwater-secrets-'));
  dataDir = join(root, 'data');
  await copyDatabase(join(dataDir, 'db'));
  await fillAccounts();
  backup = join(root, 'backups');
  await mkdir(join(dataDir, 'assets/run1/1'), { recursive: true });
  await writeFile(join(dataDir, 'assets/run1/1/map.tif'), 'pixels of the map');
  await command(backupCommand, { DATA_DIR: dataDir, JWT_SECRET: SECRET }, [backup]);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => rm(root, { recursive: true, force: true }));

it('the output about a backup names the secret that the backup does not contain, and the number of keys that need it', () => {
  expect(printed).toContain(
    'It does not contain JWT_SECRET, which signs tokens: store this secret in another place. After a restore without this secret, all users must sign in again, ' +
      'and the uploaded keys of 1 Earth-observation account cannot be decrypted.',
  );
});

it('a restore without the secret of the backup prints that all users must sign in again, and each account that needs new credentials', async () => {
  const target = join(root, 'without');
  await copyDatabase(join(target, 'db'), 'new');
  await command(restoreCommand, { DATA_DIR: target }, [backup]);
  expect(printed).toContain('The backup has no key that signs tokens: all users must sign in again. If the deployment');
  expect(printed).toMatch(LOST);
  expect(printed).toMatch(NO_FILE);
  expect(printed).not.toContain('disabled');
  expect(printed).toContain(
    'Pages of these accounts: http://localhost:8000/admin/eo-accounts/. Uploaded keys are encrypted',
  );
  const findings = await checkStart(readSettings({ DATA_DIR: target, MAPSERVER_PORT: '0' }), join(root, '.env'));
  const [found] = findings.filter(({ check }) => check === 'database');
  expect(found).toMatchObject({ level: 'warning', text: expect.stringMatching(LOST) });
  expect(found?.text).toMatch(NO_FILE);
});

it('a restore with the secret of the backup reports no uploaded key as unusable', async () => {
  const target = join(root, 'with');
  await copyDatabase(join(target, 'db'), 'new');
  await command(restoreCommand, { DATA_DIR: target, JWT_SECRET: SECRET }, [backup]);
  expect(printed).toContain('JWT_SECRET signs tokens here. If the deployment that was backed up had another secret');
  expect(printed).not.toMatch(LOST);
  expect(printed).toMatch(NO_FILE);
});

it('a restore without DB_HOST into the folder of services on a PostgreSQL is refused, and makes no database there', async () => {
  const target = join(root, 'shared');
  await mkdir(target);
  await writeFile(join(target, '.headwater-folder'), 'the id of the folder\n');
  await expect(command(restoreCommand, { DATA_DIR: target }, [backup])).rejects.toThrow(
    /^DB_HOST: it is not set, but .* is the folder of services on a PostgreSQL/,
  );
  expect(existsSync(join(target, 'db'))).toBe(false);
});

it('a restore to a PostgreSQL is refused while a service on the embedded database uses DATA_DIR', async () => {
  const embedded = await openEmbedded({ dataDir: join(dataDir, 'db') });
  try {
    const env = { DATA_DIR: dataDir, DB_HOST: '127.0.0.1', DB_PORT: '1', DB_NAME: 'x', DB_USER: 'x' };
    await expect(command(restoreCommand, env, [backup, '--replace'])).rejects.toThrow(
      `a service on an embedded database uses ${dataDir}`,
    );
  } finally {
    await embedded.close();
  }
});

it('no service starts after a restore that could not store the signing key of the backup', async () => {
  const source = join(root, 'source');
  await copyDatabase(join(source, 'db'));
  const embedded = await openEmbedded({ dataDir: join(source, 'db') });
  const database = openDatabase(embedded.connection);
  await database.run(`insert into headwater.installation (name, value) values ('signing key', 'the shared key')`);
  await database.close();
  await embedded.close();
  await mkdir(join(source, 'places'));
  await writeFile(join(source, 'places/a.geojson'), '{}');
  const folder = join(root, 'keys');
  await command(backupCommand, { DATA_DIR: source }, [folder]);
  const target = join(root, 'blocked');
  await copyDatabase(join(target, 'db'), 'new');
  // With this file, the restore fails after the database was filled.
  await writeFile(join(target, 'secrets'), '');
  await expect(command(restoreCommand, { DATA_DIR: target }, [folder])).rejects.toThrow(/EEXIST|ENOTDIR/);
  expect(existsSync(join(target, '.restoring'))).toBe(true);
  await rm(join(target, 'secrets'));
  await command(restoreCommand, { DATA_DIR: target }, [folder, '--replace']);
  expect(existsSync(join(target, '.restoring'))).toBe(false);
});

it('a restore from a folder with backups of several installations is refused; the message names the newest backup of each installation', async () => {
  const folder = join(root, 'several');
  const [own = ''] = await backupsIn(backup);
  const text = await readFile(join(backup, own, MANIFEST), 'utf8');
  const names = ['headwater-20200101T000000Z', 'headwater-20200102T000000Z'] as const;
  for (const [i, name] of names.entries()) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, MANIFEST), text.replace('"the id"', `"id ${i}"`));
  }
  await expect(command(restoreCommand, { DATA_DIR: join(root, 'into') }, [folder])).rejects.toThrow(
    `has backups of 2 installations. Name the folder of one backup:\n  ${join(folder, names[0])} is the newest of id 0\n  ${join(folder, names[1])} is the newest of id 1`,
  );
});
