import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadEstimate } from '@headwater/core/ports';
import { secondsOfPixels } from '../../packages/http-service/src/features/runs/handlers/expected-work.ts';
import { BENCH_FOLDER } from '../inputs.ts';
import { isWanted } from '../options.ts';
import { writeScaleWorld } from '../scale/scenes.ts';
import { judge, median, type BenchResult } from '../table.ts';
import { startCompute } from '../year/compute-process.ts';
import { THREADS, type RowContext, type RowGroup } from './context.ts';

/**
 * Squares: side in pixels of 10 m, and number of dates. The dates do not grow with the side, so an estimate that
 * ignores the dates would exceed `BAR`.
 */
const PLACES = [
  [160, 46],
  [240, 140],
  [340, 23],
  [460, 92],
  [600, 46],
  [780, 140],
  [1000, 23],
  [1280, 92],
  [1620, 23],
  [2048, 140],
] as const;
/** Greatest factor between estimate and measured value, in either direction. */
const BAR = 1.5;

interface Measured {
  readonly side: number;
  readonly dates: number;
  readonly estimate: ReadEstimate;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMib: number | null;
}

/** Compares the time and memory that a dry run estimates with the measured time and memory of a run. */
export const dryRunRows: RowGroup = { names: ['dry_run_seconds', 'dry_run_memory'], run };

async function run({ options }: RowContext): Promise<BenchResult[]> {
  mkdirSync(BENCH_FOLDER, { recursive: true });
  const folder = mkdtempSync(join(BENCH_FOLDER, 'dry-run-'));
  const measured: Measured[] = [];
  try {
    for (const place of options.quick ? PLACES.slice(0, 4) : PLACES) measured.push(await measure(folder, place));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const speed = median(measured.map(({ cpuSeconds, estimate }) => cpuSeconds / secondsOfPixels(estimate)));
  const factors = measured.map((each) => factorsOf(each, speed));
  console.log(
    ['pixels and dates', 'seconds', 'processor s', 'estimated', 'factor', 'peak MiB', 'estimated', 'factor'].join('\t'),
  );
  for (const { cells } of factors) console.log(cells.join('\t'));
  const row = { unit: 'factor', better: 'less', bar: BAR, ceiling: true, peer: undefined } as const;
  const worst = (list: readonly (number | null)[]): number[] => [Math.max(...list.map((value) => value ?? Infinity))];
  return [
    judge({ ...row, name: 'dry_run_seconds', ours: worst(factors.map(({ time }) => time)) }),
    judge({ ...row, name: 'dry_run_memory', ours: worst(factors.map(({ memory }) => memory)) }),
  ].filter(({ name }) => isWanted(name, options));
}

/** Runs a year twice in a new process; the first run is the warm-up. */
async function measure(folder: string, [side, dates]: (typeof PLACES)[number]): Promise<Measured> {
  const scenes = await writeScaleWorld(folder, { side, dates, tiles: 1 });
  const compute = await startCompute(scenes, THREADS);
  try {
    const estimate = await compute.estimate();
    const first = await compute.round();
    const { seconds, cpuSeconds, peakMib } = await compute.round();
    const peak = peakMib === null || first.peakMib === null ? null : Math.max(peakMib, first.peakMib);
    return { side, dates, estimate, seconds, cpuSeconds, peakMib: peak };
  } finally {
    compute.close();
  }
}

function factorsOf({ side, dates, estimate, seconds, cpuSeconds, peakMib }: Measured, speed: number) {
  const expected = secondsOfPixels(estimate) * speed;
  const expectedMib = estimate.memoryBytes / 1024 / 1024;
  const [time, memory] = [factor(expected, cpuSeconds), peakMib === null ? null : factor(expectedMib, peakMib)];
  const cells = [
    `${side} x ${side} x ${dates}`,
    seconds.toFixed(2),
    cpuSeconds.toFixed(2),
    expected.toFixed(2),
    time.toFixed(2),
    peakMib?.toFixed(0) ?? '-',
    expectedMib.toFixed(0),
    memory?.toFixed(2) ?? '-',
  ];
  return { time, memory, cells };
}

const factor = (a: number, b: number): number => Math.max(a / b, b / a);
