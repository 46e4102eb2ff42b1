import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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
import { bucketServer, type Slowness } from './bucket-server.fixture.ts';
import { type Emulator, emulators, forward, startGcsEmulator, startMoto } from './emulators.fixture.ts';
import { openTestBucket } from './test-bucket.fixture.ts';
import { startUploader } from './uploader-process.fixture.ts';

const KINDS = [
  ['s3', 'moto', startMoto],
  ['gcs', 'gcp-storage-emulator', startGcsEmulator],
] as const;

const MS = sized(240_000, 1_800_000);

const SLOW = { throttled: 0.1, silent: 0.005, stalled: 0.01 } as const;

function slowness(random: () => number): () => Slowness | undefined {
  const kinds: readonly Slowness[] = ['throttled', 'silent', 'stalled'];
  return () => {
    let rest = random();
    return kinds.find((kind) => (rest -= SLOW[kind]) < 0);
  };
}

describe.skipIf('reason' in emulators).each(KINDS)('an asset store in an %s bucket of %s', (kind, name, start) => {
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

  /** Opens a storage behind a proxy, which breaks 30 % of the requests until `heal` is called. */
  const faultyStorage = async (seed: number, isSlow: boolean) => {
    const random = randomOf(seed);
    const fault = thirtyPercent(random);
    const slow = slowness(random);
    const counts = new Map<string, number>();
    let isHealthy = false;
    let onRequest = (): void => {};
    const faults = withFaults(forward(emulator.origin), () => (isHealthy ? undefined : fault()));
    const proxy = await bucketServer(
      (request, signal) => {
        onRequest();
        return faults(request, signal);
      },
      () => {
        const kind = isHealthy || !isSlow ? undefined : slow();
        counts.set(kind ?? 'not slow', (counts.get(kind ?? 'not slow') ?? 0) + 1);
        return kind;
      },
    );
    proxies.push(proxy);
    const prefix = `${(folders += 1)}/`;
    return {
      counts,
      open: () => openTestBucket(kind, proxy.origin, prefix),
      heal: () => void (isHealthy = true),
      killedUpload: async (base: string, requests: number): Promise<boolean> => {
        const child = startUploader(base, { origin: proxy.origin, kind, prefix });
        let sent = 0;
        onRequest = () => {
          if ((sent += 1) === requests) child.kill();
        };
        const end = await child.ended;
        onRequest = () => {};
        return end === 'SIGKILL';
      },
    };
  };

  assetStoreCases(() => bucketAssets(openTestBucket(kind, emulator.origin, `${(folders += 1)}/`)));

  it('can be checked: the check returns the address and region of the bucket', async () => {
    expect(await openTestBucket(kind, emulator.origin, '').check()).toMatch(/^(s3|gs):\/\/maps is in us/);
  });

  it('stores a file of several parts through connections that break', async () => {
    const { open, heal } = await faultyStorage(3, false);
    await tryPublications({ open, heal, publications: 1, seed: 3, sizes: [20_000_000] });
  });

  it(
    'stores each file exactly once while 30 % of the requests fail, some requests are slow, and processes are killed',
    async () => {
      const publications = sized(12, 200);
      const { counts, ...storage } = await faultyStorage(5, true);
      const began = performance.now();
      const figures = await tryPublications({
        ...storage,
        publications,
        seed: 13,
        sizes: [12_000, 300],
        killShare: sized(0.2, 0.1),
      });
      const seconds = Math.round((performance.now() - began) / 1000);
      console.log(`${name}: ${publications} publications in ${seconds} s`, figures, Object.fromEntries(counts));
      expect(figures.files).toBe(2 * publications);
      expect(figures.kills).toBeGreaterThan(0);
      expect([...counts.keys()]).toContain('throttled');
    },
    MS,
  );
});
