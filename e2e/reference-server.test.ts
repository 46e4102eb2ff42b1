import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { copyDatabase } from '../scripts/database-template.mjs';
import { freePort } from './server-process.ts';
import { startReferenceServer } from '../examples/reference-server/src/server.ts';

it('listens on the port of its environment, with the options of its arguments', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'headwater-reference-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));
  copyDatabase(join(dataDir, 'db'));
  const port = await freePort();
  let output = '';
  const env = { DATA_DIR: dataDir, BACKEND_PORT: String(port), BACKEND_HOST: '127.0.0.1', SUPERUSER_PASSWD: 'x' };
  const server = await startReferenceServer(env, ['--no-sample'], { output: { write: (text) => (output += text) } });
  onTestFinished(() => server.stop());
  await server.ready();
  expect(server.address).toBe(`http://localhost:${port}`);
  // There is no sample, so there are no scenes.
  expect(await (await fetch(`http://127.0.0.1:${port}/api/health`)).json()).toMatchObject({ status: 'degraded' });
  expect(output).toContain('Did you mean SUPERUSER_PASSWORD?');
});
