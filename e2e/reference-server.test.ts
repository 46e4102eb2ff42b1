import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { copyDatabase } from '../scripts/database-template.mjs';
import { freePort } from './server-process.ts';
import { startReferenceServer } from '../examples/reference-server/src/server.ts';

it('the reference server listens on the port in its environment, and applies the options in its arguments', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'headwater-reference-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));
  await copyDatabase(join(dataDir, 'db'));
  const port = await freePort();
  let output = '';
  const env = { DATA_DIR: dataDir, BACKEND_PORT: String(port), BACKEND_HOST: '127.0.0.1', SUPERUSER_PASSWD: 'x' };
  const server = await startReferenceServer(env, ['--no-sample'], { output: { write: (text) => (output += text) } });
  onTestFinished(() => server.stop());
  await server.ready();
  expect(server.address).toBe(`http://localhost:${port}`);
  // The state is `degraded`, because a server without a sample has no scenes.
  expect(await (await fetch(`http://127.0.0.1:${port}/api/health`)).json()).toMatchObject({ status: 'degraded' });
  expect(output).toContain('Did you mean SUPERUSER_PASSWORD?');
});

it("the reference server prints no warnings at its start if the specification's variables are set", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'headwater-specified-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));
  await copyDatabase(join(dataDir, 'db'));
  let output = '';
  const [port, mapPort] = [String(await freePort()), String(await freePort())];
  const maps = { MAPSERVER_PORT: mapPort, MAPSERVER_URL: `http://localhost:${mapPort}/geoserver` };
  const ports = { BACKEND_PORT: port, ...maps };
  const server = await startReferenceServer(
    { ...SPECIFIED, ...ports, DATA_DIR: dataDir, EXCEL_PATH: join(dataDir, 'excel') },
    ['--no-sample'],
    { output: { write: (text) => (output += text) } },
  );
  onTestFinished(() => server.stop());
  await server.ready();
  const lines = output.split('\n').filter((line) => /warning|unknown|"level":"error"/.test(line));
  expect(lines).toEqual([]);
  expect(output).not.toContain('x-secret-x');
  for (const of of [port, mapPort]) expect((await fetch(`http://127.0.0.1:${of}/geoserver/web/`)).status).toBe(200);
});

/** Variables of the interface specification: its defaults, and values for the map server. */
const SPECIFIED = {
  EXCEL_DIR: '',
  MAPSERVER_PORT: '8080',
  DB_PORT: '5432',
  DB_HOST: '',
  DB_NAME: '',
  DB_USER: '',
  DB_PASSWORD: '',
  MAPSERVER_URL: 'http://localhost:8080/geoserver',
  MAPSERVER_USERNAME: 'admin',
  MAPSERVER_PASSWORD: 'x-secret-x',
  STORAGE_BUCKET_NAME: '',
  BACKEND_CODE_DIR: '',
  PUBLIC_API_X_API_KEY: '',
  ORCHESTRATOR_API_BASE: '',
  ORCHESTRATOR_DAG_ID: '',
  ORCHESTRATOR_USERNAME: '',
  ORCHESTRATOR_PASSWORD: '',
  ORCHESTRATOR_TOKEN: '',
  SERVICE_API_BASE: '',
  LOG_LEVEL: 'info',
};
