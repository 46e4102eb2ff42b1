import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openBench } from '../../packages/raster/src/bench/threads.ts';
import { crcOf } from '../checks.ts';
import { PIXELS, runContest, seconds } from '../contest.ts';
import { rasterFolder } from '../inputs.ts';
import { isWanted } from '../options.ts';
import { sideOf, startPeer } from '../peer.ts';
import type { BenchResult } from '../table.ts';
import type { RowContext, RowGroup } from './context.ts';
import { THREADS } from './context.ts';

/** Lowest allowed ratio of our speed to the peer's. */
const BAR = 1.2;

/** Decodes whole uint16 COGs (deflate, predictor 2, tiles of 1024 pixels), including open and close. */
export const decodeRows: RowGroup = { names: ['decode', 'decode_10980'], run };

async function run({ options, checks }: RowContext): Promise<BenchResult[]> {
  const folder = rasterFolder(options.quick);
  if (folder === undefined) return [];
  const sizes = options.quick ? [2048] : [4096, 10980];
  const results: BenchResult[] = [];
  for (const [i, size] of sizes.entries()) {
    const name = i === 0 ? 'decode' : `decode_${size}`;
    const path = join(folder, `dn_${size}.tif`);
    if (!isWanted(name, options) || !existsSync(path)) continue;
    const peer = await startPeer('decode.py', [path, '--threads', String(THREADS)]);
    const bench = openBench(THREADS);
    const names = [`decode_rasterio_${size}_${THREADS}t`, `decode_rasterio_split_${size}_${THREADS}t`];
    try {
      const ours = async (): Promise<number> => size ** 2 / 1e6 / (await seconds(() => bench.decodeFull(path)));
      const sides = names.flatMap((side) =>
        sideOf(peer, side, { label: side.includes('split') ? 'split' : 'rasterio' }),
      );
      results.push(...(await runContest({ ...PIXELS, name, bar: BAR, rounds: options.rounds, ours, peers: sides })));
      checks.equal(name, crcOf(await bench.decodeFull(path)), peer?.checks.get(names[0] ?? ''));
    } finally {
      peer?.close();
      await bench.close();
    }
  }
  return results;
}
