import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemTimers } from '@headwater/core';
import { Network } from '@headwater/net';
import { createGcsStore, createS3Store, type ObjectStore, type Send } from '@headwater/object-storage';
import { withFaults } from '@headwater/object-storage/testing';
import { assetStoreCases } from '../../packages/ingest/src/assets/asset-store.fixture.ts';
import { bucketAssets, removeFolders } from '../../packages/ingest/src/assets/bucket/bucket.fixture.ts';
import {
  randomOf,
  thirtyPercent,
  tryPublications,
} from '../../packages/ingest/src/assets/bucket/publications.fixture.ts';
import type { Loopback } from '../../scripts/loopback.mjs';
import { sized } from '../../scripts/test-length.mjs';
import { bucketServer } from './bucket-server.fixture.ts';
import { type Emulator, emulators, forward, startGcsEmulator, startMoto } from './emulators.fixture.ts';

const KINDS = [
  ['moto', startMoto],
  ['gcp-storage-emulator', startGcsEmulator],
] as const;

/** Opens a bucket at this origin; each folder is a storage of its own. */
function open(kind: (typeof KINDS)[number][0], origin: string, folder: string): ObjectStore {
  const network = new Network({ settings: { allowedOrigins: [origin] } });
  const send: Send = (request, signal) => network.send(request, signal);
  const options = { send, timers: systemTimers, tries: 3, firstPauseMs: 1 };
  if (kind === 'moto') {
    const key = { region: 'us-east-1', accessKeyId: 'id', secretAccessKey: 'key' };
    return createS3Store({ bucket: { kind: 's3', bucket: 'maps', prefix: folder }, endpoint: origin, ...key }, options);
  }
  const tokens = { token: async () => 't', forget: () => {} };
  const bucket = { kind: 'gcs', bucket: 'maps', prefix: folder } as const;
  // Region that the emulator reports for its buckets.
  return createGcsStore({ bucket, endpoint: origin, region: 'us', tokens }, options);
}

describe.skipIf('reason' in emulators).each(KINDS)('files in a bucket of %s', (kind, start) => {
  let emulator: Emulator;
  const proxies: Loopback[] = [];
  let folders = 0;
  beforeAll(async () => {
    emulator = await start('maps');
  });
  afterEach(async () => {
    await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
    removeFolders();
  });
  afterAll(() => emulator.close());

  /** The emulator behind a proxy that breaks every third request. */
  const faultyStorage = async (seed: number) => {
    const fault = thirtyPercent(randomOf(seed));
    let isHealthy = false;
    const faults = withFaults(forward(emulator.origin), () => (isHealthy ? undefined : fault()));
    const proxy = await bucketServer(faults);
    proxies.push(proxy);
    const folder = `${(folders += 1)}/`;
    return { open: () => open(kind, proxy.origin, folder), heal: () => void (isHealthy = true) };
  };

  assetStoreCases(() => bucketAssets(open(kind, emulator.origin, `${(folders += 1)}/`)));

  it('is checked', async () => {
    expect(await open(kind, emulator.origin, '').check()).toMatch(/^(s3|gs):\/\/maps is in us/);
  });

  it('stores a file of several parts through connections that break', async () => {
    await tryPublications({ ...(await faultyStorage(3)), publications: 1, seed: 3, sizes: [20_000_000] });
  });

  it('loses and doubles nothing while every third request fails and processes are killed', async () => {
    const publications = sized(20, 200);
    await tryPublications({ ...(await faultyStorage(5)), publications, seed: 5, sizes: [40_000, 300] });
  });
});
