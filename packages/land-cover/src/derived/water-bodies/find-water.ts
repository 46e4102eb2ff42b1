import type { LabelledRuns } from './label-runs.ts';
import { type Region, regionsOf } from './regions.ts';

/** Numbers of pixels of a body in one year: with water in any season, until rabi or longer, and until zaid. */
export type SeasonPixels = readonly [kharif: number, rabi: number, zaid: number];

/** A water body: pixels with water in any year, joined by sides or corners. */
export interface WaterBody extends Region {
  /** Numbers of pixels for each year, in the order of the years. Each season includes pixels that have water for longer. */
  readonly years: readonly SeasonPixels[];
}

/** All water bodies of a place, in the order of their first pixel, row by row from north. */
export interface WaterFound {
  readonly bodies: readonly WaterBody[];
}

/** First class of water (kharif only); classes 2, 3 and 4 are water until kharif, rabi and zaid. */
const KHARIF = 2;
const ZAID = 4;

/** Finds the water bodies over yearly classes (row-major planes of one grid). */
export function findWater(
  years: readonly Uint8Array[],
  { cols, rows }: { readonly cols: number; readonly rows: number },
): { readonly found: WaterFound; readonly runs: LabelledRuns } {
  const pixels = new Uint8Array(cols * rows);
  for (const labels of years) {
    for (let i = 0; i < pixels.length; i++) if (labels[i]! >= KHARIF && labels[i]! <= ZAID) pixels[i] = 1;
  }
  const { regions, runs } = regionsOf({ cols, rows, pixels });
  const counts = years.map((labels) => seasonPixels(labels, runs, { cols, rows }));
  const bodies = regions.map((region, body) => ({
    ...region,
    years: counts.map((year): SeasonPixels => [year[3 * body]!, year[3 * body + 1]!, year[3 * body + 2]!]),
  }));
  return { found: { bodies }, runs };
}

/** Returns `[3 * region + season]`: pixels with water until that season or longer. */
function seasonPixels(
  labels: Uint8Array,
  { starts, ends, rowStarts, regions, count }: LabelledRuns,
  { cols, rows }: { readonly cols: number; readonly rows: number },
): Uint32Array {
  const counts = new Uint32Array(3 * count);
  for (let row = 0; row < rows; row++) {
    for (let run = rowStarts[row]!; run < rowStarts[row + 1]!; run++) {
      const at = 3 * regions[run]!;
      for (let i = row * cols + starts[run]!; i < row * cols + ends[run]!; i++) {
        const label = labels[i]!;
        if (label < KHARIF || label > ZAID) continue;
        for (let season = 0; season <= label - KHARIF; season++) counts[at + season]!++;
      }
    }
  }
  return counts;
}
