import { join } from 'node:path';
import { openBench } from '../../packages/raster/src/bench/threads.ts';
import type { BenchThreads } from '../../packages/raster/src/bench/threads.ts';
import { openRaster } from '../../packages/raster/src/tiff/open-raster.ts';
import { crcOf } from '../checks.ts';
import { PIXELS, runContest, seconds, warmUp } from '../contest.ts';
import { rasterFolder } from '../inputs.ts';
import { isWanted } from '../options.ts';
import { sideOf, startPeer } from '../peer.ts';
import type { BenchResult } from '../table.ts';
import type { RowContext, RowGroup } from './context.ts';
import { THREADS } from './context.ts';

const DATES = [3, 12] as const;
const BARS = { ndvi: 0.35, 3: 1, 12: 1.8 } as const;
/** Number of pixels that fit in the processor's caches; a pixel has 7 bytes. */
const CACHED_PIXELS = 65_536;

/**
 * Computes NDVI with an SCL mask, and medians of masked NDVI. The outputs are compared bit by bit. The rows `_cached`
 * and `_read` show the highest possible speed (decision 256).
 */
export const kernelRows: RowGroup = {
  names: ['ndvi', 'ndvi_cached', ...DATES.flatMap((n) => [`median${n}`, `median${n}_read`])],
  run,
};

interface Bands {
  readonly red: Uint16Array;
  readonly nir: Uint16Array;
  readonly scl: Uint8Array;
}

async function run(context: RowContext): Promise<BenchResult[]> {
  const folder = rasterFolder(context.options.quick);
  if (folder === undefined) return [];
  const results: BenchResult[] = [];
  if (isWanted('ndvi', context.options) || isWanted('ndvi_cached', context.options))
    results.push(...(await ndviRow(folder, context)));
  for (const dates of DATES) {
    if (isWanted(`median${dates}`, context.options) || isWanted(`median${dates}_read`, context.options))
      results.push(...(await medianRow({ folder, dates }, context)));
  }
  return results;
}

async function ndviRow(folder: string, { options, checks }: RowContext): Promise<BenchResult[]> {
  const fast = `ndvi_numba_i16_${THREADS}t`;
  const peer = await startPeer('ndvi_mask.py', [
    folder,
    '--threads',
    String(THREADS),
    '--only',
    `${fast},ndvi_numpy_i16_1t`,
  ]);
  const bench = openBench(THREADS);
  try {
    const bands = await readBands(folder, 0);
    await bench.loadNdvi(bands);
    await warmUp(() => bench.ndviMasked());
    const ours = async (): Promise<number> => bands.red.length / 1e6 / (await seconds(() => bench.ndviMasked()));
    const { rounds } = options;
    const peers = [...sideOf(peer, fast), ...sideOf(peer, 'ndvi_numpy_i16_1t', { rule: false, label: 'numpy' })];
    const rows = await runContest({ ...PIXELS, name: 'ndvi', bar: BARS.ndvi, rounds, ours, peers });
    checks.equal('ndvi', crcOf(await bench.ndviResult()), peer?.checks.get(fast));
    const pixels = Math.min(CACHED_PIXELS, bands.red.length);
    const [red, nir, scl] = [
      bands.red.subarray(0, pixels),
      bands.nir.subarray(0, pixels),
      bands.scl.subarray(0, pixels),
    ];
    await bench.loadNdvi({ red, nir, scl });
    const times = Math.ceil(bands.red.length / pixels);
    const cached = async (): Promise<number> => (times * pixels) / 1e6 / (await seconds(() => bench.ndviMasked(times)));
    await warmUp(() => bench.ndviMasked(times));
    const fastest = { ...PIXELS, name: 'ndvi_cached', bar: null, rounds, ours: cached, peers: sideOf(peer, fast) };
    return [...rows, ...(await runContest(fastest))];
  } finally {
    peer?.close();
    await bench.close();
  }
}

async function medianRow(
  { folder, dates }: { folder: string; dates: (typeof DATES)[number] },
  { options, checks }: RowContext,
): Promise<BenchResult[]> {
  const name = `median${dates}`;
  const [fast, usual] = [`${name}_numba_network_${THREADS}t`, `${name}_bottleneck_${THREADS}t`];
  const args = [folder, '--dates', String(dates), '--threads', String(THREADS), '--only', `${fast},${usual}`];
  const peer = await startPeer('median.py', args);
  const bench = openBench(THREADS);
  try {
    const planes = await ndviPlanes(folder, dates);
    await bench.loadDates(planes);
    await warmUp(() => bench.medianOf());
    const pixels = planes[0]?.length ?? 0;
    const ours = async (): Promise<number> => pixels / 1e6 / (await seconds(() => bench.medianOf()));
    const peers = [...sideOf(peer, fast), ...sideOf(peer, usual, { rule: false, label: 'bottleneck' })];
    const rows = await runContest({ ...PIXELS, name, bar: BARS[dates], rounds: options.rounds, ours, peers });
    checks.equal(name, crcOf(await bench.medianResult()), peer?.checks.get(fast));
    const read = async (): Promise<number> => pixels / 1e6 / (await seconds(() => bench.readDates()));
    const { rounds } = options;
    const ceiling = { ...PIXELS, name: `${name}_read`, bar: null, rounds, ours: read, peers: sideOf(peer, fast) };
    return [...rows, ...(await runContest(ceiling))];
  } finally {
    peer?.close();
    await bench.close();
  }
}

async function ndviPlanes(folder: string, dates: number): Promise<Int16Array[]> {
  const bench: BenchThreads = openBench(THREADS);
  const planes: Int16Array[] = [];
  try {
    for (let date = 0; date < dates; date++) {
      await bench.loadNdvi(await readBands(folder, date));
      await bench.ndviMasked();
      planes.push(await bench.ndviResult());
    }
  } finally {
    await bench.close();
  }
  return planes;
}

async function readBands(folder: string, date: number): Promise<Bands> {
  const path = (band: string): string => join(folder, `${band}_${String(date).padStart(2, '0')}.tif`);
  const size = (await openRaster(path('SCL'))).grid;
  const pixels = size.cols * size.rows;
  const bands = { red: new Uint16Array(pixels), nir: new Uint16Array(pixels), scl: new Uint8Array(pixels) };
  for (const [band, out] of [
    ['B04', bands.red],
    ['B08', bands.nir],
    ['SCL', bands.scl],
  ] as const) {
    const file = await openRaster(path(band));
    await file.readWindow({ col: 0, row: 0, cols: size.cols, rows: size.rows }, out);
    file.close();
  }
  return bands;
}
