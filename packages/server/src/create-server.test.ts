import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHeadwater, toFetchHandler } from '@headwater/http-service';
import { lulcPipeline } from '@headwater/land-cover';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { copyDatabase } from '../../../scripts/database-template.mjs';
import { createServer, localCompute } from './index.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-create-server-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));

it('createServer creates a complete server that listens at its address after start', async () => {
  await copyDatabase(join(dataDir, 'db'));
  let shown = '';
  const output = { write: (text: string) => (shown += text) };
  const settings = { dataDir, host: '127.0.0.1', port: 0, sample: false } as const;
  const server = await createServer(settings, { output, pipelines: [lulcPipeline] });
  await expect(fetch(`${server.address}/api/health`)).rejects.toThrow('fetch failed');
  await server.start();
  onTestFinished(() => server.stop());
  await server.ready();
  // The status is `degraded`, because without a sample there are no scenes.
  expect(await (await fetch(`${server.address}/api/health`)).json()).toMatchObject({ status: 'degraded' });
  const { paths } = (await (await fetch(`${server.address}/api/v1/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(paths)).toContain('/api/v1/lulc_for_tehsil/');
  expect(Object.keys(paths)).not.toContain('/api/v1/generate_drainage_layer/');
  expect(shown).toContain(`Open ${server.address}/`);
  await expect(server.start()).rejects.toThrow('started already');
  await server.stop();
  await expect(fetch(`${server.address}/api/health`)).rejects.toThrow('fetch failed');
});

it('the health of a server is not `degraded` while the start generates the scenes of the sample', async () => {
  await copyDatabase(join(dataDir, 'db'));
  const server = await createServer({ dataDir, host: '127.0.0.1', port: 0 }, { output: { write: () => true } });
  await server.start();
  onTestFinished(() => server.stop());
  const health = await fetch(`${server.address}/api/health`);
  expect(await health.json()).toMatchObject({ status: 'ok', parts: { scenes: { state: 'starting' } } });
});

it('start throws an error that names the variable of an invalid setting', async () => {
  const server = await createServer({ dataDir, host: '192.0.2.1', port: 8000, sample: false });
  await expect(server.start()).rejects.toThrow(/^BACKEND_HOST: 192\.0\.2\.1 is not an address of this machine/);
});

it('localCompute removes the cached blocks if the cache is switched off, otherwise it keeps them', async () => {
  const blocks = join(dataDir, 'scratch', 'blocks', '0');
  await mkdir(blocks, { recursive: true });
  for (const sceneCacheBytes of [undefined, 1e9]) {
    const { pixels } = await localCompute({ dataDir, sceneCacheBytes });
    await pixels.close();
    expect(await readdir(join(blocks, '..'))).toEqual(['0']);
  }
  const { pixels } = await localCompute({ dataDir, sceneCacheBytes: 0 });
  await expect.poll(() => existsSync(join(blocks, '..'))).toBe(false);
  await pixels.close();
});

it('localCompute returns all parts that createHeadwater needs to compute', async () => {
  const compute = await localCompute({ dataDir });
  const headwater = createHeadwater({
    baseUrl: 'http://headwater.example.org',
    secret: crypto.randomUUID(),
    pipelines: [lulcPipeline],
    compute,
  });
  onTestFinished(() => headwater.close());
  const answer = await toFetchHandler(headwater.service)(new Request('http://headwater.example.org/api/health'));
  expect(answer.status).toBe(200);
  expect(await compute.assets.begin('run', 1)).toBe(join(dataDir, 'assets', 'run', '1'));
  await compute.assets.write('run', 1, 'a.txt', new TextEncoder().encode('stored'));
  expect(await readFile(join(dataDir, 'assets', 'run', '1', 'a.txt'), 'utf8')).toBe('stored');
  const { scenes } = await compute.earthObservation.search({
    bbox: [85, 22, 86, 23],
    start: '2022-07-01T00:00:00Z',
    end: '2022-08-01T00:00:00Z',
  });
  expect(scenes).toEqual([]);
});
