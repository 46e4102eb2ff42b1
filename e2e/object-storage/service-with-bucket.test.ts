import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { storedAddresses, toFetchHandler } from '@headwater/http-service';
import type { Headwater } from '@headwater/http-adapter-fastify';
import { createDirectoryAssets, layerImporter } from '@headwater/ingest';
import { createFakeBucket, fakeS3, withFaults } from '@headwater/object-storage/testing';
import { createPixelEngine } from '@headwater/raster';
import { compose } from '../../packages/server/src/composition.ts';
import { readConfig } from '../../packages/server/src/config/read-config.ts';
import { SAMPLE_PLACE } from '../../packages/testkit-internal/src/http/fixture/sample-place.ts';
import { requestOf } from '../../packages/testkit-internal/src/imports/import-request.fixture.ts';
import { LAYER_OPTIONS, writeRaster } from '../../packages/testkit-internal/src/imports/layer.fixture.ts';
import { copyDatabase } from '../../scripts/database-template.mjs';
import type { Loopback } from '../../scripts/loopback.mjs';
import { bucketServer } from './bucket-server.fixture.ts';

const bucket = createFakeBucket('maps');
const logger = { debug: () => {}, info: () => {}, error: () => {} };
let isAway = true;
let dataDir = '';
let storage: Loopback;
let headwater: Headwater;
let get: (path: string, headers?: Record<string, string>) => Promise<Response>;

async function openService(more: Record<string, string> = {}): Promise<Headwater> {
  const config = readConfig({
    DATA_DIR: dataDir,
    STORAGE_BUCKET_NAME: 's3://maps/headwater',
    STORAGE_ENDPOINT: storage.origin,
    STORAGE_REGION: 'us-central1',
    STORAGE_ACCESS_KEY_ID: 'id',
    STORAGE_SECRET_ACCESS_KEY: 'secret',
    ...more,
  });
  const opened = await compose(config, { logger, onDeath: (reason) => expect.fail(String(reason)) });
  const fetchIt = toFetchHandler(opened.service);
  get = (path, headers = {}) => fetchIt(new Request(new URL(path, config.baseUrl), { headers }));
  return opened;
}

/** Publishes a raster; returns the key of its file. */
async function publish(): Promise<string> {
  const { stores } = headwater;
  const { tehsil } = await stores.places.saveBundle(SAMPLE_PLACE);
  const pixels = createPixelEngine({ scratchDir: join(dataDir, 'scratch'), threads: 1 });
  const assets = createDirectoryAssets(join(dataDir, 'assets'));
  const path = join(dataDir, 'depth_sample_district_sample_tehsil.tif');
  await writeRaster(path);
  const deps = { pixels, assets, stores, ownerId: 1, addresses: storedAddresses(), version: '0.1.0' };
  const report = await layerImporter(deps, { ...LAYER_OPTIONS, name: 'depth', unit: 'm' }).run(requestOf(path));
  expect(report).toMatchObject({ stored: 1 });
  await pixels.close();
  const [layer] = await stores.catalog.layersOf(tehsil.id);
  return layer?.assetKey ?? '';
}

const localFiles = async (): Promise<readonly string[]> =>
  (await readdir(join(dataDir, 'assets'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name);

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-bucket-'));
  await copyDatabase(join(dataDir, 'db'));
  storage = await bucketServer(withFaults(fakeS3(bucket), () => (isAway ? { status: 503 } : undefined)));
  headwater = await openService();
});
afterAll(async () => {
  await headwater.close();
  await storage.close();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

it('the service publishes to the bucket, also after the bucket was unavailable, and serves ranges, maps and coverages from the bucket', async () => {
  const key = await publish();
  await headwater.start();
  const whole = Buffer.from(await (await get(`/api/v1/assets/${key}`)).arrayBuffer());
  expect(whole.subarray(0, 2).toString()).toBe('II');
  const { etag } = Object.fromEntries((await get(`/api/v1/assets/${key}`)).headers);
  expect(bucket.objects.size).toBe(0);
  isAway = false;
  await expect.poll(() => [...bucket.objects.keys()]).toContain(`headwater/${key}`);
  const health = async () => ((await (await get('/api/health')).json()) as { parts: object }).parts;
  await expect.poll(health).toMatchObject({ bucket: { state: 'ok' } });
  // Each file has one object. One more object contains the id of the installation.
  expect(bucket.objects.size).toBe((await localFiles()).length + 1);

  await rm(join(dataDir, 'assets', key.split('/')[0] ?? ''), { recursive: true });
  const part = await get(`/api/v1/assets/${key}`, { range: 'bytes=2-9', 'if-range': etag ?? '' });
  expect([part.status, part.headers.get('etag')]).toEqual([206, etag]);
  expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(2, 10))).toBe(true);
  expect((await get(`/api/v1/assets/${key}`, { 'if-none-match': etag ?? '' })).status).toBe(304);
  const layer = 'imported:depth_sample_district_sample_tehsil';
  const map = await get(
    `/geoserver/wms?service=WMS&version=1.1.1&request=GetMap&layers=${layer}&styles=&srs=EPSG:4326&bbox=85,24,85.1,24.1&width=64&height=64&format=image/png`,
  );
  expect([map.status, map.headers.get('content-type')]).toEqual([200, 'image/png']);
  const coverage = await get(
    `/geoserver/imported/ows?service=WCS&version=2.0.1&request=GetCoverage&CoverageId=${layer}&format=geotiff`,
  );
  expect(Buffer.from(await coverage.arrayBuffer()).equals(whole)).toBe(true);
  // The requests must not have created a copy of the raster on the disk.
  expect((await localFiles()).filter((name) => name.endsWith('.tif'))).toEqual([]);
});

it('with STORAGE_DELIVERY=redirect, the service redirects clients to a signed address, or to STORAGE_PUBLIC_URL if it is set', async () => {
  const key = [...bucket.objects.keys()].find((each) => each.endsWith('.tif'))?.replace('headwater/', '') ?? '';
  await headwater.close();
  headwater = await openService({ STORAGE_DELIVERY: 'redirect' });
  const signed = await get(`/api/v1/assets/${key}`, { range: 'bytes=0-3' });
  expect([signed.status, signed.headers.get('cache-control')]).toEqual([307, 'no-store']);
  expect(signed.headers.get('location')).toMatch(
    new RegExp(`^${storage.origin}/maps/headwater/${key}\\?.*X-Amz-Expires=900.*X-Amz-Signature=[0-9a-f]{64}`),
  );
  const head = new Request(`http://localhost:8000/api/v1/assets/${key}`, { method: 'HEAD' });
  const { etag } = Object.fromEntries((await toFetchHandler(headwater.service)(head)).headers);
  expect((await get(`/api/v1/assets/${key}`, { 'if-none-match': etag ?? '' })).status).toBe(304);
  await headwater.close();
  headwater = await openService({ STORAGE_DELIVERY: 'redirect', STORAGE_PUBLIC_URL: 'https://maps.example.org/' });
  expect((await get(`/api/v1/assets/${key}`)).headers.get('location')).toBe(
    `https://maps.example.org/headwater/${key}`,
  );
});
