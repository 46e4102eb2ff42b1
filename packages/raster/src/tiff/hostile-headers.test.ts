import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { isDomainError } from '@headwater/core/errors';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { openRaster } from './open-raster.ts';
import { bombed, chained, claiming, hugeTables, selfPointing, TAG } from '../../../../scripts/spoilt-tiff.mjs';

const folder = mkdtempSync(join(tmpdir(), 'headwater-hostile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const grid = { crs: 'EPSG:32643', west: 5e5, north: 26e5, pixelWidth: 10, pixelHeight: 10, cols: 96, rows: 96 };
let good: Uint8Array;
beforeAll(async () => {
  const path = join(folder, 'good.tif');
  const data = Uint16Array.from({ length: 96 * 96 }, (_, i) => 1000 + (i % 7));
  await writeGeoTiff(path, { grid, overviews: 'average', tileSize: 32, predictor: 2, data });
  good = readFileSync(path);
});

/** Why a file of these bytes cannot be opened and read; undefined where it can. Anything else than `input_data` is a fault of ours. */
async function refusal(bytes: Uint8Array, grow?: number): Promise<string | undefined> {
  const path = join(folder, 'spoilt.tif');
  writeFileSync(path, bytes);
  if (grow !== undefined) truncateSync(path, grow);
  try {
    const file = await openRaster(path);
    try {
      await file.readWindow({ col: 5, row: 5, cols: 40, rows: 40 }, new Float64Array(1600));
    } finally {
      file.close();
    }
    return undefined;
  } catch (error) {
    if (!isDomainError(error) || error.code !== 'input_data') throw error;
    return error.message;
  }
}

const GIB = 2 ** 30;
const LONG8 = 16;

/** What is done to the good file, and why it is refused then. */
interface Hostile {
  readonly name: string;
  readonly spoil: () => Uint8Array;
  readonly reason: RegExp;
  /** Bytes that the file is made to have, none of them on the disk. */
  readonly grow?: number;
}

const CLAIMS: readonly Hostile[] = [
  {
    name: 'a directory that comes after itself',
    spoil: () => selfPointing(good),
    reason: /directory at byte \d+ comes after itself/,
  },
  { name: 'thousands of directories', spoil: () => chained(good, 5000), reason: /more than 256 directories/ },
  {
    name: '67 million tiles in 2 kB',
    spoil: () => hugeTables(good),
    reason: /claims 67108864 tiles, more than 1048576/,
  },
  {
    name: '67 million tiles in a sparse file',
    spoil: () => hugeTables(good),
    reason: /claims 67108864 tiles/,
    grow: 8 * GIB,
  },
  {
    name: 'tables beyond the end of the file',
    spoil: () => claiming(good, { tag: TAG.TileOffsets, count: 2 ** 28, value: 8 }),
    reason: /they lead to byte 1073741832: it is damaged/,
  },
  {
    name: 'tables of a sparse file',
    spoil: () => claiming(good, { tag: TAG.TileOffsets, count: 2 ** 28, value: 8 }),
    reason: /headers fill more than 32 MB/,
    grow: 8 * GIB,
  },
  {
    name: 'a table that overflows',
    spoil: () => claiming(good, { tag: TAG.TileOffsets, type: LONG8, count: 2 ** 32 - 1, value: 2 ** 32 - 1 }),
    reason: /headers cannot be read, they lead to byte 3865470\d+:/,
  },
  {
    name: 'tiles of 4 GB',
    spoil: () =>
      claiming(good, { tag: TAG.TileWidth, value: 2 ** 31 - 16 }, { tag: TAG.TileHeight, value: 2 ** 31 - 16 }),
    reason: /a tile of it \(2147483632 x 2147483632 pixels\) is larger than 64 MB/,
  },
  {
    name: 'an image of 2^32 pixels a side',
    spoil: () =>
      claiming(good, { tag: TAG.ImageWidth, value: 2 ** 32 - 1 }, { tag: TAG.ImageHeight, value: 2 ** 32 - 1 }),
    reason: /have no size \(ImageWidth\)/,
  },
  {
    name: 'no tile size',
    spoil: () => claiming(good, { tag: TAG.TileWidth, value: 0 }),
    reason: /have no size \(TileWidth\)/,
  },
  {
    name: '65535 bits',
    spoil: () => claiming(good, { tag: TAG.BitsPerSample, value: 65_535 }),
    reason: /65535 bit .*not supported/,
  },
  {
    name: 'a text for a compression',
    spoil: () => claiming(good, { tag: TAG.Compression, type: 2, count: 11, value: 8 }),
    reason: /compression .* is not supported/,
  },
  { name: 'half of it', spoil: () => good.subarray(0, 700), reason: /headers cannot be read|truncated/ },
  { name: 'nothing after its first bytes', spoil: () => good.subarray(0, 8), reason: /headers cannot be read/ },
];

describe('headers that claim what is not so', () => {
  it('reads the file from which all others are made', async () => {
    expect(await refusal(good)).toBeUndefined();
  });

  it.each(CLAIMS)('$name', async ({ spoil, reason, grow }) => {
    const [before, started] = [process.memoryUsage().rss, performance.now()];
    expect(await refusal(spoil(), grow)).toMatch(reason);
    expect(performance.now() - started).toBeLessThan(1000);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  it('tiles that inflate without end are left at twice what their pixels need, or not read at all', async () => {
    const small = bombed(good, deflateSync(new Uint8Array(GIB / 32), { level: 9 }));
    const [before, started] = [process.memoryUsage().rss, performance.now()];
    expect(await refusal(small)).toMatch(/the tile at byte \d+ is damaged/);
    const large = bombed(good, deflateSync(new Uint8Array(GIB / 4), { level: 9 }));
    expect(await refusal(large)).toMatch(/claims \d+ bytes, more than its pixels can fill/);
    expect(performance.now() - started).toBeLessThan(5000);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
  });
});

describe('any damage', () => {
  const damage = fc.array(
    fc.record({ at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), byte: fc.nat(255) }),
    { minLength: 1, maxLength: 12 },
  );
  /** Half of the damage lies in the directories, where it matters most. */
  const spoilt = fc.record({
    damage,
    inHeaders: fc.boolean(),
    cut: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  });

  it('is read or refused by name, within a second and in little memory', async () => {
    const before = process.memoryUsage().rss;
    let slowest = 0;
    await fc.assert(
      fc.asyncProperty(spoilt, async (spoil) => {
        const copy = Uint8Array.from(good);
        const reach = spoil.inHeaders ? Math.min(700, copy.length) : copy.length;
        for (const { at, byte } of spoil.damage) copy[4 + Math.floor(at * (reach - 4))] = byte;
        const started = performance.now();
        await refusal(spoil.cut === null ? copy : copy.subarray(0, Math.ceil(spoil.cut * copy.length)));
        slowest = Math.max(slowest, performance.now() - started);
      }),
      { numRuns: 3000 },
    );
    expect(slowest).toBeLessThan(1000);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
  });
});
