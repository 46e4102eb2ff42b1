import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { lockFolder } from '@headwater/postgres/embedded';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { copyDatabase } from '../../../../scripts/database-template.mjs';
import { createServer as createHeadwaterServer } from '../create-server.ts';
import { checkStart, type Finding } from './start-checks.ts';
import { type Environment, readSettings } from '../config/read-config.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-checks-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function serverWith(status: number): Promise<string> {
  const server = createServer((_request, answer) => answer.writeHead(status).end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const check = (env: Environment): Promise<readonly Finding[]> =>
  checkStart(
    readSettings({ DATA_DIR: join(folder, 'data'), BACKEND_HOST: '127.0.0.1', MAPSERVER_PORT: '0', ...env }),
    join(folder, '.env'),
  );

const textsOf = (findings: readonly Finding[], level: Finding['level']): string =>
  findings
    .filter((each) => each.level === level)
    .map((each) => `${each.check}: ${each.text}`)
    .join('\n');

it('finds nothing wrong with defaults on a free port, and creates nothing', async () => {
  const port = new URL(await serverWith(200)).port;
  const findings = await check({ BACKEND_PORT: String(Number(port) - 1) });
  expect(textsOf(findings, 'problem')).toBe('');
  expect(textsOf(findings, 'ok')).toMatch(/^database: a start makes the embedded database$/m);
  expect(existsSync(join(folder, 'data'))).toBe(false);
});

it('reports all problems of a start together, each with its setting', async () => {
  const port = new URL(await serverWith(200)).port;
  await writeFile(join(folder, 'file'), '');
  const findings = await check({
    DATA_DIR: join(folder, 'file'),
    BACKEND_PORT: port,
    JWT_SECRET: 'short',
    DB_HOST: '127.0.0.1',
    DB_PORT: '1',
    DB_NAME: 'headwater',
    DB_USER: 'asha',
    DB_PASSWORD: 'tall-river-42',
    HEADWATER_CONTAINER_MARKER: join(folder, 'file', 'started'),
    GOOGLE_APPLICATION_CREDENTIALS: join(folder, 'absent.json'),
    STORAGE_BUCKET_NAME: 'rasters',
  });
  const problems = textsOf(findings, 'problem');
  expect(problems).toMatch(/^settings: JWT_SECRET: expected at least 32 characters/m);
  expect(problems).toMatch(/^data folder: DATA_DIR: .* cannot be used: it, or a part of its path, is a file/m);
  expect(problems).toMatch(new RegExp(`^port: BACKEND_PORT: ${port} is in use by another program`, 'm'));
  expect(problems).toMatch(/^database: PostgreSQL database "headwater" at 127\.0\.0\.1:1 does not respond/m);
  expect(problems).toMatch(/^storage: GOOGLE_APPLICATION_CREDENTIALS: .*absent\.json cannot be read \(ENOENT\)/m);
  expect(problems).toMatch(/^container: HEADWATER_CONTAINER_MARKER: /m);
  expect(JSON.stringify(findings)).not.toContain('tall-river-42');
}, 60_000);

it('only warns about servers that a start does not need; the warning about a 401 names the basic-authentication backend', async () => {
  const findings = await check({
    ORCHESTRATOR_API_BASE: await serverWith(401),
    ORCHESTRATOR_DAG_ID: 'headwater',
    ORCHESTRATOR_USERNAME: 'airflow',
    ORCHESTRATOR_PASSWORD: 'tall-river-42',
    MAPSERVER_URL: `${await serverWith(500)}/geoserver`,
    MAPSERVER_USERNAME: 'admin',
    MAPSERVER_PASSWORD: 'tall-river-42',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'service@example.org',
    EO_STAC_API_URL: await serverWith(500),
  });
  expect(textsOf(findings, 'problem')).toBe('');
  const warnings = textsOf(findings, 'warning');
  expect(warnings).toMatch(/^orchestrator: ORCHESTRATOR_API_BASE: .*401.*basic-authentication backend is not enabled/m);
  expect(warnings).toMatch(/^GeoServer: MAPSERVER_URL: /m);
  expect(warnings).toMatch(/^mail: SMTP_URL: .*ECONNREFUSED/m);
  expect(warnings).toMatch(/^scenes: the STAC API 127\.0\.0\.1:\d+ is not available: it responded with HTTP 500/m);
  expect(JSON.stringify(findings)).not.toContain('tall-river-42');
}, 60_000);

it('accepts the ports and the database of the running service, but not the ports and the database of another service', async () => {
  const dataDir = join(folder, 'data');
  await copyDatabase(join(dataDir, 'db'));
  const server = await createHeadwaterServer(
    { dataDir, host: '127.0.0.1', port: 0, sample: false },
    { output: new PassThrough() },
  );
  await server.start();
  onTestFinished(() => server.stop());
  const { port } = new URL(server.address);
  const own = await check({ BACKEND_PORT: port, MAPSERVER_PORT: port });
  expect(textsOf(own, 'problem')).toBe('');
  const lines = textsOf(own, 'ok');
  expect(lines).toContain('service: the service already runs, so this checks a restart');
  expect(lines).toContain(`port: ${port} belongs to the running service, process ${process.pid}`);
  expect(textsOf(own, 'ok') + textsOf(own, 'warning')).toMatch(/^database: .*no migration is pending/m);
  const other = await check({ BACKEND_PORT: port, DATA_DIR: join(folder, 'other') });
  expect(textsOf(other, 'problem')).toMatch(
    new RegExp(`^port: BACKEND_PORT: ${port} is in use by another program`, 'm'),
  );
  const second = await check({ BACKEND_PORT: '0' });
  expect(textsOf(second, 'problem')).toMatch(/^database: The embedded database in .* is in use by process/m);
}, 60_000);

it('reports an embedded database in use, a signing key that is too short, and a file of secrets that others can read', async () => {
  const db = join(folder, 'data', 'db');
  await mkdir(join(db, 'pgdata'), { recursive: true });
  await mkdir(join(folder, 'data', 'secrets'));
  await writeFile(join(folder, 'data', 'secrets', 'jwt.key'), 'short');
  const lock = lockFolder(db);
  onTestFinished(() => lock.release());
  const inUse = await check({});
  expect(textsOf(inUse, 'problem')).toMatch(
    new RegExp(`^database: The embedded database in ${db} is in use by process`, 'm'),
  );
  expect(textsOf(inUse, 'problem')).toMatch(/^secrets: .*jwt\.key contains fewer than 32 characters/m);
  await rm(join(folder, 'data', 'secrets'), { recursive: true });
  await writeFile(join(folder, '.env'), 'DB_PASSWORD=x\n');
  await chmod(join(folder, '.env'), 0o644);
  const readable = await check({});
  expect(textsOf(readable, 'warning')).toMatch(
    /^secrets: .*\.env can be read by other users of this machine; run chmod 600/m,
  );
});

it('reports a restore that has not ended as a problem, because a start would fail', async () => {
  await mkdir(join(folder, 'data', '.restoring'), { recursive: true });
  expect(textsOf(await check({}), 'problem')).toMatch(
    /^database: DATA_DIR: a restore into .* runs, or was interrupted/m,
  );
});
