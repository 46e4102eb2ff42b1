import type { PixelGrid } from '@headwater/core';
import { createKernels } from '../../packages/raster/src/pixels/kernels.ts';
import { NearestSampler, sampleNearest } from '../../packages/raster/src/warp/resample.ts';
import { cpuSeconds, PIXELS, runContest } from '../contest.ts';
import { pixelPeer, sideOf } from '../peer.ts';
import type { BenchResult } from '../table.ts';
import type { RowContext, RowGroup } from './context.ts';

/** Resamples mask codes of 20 m onto a grid of 10 m in another UTM zone, in one thread. */
export const warpRows: RowGroup = { names: ['warp_mask'], run };

const BAR = 1.2;
/**
 * Largest allowed relative difference between the numbers of set pixels. The edges differ, because both sides
 * interpolate coordinates.
 */
const TOLERANCE = 1e-3;

const SIDE = 4096;
const PANE = 1024;
const TARGET = gridOf('EPSG:32643', { west: 899_000, north: 2_712_000, size: 10, side: SIDE });
const SOURCE = gridOf('EPSG:32644', { west: 290_000, north: 2_709_000, size: 20, side: SIDE / 2 });

async function run({ options, checks }: RowContext): Promise<BenchResult[]> {
  const { cols } = SOURCE;
  const pixels = new Uint8Array(cols * cols).map((_, i) => codeAt(i % cols, Math.floor(i / cols)));
  const whole = { col: 0, row: 0, cols, rows: cols };
  const panes = Array.from({ length: (SIDE / PANE) ** 2 }, (_, i) => {
    return { col: (i * PANE) % SIDE, row: Math.floor((i * PANE) / SIDE) * PANE, cols: PANE, rows: PANE };
  });
  const kernels = createKernels();
  const [address, to] = [kernels.alloc(pixels.length), kernels.alloc(PANE * PANE)];
  kernels.u8(address, pixels.length).set(pixels);
  const sampler = new NearestSampler(TARGET, kernels);
  let set = 0;
  const ours = async (): Promise<number> => {
    set = 0;
    const cpu = await cpuSeconds(async () => {
      for (const pane of panes) {
        const patch = { grid: SOURCE, window: whole, address, stride: cols, bytes: 1 } as const;
        sampler.sample(patch, pane, { address: to, outside: 0 });
        set += kernels.run.packClear(to, PANE, to, PANE, PANE, PANE);
      }
    });
    return SIDE ** 2 / 1e6 / cpu;
  };
  const target = new Uint8Array(PANE * 64);
  const inJavaScript = async (): Promise<number> => {
    const cpu = await cpuSeconds(async () => {
      for (const pane of panes) {
        for (let row = pane.row; row < pane.row + PANE; row += 64) {
          const window = { ...pane, row, rows: 64 };
          sampleNearest({ grid: SOURCE, window: whole, pixels }, { grid: TARGET, window }, { target, outside: 0 });
        }
      }
    });
    return SIDE ** 2 / 1e6 / cpu;
  };
  const peer = await pixelPeer('warp');
  try {
    const reference = {
      name: 'sampleNearest in JavaScript',
      rule: false,
      label: 'javascript',
      round: inJavaScript,
    } as const;
    const peers = [...sideOf(peer, 'warp_rasterio'), reference];
    const rows = await runContest({ ...PIXELS, name: 'warp_mask', bar: BAR, rounds: options.rounds, ours, peers });
    checks.close('warp_mask, set pixels', { ours: set, peer: peer?.checks.get('warp_rasterio') }, TOLERANCE);
    return rows;
  } finally {
    peer?.close();
  }
}

const codeAt = (x: number, y: number): number => (((x >> 5) * 7 + (y >> 4) * 13) % 11 > 4 ? 1 : 0);

function gridOf(crs: string, at: { west: number; north: number; size: number; side: number }): PixelGrid {
  const { west, north, size, side } = at;
  return { crs, west, north, pixelWidth: size, pixelHeight: size, cols: side, rows: side };
}
