import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { startReader, type Reading, type TiffReader } from './reader-process.fixture.ts';
import { damaged } from './refusal.fixture.ts';
import { gdalRewrite, hasGdal } from './test-samples.fixture.ts';
import { bombed, chained, claiming, hugeTables, selfPointing, TAG } from '../../../../scripts/spoilt-tiff.mjs';
import { sized } from '../../../../scripts/test-length.mjs';

const folder = mkdtempSync(join(tmpdir(), 'headwater-hostile-'));
afterAll(() => {
  reader.stop();
  rmSync(folder, { recursive: true, force: true });
});

const grid = { crs: 'EPSG:32643', west: 5e5, north: 26e5, pixelWidth: 10, pixelHeight: 10, cols: 96, rows: 96 };
let good: Uint8Array;
let reader: TiffReader;
beforeAll(async () => {
  reader = startReader();
  const path = join(folder, 'good.tif');
  const data = Uint16Array.from({ length: 96 * 96 }, (_, i) => 1000 + (i % 7));
  await writeGeoTiff(path, { grid, overviews: 'average', tileSize: 32, predictor: 2, data });
  good = readFileSync(path);
});

/** Reads a file of these bytes. With `grow`, the file is extended to this size with a hole. */
function readingOf(bytes: Uint8Array, grow?: number): Promise<Reading> {
  const path = join(folder, 'spoilt.tif');
  writeFileSync(path, bytes);
  if (grow !== undefined) truncateSync(path, grow);
  return reader.read(path);
}

const [MIB, GIB] = [2 ** 20, 2 ** 30];
const LONG8 = 16;

interface Hostile {
  readonly name: string;
  readonly spoil: () => Uint8Array;
  readonly reason: RegExp;
  /** Size of the file with a hole at its end, bytes. Default: no hole. */
  readonly grow?: number;
}

const CLAIMS: readonly Hostile[] = [
  {
    name: 'a directory that refers to itself',
    spoil: () => selfPointing(good),
    reason: /chain of directories returns to byte \d+/,
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
    reason: /they refer to byte 1073741832; the file is damaged/,
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
    reason: /headers cannot be read, because they refer to byte 3865470\d+;/,
  },
  {
    name: 'tiles of 4 GB',
    spoil: () =>
      claiming(good, { tag: TAG.TileWidth, value: 2 ** 31 - 16 }, { tag: TAG.TileHeight, value: 2 ** 31 - 16 }),
    reason: /one of its tiles \(2147483632 x 2147483632 pixels\) is larger than 64 MB/,
  },
  {
    name: 'an image of 2^32 - 1 pixels a side',
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
    name: 'samples of 65535 bits',
    spoil: () => claiming(good, { tag: TAG.BitsPerSample, value: 65_535 }),
    reason: /65535 bit .*not supported/,
  },
  {
    name: 'GeoKeys of the type double',
    spoil: () => claiming(good, { tag: TAG.GeoKeyDirectory, type: 12 }),
    reason: /their GeoKeys are not 16-bit numbers/,
  },
  {
    name: 'offsets of tiles with fractions',
    spoil: () => claiming(good, { tag: TAG.TileOffsets, type: 11 }),
    reason: /a tile has byte \S+ and \d+ bytes, which are not whole numbers/,
  },
  {
    name: 'a text as the compression',
    spoil: () => claiming(good, { tag: TAG.Compression, type: 2, count: 11, value: 8 }),
    reason: /compression .* is not supported/,
  },
  {
    name: 'only the first 700 bytes of the file',
    spoil: () => good.subarray(0, 700),
    reason: /headers cannot be read|truncated/,
  },
  { name: 'only the first 8 bytes of the file', spoil: () => good.subarray(0, 8), reason: /headers cannot be read/ },
];

describe('headers with wrong claims', () => {
  it('the good file is read', async () => {
    expect((await readingOf(good)).reason).toBeUndefined();
  });

  it.each(CLAIMS)('$name', async ({ spoil, reason, grow }) => {
    const reading = await readingOf(spoil(), grow);
    expect(reading.reason).toMatch(reason);
    expect(reading.cpuMs).toBeLessThan(1000);
    expect(reading.grewBytes).toBeLessThan(50 * MIB);
  });

  it('tiles that inflate endlessly: decompression stops at twice the bytes of the pixels, or the tile is refused before it is read', async () => {
    const small = await readingOf(bombed(good, deflateSync(new Uint8Array(GIB / 32), { level: 9 })));
    expect(small.reason).toMatch(/the tile at byte \d+ is damaged/);
    const large = await readingOf(bombed(good, deflateSync(new Uint8Array(GIB / 4), { level: 9 })));
    expect(large.reason).toMatch(/claims \d+ bytes, more than its pixels can need/);
    for (const { cpuMs, grewBytes } of [small, large]) {
      expect(cpuMs).toBeLessThan(1000);
      expect(grewBytes).toBeLessThan(16 * MIB);
    }
  });
});

/** GDAL options for files that our writer does not write. */
const KINDS = hasGdal()
  ? {
      'a BigTIFF in tiles, LZW': [
        '-co',
        'BIGTIFF=YES',
        '-co',
        'COMPRESS=LZW',
        '-co',
        'TILED=YES',
        '-co',
        'BLOCKXSIZE=32',
        '-co',
        'BLOCKYSIZE=32',
      ],
      'big-endian strips, deflate': ['-co', 'ENDIANNESS=BIG', '-co', 'COMPRESS=DEFLATE', '-co', 'BLOCKYSIZE=7'],
      'zstd, predictor 3': ['-ot', 'Float32', '-co', 'COMPRESS=ZSTD', '-co', 'PREDICTOR=3'],
      'strips, LZW': ['-co', 'COMPRESS=LZW', '-co', 'PREDICTOR=2'],
    }
  : {};

describe('a damaged copy', () => {
  it.each(['a classic COG, deflate', ...Object.keys(KINDS)])(
    'of %s is read, or refused with a message that names the reason, within a second and in little memory',
    async (kind) => {
      const path = join(folder, 'kind.tif');
      const options = Object.entries(KINDS).find(([name]) => name === kind)?.[1];
      if (options !== undefined) gdalRewrite(join(folder, 'good.tif'), path, options);
      const tiff = options === undefined ? good : readFileSync(path);
      let [slowestMs, grewBytes] = [0, 0];
      const survives = async (bytes: Uint8Array): Promise<void> => {
        const reading = await readingOf(bytes);
        slowestMs = Math.max(slowestMs, reading.cpuMs);
        grewBytes += reading.grewBytes;
      };
      await fc.assert(fc.asyncProperty(damaged(tiff, 700), survives), { seed: 20_261_122, numRuns: sized(200, 1000) });
      expect(slowestMs).toBeLessThan(1000);
      expect(grewBytes).toBeLessThan(100 * MIB);
    },
  );
});
