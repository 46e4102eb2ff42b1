import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { createKernels, INFLATE_SLACK, SLACK } from '../../packages/raster/src/pixels/kernels.ts';
import { tileBytes } from '../../packages/raster/src/tiff/layout.ts';
import { openRaster } from '../../packages/raster/src/tiff/open-raster.ts';
import { cpuSeconds, runContest } from '../contest.ts';
import { ownCpu } from '../cpu.ts';
import { rasterFolder } from '../inputs.ts';
import { pixelPeer, sideOf } from '../peer.ts';
import type { BenchResult } from '../table.ts';
import type { RowContext, RowGroup } from './context.ts';

/**
 * Decompresses the tiles of the row `decode` with our kernel, with node:zlib and with libdeflate. Unit: megabytes of
 * pixels per processor second.
 */
export const inflateRows: RowGroup = { names: ['inflate'], run };

async function run({ options, checks }: RowContext): Promise<BenchResult[]> {
  const folder = rasterFolder(options.quick);
  if (folder === undefined) return [];
  const path = join(folder, options.quick ? 'dn_2048.tif' : 'dn_4096.tif');
  const file = await openRaster(path);
  file.close();
  const [level] = file.levels;
  if (level === undefined) throw new Error(`${path} has no level`);
  const bytes = readFileSync(path);
  const tiles = Array.from(level.offsets, (at, i) => bytes.subarray(at, at + level.byteCounts[i]!));
  const expected = tileBytes(level, file.dtype);
  const kernels = createKernels();
  const target = kernels.alloc(expected + INFLATE_SLACK);
  const stored = kernels.alloc(Math.max(...level.byteCounts) + SLACK);
  const totals = { kernel: 0, zlib: 0 };
  const speedOf =
    (side: keyof typeof totals, decompress: (tile: Uint8Array) => number) => async (): Promise<number> => {
      totals[side] = 0;
      const cpu = await cpuSeconds(async () => {
        for (const tile of tiles) totals[side] += decompress(tile);
      });
      return totals[side] / 1e6 / cpu;
    };
  const kernel = speedOf('kernel', (tile) => {
    kernels.u8(stored, tile.length).set(tile);
    return kernels.run.inflate(stored, tile.length, target, expected);
  });
  const zlib = speedOf('zlib', (tile) => {
    const { buffer, byteLength } = inflateSync(tile, { chunkSize: expected + 64 });
    // Frees the result at once. Otherwise the garbage collector would free many results together, which takes long.
    buffer.transfer(0);
    return byteLength;
  });
  const peer = await pixelPeer('inflate', path);
  try {
    const rows = await runContest({
      name: 'inflate',
      unit: 'MB/s',
      better: 'more',
      bar: null,
      warm: true,
      rounds: options.rounds,
      ours: kernel,
      peers: [
        ...sideOf(peer, 'inflate_libdeflate'),
        { name: 'node:zlib', round: zlib, cpu: ownCpu, rule: false, label: 'zlib', bar: 1 },
      ],
    });
    checks.equal('inflate, bytes', totals.kernel, peer?.checks.get('inflate_libdeflate'));
    checks.equal('inflate, bytes of node:zlib', totals.zlib, totals.kernel);
    return rows;
  } finally {
    peer?.close();
  }
}
