import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Rgba } from '@headwater/core';
import { writeClasses } from '../../packages/raster/src/bench/whole-files.ts';
import { openRaster } from '../../packages/raster/src/tiff/open-raster.ts';
import { crcOf } from '../checks.ts';
import { PIXELS, runContest, seconds } from '../contest.ts';
import { BENCH_FOLDER, rasterFolder } from '../inputs.ts';
import { sideOf, startPeer } from '../peer.ts';
import type { BenchResult } from '../table.ts';
import type { RowContext, RowGroup } from './context.ts';
import { THREADS } from './context.ts';

/** Lowest allowed ratio of our speed to the peer's. */
const BAR = 4;
const PALETTE: Readonly<Record<number, Rgba>> = Object.fromEntries(
  Array.from({ length: 13 }, (_, value): [number, Rgba] => [
    value,
    [value * 19, 255 - value * 19, 128, value === 0 ? 0 : 255],
  ]),
);

/** Writes a class map as COG with overviews. The pixels of every level must equal the peer's. */
export const cogWriteRows: RowGroup = { names: ['cog_write'], run };

async function run({ options, checks }: RowContext): Promise<BenchResult[]> {
  const folder = rasterFolder(options.quick);
  if (folder === undefined) return [];
  const source = await openRaster(join(folder, 'classes.tif'));
  const { grid } = source;
  const data = new Uint8Array(grid.cols * grid.rows);
  await source.readWindow({ col: 0, row: 0, cols: grid.cols, rows: grid.rows }, data);
  source.close();
  const out = join(BENCH_FOLDER, 'out');
  mkdirSync(out, { recursive: true });
  const path = join(out, 'ours.tif');
  const [warm, command] = [`cog_rasterio_${THREADS}t`, `cog_gdal_translate_${THREADS}t`];
  const args = [source.href, '--out', out, '--threads', String(THREADS), '--only', `${warm},${command}`];
  const peer =
    (await startPeer('cog_write.py', args)) ?? (await startPeer('cog_write.py', [...args.slice(0, -1), warm]));
  const ours = async (): Promise<number> => {
    rmSync(path, { force: true });
    return (
      data.length / 1e6 / (await seconds(() => writeClasses(data, grid, { palette: PALETTE, path, threads: THREADS })))
    );
  };
  try {
    const peers = [...sideOf(peer, warm), ...sideOf(peer, command, { rule: false, label: 'gdal_translate' })];
    const rows = await runContest({ ...PIXELS, name: 'cog_write', bar: BAR, rounds: options.rounds, ours, peers });
    const result = peer?.checks.get(warm) as { readonly bytes: number; readonly crc: readonly string[] } | undefined;
    checks.equal('cog_write, every level', await levelCrcs(path), result?.crc);
    if (result !== undefined) console.log(`cog_write: ours ${statSync(path).size} bytes, peer's ${result.bytes}`);
    return rows;
  } finally {
    peer?.close();
  }
}

async function levelCrcs(path: string): Promise<string[]> {
  const file = await openRaster(path);
  const crcs: string[] = [];
  for (const [level, { cols, rows }] of file.levels.entries()) {
    const pixels = new Uint8Array(cols * rows);
    await file.readWindow({ col: 0, row: 0, cols, rows }, pixels, level);
    crcs.push(crcOf(pixels));
  }
  file.close();
  return crcs;
}
