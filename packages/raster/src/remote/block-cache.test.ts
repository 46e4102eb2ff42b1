import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { type BlockReport, readBlocks, readInProcess } from './block-reader.fixture.ts';
import { type SceneServer, startSceneServer } from './scene-server.fixture.ts';

const SIDE = 512;
const folder = mkdtempSync(join(tmpdir(), 'headwater-blocks-'));
let scenes: readonly [Uint8Array, Uint8Array];
let server: SceneServer;
let cache: string;

async function sceneOf(seed: number): Promise<Uint8Array> {
  const path = join(folder, `${seed}.tif`);
  const data = Uint16Array.from({ length: SIDE * SIDE }, (_, i) => Math.imul(i + 1, 2_654_435_761 * seed) >>> 20);
  const grid = { crs: 'EPSG:32643', west: 500_000, north: 2_600_000, pixelWidth: 10, pixelHeight: 10 };
  const format = { tileSize: 64, overviews: 'none', predictor: 2, threads: 1, nodata: 0 } as const;
  await writeGeoTiff(path, { grid: { ...grid, cols: SIDE, rows: SIDE }, data, ...format });
  return new Uint8Array(readFileSync(path));
}

beforeAll(async () => {
  scenes = [await sceneOf(1), await sceneOf(3)];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  cache = mkdtempSync(join(folder, 'cache-'));
  server = await startSceneServer(scenes[0], '"v1"');
});
afterEach(() => server.close());

const blocks = () => ({ folder: cache, maxBytes: 64e6, minFreeBytes: 0 });
const readCached = (href = server.href): Promise<BlockReport> => readBlocks({ href, blocks: blocks() });
const files = (): readonly string[] =>
  readdirSync(cache, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
const total = (): number => files().reduce((sum, path) => sum + statSync(path).size, 0);

describe('the cache of blocks of remote files', () => {
  it('requests each byte only once if two processes read one scene at the same time', async () => {
    const plain = await readBlocks({ href: server.href });
    server.reset();
    const both = await Promise.all([1, 2].map(() => readInProcess({ href: server.href, blocks: blocks() })));
    expect(both.map(({ digest }) => digest)).toEqual([plain.digest, plain.digest]);
    // The first bytes are ignored, because both processes may open the file before these bytes are cached.
    const tiles = server.sent().subarray(16 * 1024);
    expect(Math.max(...tiles)).toBe(1);
    server.reset();
    expect(await readCached()).toMatchObject({ digest: plain.digest, misses: 0, hits: (SIDE / 64) ** 2 });
    expect(server.ranges).toEqual([]);
  });

  it('reads neighbouring tiles with few requests, with and without a cache', async () => {
    await readBlocks({ href: server.href });
    const without = server.ranges.length;
    server.reset();
    await readCached();
    expect([without, server.ranges.length]).toEqual([without, without]);
    expect(without).toBeLessThan(6);
  });

  it('reads a replaced file from its server, and never mixes two versions', async () => {
    const first = await readCached();
    server.served = { bytes: scenes[1], etag: '"v2"' };
    server.reset();
    const second = await readCached();
    expect(second.digest).toBe((await readBlocks({ href: server.href })).digest);
    expect(second.digest).not.toBe(first.digest);
    expect(second).toMatchObject({ hits: 0 });
  });

  it.each([undefined, 'W/"weak"'])('does not store a file with the ETag %s', async (etag) => {
    server.served = { bytes: scenes[0], ...(etag !== undefined && { etag }) };
    const { digest } = await readCached();
    expect((await readCached()).digest).toBe(digest);
    expect(total()).toBe(0);
  });

  it('requests a torn or damaged block again', async () => {
    const { digest } = await readCached();
    const all = files();
    truncateSync(all[0] ?? '', 100);
    truncateSync(all[1] ?? '', 3);
    const damaged = readFileSync(all[2] ?? '');
    damaged[damaged.length - 1]! ^= 1;
    writeFileSync(all[2] ?? '', damaged);
    server.reset();
    const again = await readCached();
    expect([again.digest, server.ranges.length > 0]).toEqual([digest, true]);
    server.reset();
    expect(await readCached()).toMatchObject({ digest, misses: 0 });
  });

  it('reads blocks that a killed process has marked as being read, and removes the marks once they are old', async () => {
    const kill = new AbortController();
    const begun = Promise.withResolvers<void>();
    server.before = async (range) => {
      if (range.startsWith('bytes=0-')) return;
      begun.resolve();
      await new Promise(() => {});
    };
    const killed = readInProcess({ href: server.href, blocks: blocks() }, kill.signal);
    killed.catch(() => {});
    await begun.promise;
    kill.abort();
    await expect(killed).rejects.toThrow(/abort|exited/);
    server.before = async () => {};
    const marks = files().filter((path) => path.endsWith('.mark'));
    expect(marks.length).toBeGreaterThan(0);
    for (const path of marks) utimesSync(path, 0, 0);
    const { digest } = await readCached();
    expect(digest).toBe((await readBlocks({ href: server.href })).digest);
    expect(files().filter((path) => /\.(mark|tmp)$/.test(path))).toEqual([]);
  });

  it('finds the cached blocks of a file after the signature in its address has changed', async () => {
    const { digest } = await readCached(`${server.href}&sv=1&se=2026-01-01`);
    server.reset();
    const renewed = server.href.replace('secret', 'renewed');
    expect(await readCached(`${renewed}&sv=1&se=2026-02-02`)).toMatchObject({ digest, misses: 0 });
    expect(server.ranges).toEqual([]);
  });
});
