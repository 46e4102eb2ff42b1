import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SILENT, systemTimers } from '@headwater/core';
import type { DomainStores, SceneEngines } from '@headwater/core/ports';
import {
  createGoogleApi,
  createSceneEngines,
  createUsageReader,
  DEFAULT_REQUESTS,
  type RequestSettings,
  type UsageReader,
  SCENE_REMEDIES,
} from '@headwater/earth-engine';
import { createAccountKeys, FakeGoogle, type FakeImages, type FaultRule } from '@headwater/earth-engine/testing';
import { Network } from '@headwater/net';
import { freeBytesOf } from '@headwater/net/files';
import { googleTokens, serviceAccountOf } from '@headwater/net/google';
import { sceneFiles } from './scene-files.ts';
import { smallImages } from './small-images.fixture.ts';
import { type SmallScene, writeScenes } from './small-world.fixture.ts';

/** Fake of Google's servers with images of Sentinel-2, and the same scenes as a catalogue. */
export interface EarthEngineWorld {
  readonly google: FakeGoogle;
  readonly dataDir: string;
  useFaults(rule: FaultRule | undefined): void;
  /** Present and largest number of simultaneous requests for pixels. */
  readonly load: Load;
  /** Pauses before retries, ms. They are only recorded, so no test waits. */
  readonly pauses: number[];
  /** Scene engines that use one service account of the fake for all accounts of the stores. */
  engines(stores: EngineStores, scratchDir: string, options?: EngineOptions): SceneEngines;
  /** Reader of the computing time of runs. Its clock is ahead by `minutesAhead` minutes. */
  usageReader(stores: DomainStores, minutesAhead: number): UsageReader;
  close(): Promise<void>;
}

type EngineStores = Pick<DomainStores, 'eoAccounts' | 'sceneUses'>;

interface Load {
  now: number;
  most: number;
  /** Number of requests that must be in progress before the first ones continue; 0: no request waits. */
  together: number;
}

/** Options of scene engines that differ from the server's. */
export interface EngineOptions {
  readonly settings?: Partial<RequestSettings>;
  /** Largest total size of the scratch files of a plan, bytes; default 1 GB. */
  readonly mostBytes?: number;
  /** Simulated free bytes of the disk; default: the real ones. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

/** All fakes share these keys, because the creation of keys takes long. */
const KEYS = createAccountKeys();

/** Opens a fake with these scenes. */
export async function openEarthEngine(scenes: readonly SmallScene[]): Promise<EarthEngineWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'headwater-images-'));
  await writeScenes(dataDir, scenes);
  let fault: FaultRule | undefined;
  const load: Load = { now: 0, most: 0, together: 0 };
  const pauses: number[] = [];
  const images = counted(smallImages(dataDir, scenes), load);
  const google = new FakeGoogle({ keys: KEYS, images, fault: (request) => fault?.(request) });
  const { origin, close } = await google.listen();
  const network = new Network({ settings: { allowedOrigins: [origin] } });
  const account = serviceAccountOf(google.keyFor(origin));
  const now = (): Date => new Date();
  const api = createGoogleApi({
    hosts: { earthEngine: origin, storage: origin, monitoring: origin },
    tokens: googleTokens({ account, scopes: ['scope'], network }),
    fetch,
    now,
    remedies: SCENE_REMEDIES,
  });
  return {
    google,
    dataDir,
    load,
    pauses,
    useFaults: (rule) => void (fault = rule),
    engines: ({ eoAccounts, sceneUses }, scratchDir, { settings, mostBytes = 1e9, freeBytes = freeBytesOf } = {}) =>
      createSceneEngines({
        eoAccounts,
        sceneUses,
        logger: SILENT,
        scratchDir,
        mostBytes,
        freeBytes,
        origin,
        now,
        files: sceneFiles,
        serviceOf: async () => account,
        apiOf: () => api,
        settings: { ...DEFAULT_REQUESTS, ...settings },
        tools: { sleep: async (ms) => void pauses.push(ms), random: () => 0.5 },
      }),
    usageReader: (stores, minutesAhead) =>
      createUsageReader({
        stores,
        now: () => new Date(Date.now() + minutesAhead * 60_000),
        timers: systemTimers,
        logger: SILENT,
        serviceOf: async () => account,
        apiOf: () => api,
      }),
    close: async () => {
      await close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Counts simultaneous requests for pixels. The first ones wait until `load.together` requests are in progress. */
function counted(images: FakeImages, load: Load): FakeImages {
  const held: (() => void)[] = [];
  const meet = async (): Promise<void> => {
    if (load.now < load.together) return new Promise((resolve) => void held.push(resolve));
    load.together = 0;
    for (const release of held.splice(0)) release();
  };
  return {
    ...images,
    pixels: async (request) => {
      load.now += 1;
      load.most = Math.max(load.most, load.now);
      try {
        await meet();
        return await images.pixels(request);
      } finally {
        load.now -= 1;
      }
    },
  };
}
