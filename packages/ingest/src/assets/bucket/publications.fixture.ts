import { expect } from 'vitest';
import type { ObjectStore, Send } from '@headwater/object-storage';
import { withFaults, type Fault } from '@headwater/object-storage/testing';
import { bucketAssets, type TestBucketAssets } from './bucket.fixture.ts';

/** Random numbers in [0, 1) from a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a function with a fault for 30 % of its calls: no connection, a lost or cut response, or an error status. */
export function thirtyPercent(random: () => number): () => Fault | undefined {
  const kinds: readonly Fault[] = [
    'refused',
    'lost',
    'cut',
    { status: 500 },
    { status: 503, headers: { 'retry-after': '0' } },
    { status: 429 },
    { status: 403 },
    { status: 401 },
    { status: 507 },
  ];
  return () => (random() < 0.3 ? kinds[Math.floor(random() * kinds.length)] : undefined);
}

/** Object storage and size of a test of publications. */
export interface Trial {
  /** Opens the bucket; `through` wraps the function that sends requests. */
  readonly open: (through: (send: Send) => Send) => ObjectStore;
  readonly publications: number;
  readonly seed: number;
  /** Sizes of the files of a publication, bytes. */
  readonly sizes: readonly number[];
  /**
   * Uploads a folder in a child process, which is killed after `requests` requests; true if it was killed. If absent,
   * the upload is aborted in this process.
   */
  readonly killedUpload?: (base: string, requests: number) => Promise<boolean>;
  /** Share of killed uploads; default 0.2. */
  readonly killShare?: number;
  /** Ends the faults that another part of the test makes, such as a proxy. */
  readonly heal?: () => void;
}

/** Figures of a trial. */
export interface TrialFigures {
  readonly files: number;
  readonly kills: number;
}

function bytesOf(run: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 1) bytes[at] = (at * 31 + (at >> 9) + run) % 251;
  return bytes;
}

/**
 * Publishes runs while 30 % of the requests fail and uploads are killed. After each run, the files of the last two runs
 * must be readable. At the end, all files must be readable, and the bucket must have each file once.
 */
export async function tryPublications(trial: Trial): Promise<TrialFigures> {
  const { open, publications, seed, sizes, heal, killShare = 0.2 } = trial;
  const random = randomOf(seed);
  const fault = thirtyPercent(random);
  let isHealthy = false;
  const through = (send: Send): Send => withFaults(send, () => (isHealthy ? undefined : fault()));
  let store = bucketAssets(open(through));
  const base = store.folder.replace(/\/assets$/, '');
  const published = new Map<string, Uint8Array>();
  let kills = 0;
  for (let run = 1; run <= publications; run += 1) {
    await store.assets.begin(`run-${run}`, 1);
    for (const [index, size] of sizes.entries()) {
      const { key } = await store.assets.write(`run-${run}`, 1, `file-${index}.tif`, bytesOf(run, size));
      published.set(key, bytesOf(run, size));
    }
    const isKilled = random() < killShare ? await killedUpload(trial, { store, base, random }) : undefined;
    if (isKilled === true) kills += 1;
    if (isKilled === undefined) await store.uploads.run(new AbortController().signal).catch(() => {});
    else store = bucketAssets(open(through), base);
    await expectReadable(store, [...published].slice(-2 * sizes.length));
  }
  expect(publications < 50 || kills > 0).toBe(true);
  // The faults continue, and the uploads are repeated as in the service.
  for (let passes = 0; ; passes += 1) {
    const failure = await store.uploads.run(new AbortController().signal).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) break;
    if (passes === publications * 20 + 50) throw failure;
  }
  isHealthy = true;
  heal?.();
  expect(await store.localFiles()).toEqual([]);
  const found: string[] = [];
  for await (const { key } of store.assets.objects.list('')) found.push(key);
  expect(found.toSorted()).toEqual([...published.keys()].toSorted());
  await expectReadable(store, [...published]);
  return { files: published.size, kills };
}

interface Dying {
  readonly store: TestBucketAssets;
  readonly base: string;
  readonly random: () => number;
}

async function killedUpload(trial: Trial, { store, base, random }: Dying): Promise<boolean> {
  if (trial.killedUpload !== undefined) return await trial.killedUpload(base, 1 + Math.floor(random() * 12));
  const dying = new AbortController();
  const timer = setTimeout(() => dying.abort(new Error('killed')), random() * 20);
  await store.uploads.run(dying.signal).catch(() => {});
  clearTimeout(timer);
  return dying.signal.aborted;
}

async function expectReadable(
  store: TestBucketAssets,
  files: readonly (readonly [string, Uint8Array])[],
): Promise<void> {
  for (const [key, bytes] of files) {
    const file = await store.assets.open(key);
    expect(file?.bytes, key).toBe(bytes.length);
    const read = async (tries: number): Promise<Buffer> => {
      try {
        return Buffer.from(await new Response(file?.stream(0, bytes.length - 1)).arrayBuffer());
      } catch (error) {
        if (tries === 0) throw error;
        return read(tries - 1);
      }
    };
    expect((await read(20)).equals(bytes), key).toBe(true);
  }
}
