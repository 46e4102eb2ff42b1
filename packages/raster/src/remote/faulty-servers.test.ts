import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { type BlockReport, readBlocks } from './block-reader.fixture.ts';
import { type SceneServer, startSceneServer } from './scene-server.fixture.ts';

const SIDE = 512;
const TILES = (SIDE / 64) ** 2;
const folder = mkdtempSync(join(tmpdir(), 'headwater-faulty-'));
let scenes: readonly [Uint8Array, Uint8Array];
let digest: string;
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
  ({ digest } = await readBlocks({ href: server.href }));
  server.reset();
});
afterEach(() => server.close());

const readCached = (): Promise<BlockReport> =>
  readBlocks({ href: server.href, blocks: { folder: cache, maxBytes: 64e6, minFreeBytes: 0 } });
const readPlain = (): Promise<BlockReport> => readBlocks({ href: server.href });
const READERS = [
  ['with a cache', readCached],
  ['without a cache', readPlain],
] as const;
const isHead = (range: string): boolean => range.startsWith('bytes=0-');
const files = (): readonly string[] =>
  readdirSync(cache, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

describe.each(READERS)('a reader %s', (_, read) => {
  it('refuses a file that is replaced between two requests', async () => {
    server.before = async (range) => {
      if (!isHead(range)) server.served = { bytes: scenes[1], etag: '"v2"' };
    };
    await expect(read()).rejects.toMatchObject({
      code: 'input_data',
      message: expect.stringMatching(/B04\.tif: it was replaced on its server while it was read; start the run again/),
    });
  });

  it('repeats a request if the response begins at another byte than requested', async () => {
    let isFaulty = true;
    server.alter = ({ part, headers }, range) => {
      if (isHead(range) || !isFaulty) return { part, headers };
      isFaulty = false;
      const wrong = scenes[0].subarray(0, part.length);
      return {
        part: wrong,
        headers: { ...headers, 'content-range': `bytes 0-${part.length - 1}/${scenes[0].length}` },
      };
    };
    expect((await read()).digest).toBe(digest);
    expect((await read()).digest).toBe(digest);
  });

  it.each(['etag', 'content-range'])(
    'reads a file if its later responses have no header %s, and stores no tile',
    async (name) => {
      server.alter = ({ part, headers }, range) => {
        const rest = Object.entries(headers).filter(([key]) => isHead(range) || key !== name);
        return { part, headers: Object.fromEntries(rest) };
      };
      expect((await read()).digest).toBe(digest);
      expect(files().length).toBeLessThanOrEqual(1);
    },
  );

  it('reads a file if two servers send different ETags for it, and compares the first bytes once', async () => {
    server.alter = ({ part, headers }, range) => ({
      part,
      headers: isHead(range) ? headers : { ...headers, etag: '"other"' },
    });
    expect((await read()).digest).toBe(digest);
    expect(server.ranges.filter(isHead)).toHaveLength(2);
    expect(files().length).toBeLessThanOrEqual(1);
  });
});

describe('the cache of blocks', () => {
  it('does not cache a tile that was damaged in transfer', async () => {
    let isFaulty = true;
    server.alter = ({ part, headers }, range) => {
      if (isHead(range) || !isFaulty) return { part, headers };
      isFaulty = false;
      return { part: part.map((byte, at) => (at > 200 && at < 400 ? byte ^ 0x55 : byte)), headers };
    };
    expect((await readCached()).digest).toBe(digest);
    expect(isFaulty).toBe(false);
    expect(await readCached()).toMatchObject({ digest, hits: TILES - 1, misses: 1 });
    expect(await readCached()).toMatchObject({ digest, hits: TILES, misses: 0 });
  });

  it('does not cache the TIFF header of a file if it was damaged in transfer', async () => {
    let isFaulty = true;
    server.alter = ({ part, headers }, range) => {
      if (!isHead(range) || !isFaulty) return { part, headers };
      isFaulty = false;
      return { part: part.map((byte, at) => (at < 16 ? byte : 0)), headers };
    };
    expect((await readCached()).digest).toBe(digest);
    expect(isFaulty).toBe(false);
    expect((await readCached()).digest).toBe(digest);
  });
});
