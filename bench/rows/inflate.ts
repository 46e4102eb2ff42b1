import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decompress, discard } from '../../packages/raster/src/tiff/decompress.ts';
import { tileBytes } from '../../packages/raster/src/tiff/layout.ts';
import { openRaster } from '../../packages/raster/src/tiff/open-raster.ts';
import { cpuSeconds, runContest } from '../contest.ts';
import { rasterFolder } from '../inputs.ts';
import { pixelPeer, sideOf } from '../peer.ts';
import type { BenchResult } from '../table.ts';
import type { RowContext, RowGroup } from './context.ts';

/**
 * Decompresses the tiles of the row `decode` with node:zlib and libdeflate. Unit: decompressed bytes per second of
 * processor time.
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
  let total = 0;
  const ours = async (): Promise<number> => {
    total = 0;
    const cpu = await cpuSeconds(async () => {
      for (const tile of tiles) {
        const pixels = decompress('deflate', tile, expected);
        total += pixels.byteLength;
        discard('deflate', pixels);
      }
    });
    return total / 1e6 / cpu;
  };
  const peer = await pixelPeer('inflate', path);
  try {
    const [name, peers] = ['inflate', sideOf(peer, 'inflate_libdeflate')];
    const rows = await runContest({
      name,
      unit: 'MB/s',
      better: 'more',
      bar: null,
      rounds: options.rounds,
      ours,
      peers,
    });
    checks.equal('inflate, bytes', total, peer?.checks.get('inflate_libdeflate'));
    return rows;
  } finally {
    peer?.close();
  }
}
