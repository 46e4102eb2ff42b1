import type { Section } from './plan-tasks.ts';
import type { PreparedStep } from './prepared.ts';
import { stepOrder } from './step-order.ts';

/**
 * Maximum memory for the panes (parts of the grid in work) of all workers, bytes. The process then stays below 1.5 GB.
 */
export const MAX_PANE_BYTES = 640 * 1024 * 1024;

/** Memory of all workers for cached 20 m bands, bytes. The days of a pane may use this memory too. */
const SHARED = 64 * 1024 * 1024;

/** Maximum number of pixels of a pane. Larger panes are not faster. */
export const PANE_PIXELS = 1024 * 1024;

/** Maximum and minimum number of pixels of a pane that ends within tiles. Each such pane copies 33 KB per cut tile. */
const [PART_PIXELS, LEAST_PART] = [256 * 1024, 64 * 1024];

/** Maximum memory of one worker for a pane that ends within tiles, and for its unfinished tiles, bytes. */
const PART_BYTES = 64e6;

/** Memory of an unfinished tile: the last 32 KB of output, and the state of the kernel. */
const UNFINISHED_BYTES = 33_000;

/** Minimum number of pixels of a pane of whole tiles. In smaller panes, tiles would be decoded many times. */
const LEAST_PIXELS = 512 * 512;

/** Memory of one worker for additional planes of days and for cached 20 m bands, bytes. */
export function sharedBytes(threads: number): number {
  return SHARED / threads;
}

/** Steps of a plan, and the number of days in each of them. */
export interface DatedSteps {
  readonly steps: readonly PreparedStep[];
  readonly days: readonly number[];
}

/** Scenes with their days and steps. */
export type Dated = readonly { readonly day: string; readonly steps: readonly number[] }[];

/** Numbers of planes of a pane. `kept`: for its series and bands. `extra`: for its days, in addition. */
function planesOf({ steps, days }: DatedSteps): { readonly kept: number; readonly extra: number } {
  const sizes = steps.map(({ indices }, step) => ({ step, kept: indices.length, days: days[step] ?? 0 }));
  const series = sizes.reduce((sum, { kept }) => sum + kept, 0);
  const bands = new Set(steps.flatMap((step) => step.bands)).size;
  return { kept: series + bands, extra: stepOrder(sizes).planes - series };
}

/** Maximum number of pixels of a pane that fits in a worker's memory; at least `LEAST_PIXELS`. */
export function panePixels(
  { steps, scenes }: { readonly steps: readonly PreparedStep[]; readonly scenes: Dated },
  threads: number,
): number {
  const { kept, extra } = planesOf({ steps, days: daysIn(steps, scenes) });
  return Math.max(LEAST_PIXELS, Math.floor(MAX_PANE_BYTES / threads / (2 * Math.max(kept + extra, 1))));
}

/**
 * Memory of a worker for unfinished tiles, bytes. `counts`: number of scenes (or days) of each step. `tilesAcross`:
 * maximum number of tiles of a band in a pane's width.
 */
export function unfinishedBytes(
  steps: readonly PreparedStep[],
  counts: readonly number[],
  tilesAcross: number,
): number {
  return (
    UNFINISHED_BYTES * tilesAcross * steps.reduce((sum, { bands }, step) => sum + bands.length * (counts[step] ?? 0), 0)
  );
}

/**
 * Maximum number of pixels of a pane that ends within tiles: fewer for many scenes, which have more unfinished tiles.
 */
export function partPixels(
  { steps, scenes }: { readonly steps: readonly PreparedStep[]; readonly scenes: Dated },
  { threads, tilesAcross }: { readonly threads: number; readonly tilesAcross: number },
): number {
  const { kept, extra } = planesOf({ steps, days: daysIn(steps, scenes) });
  const counts = steps.map((_, step) => scenes.filter((scene) => scene.steps.includes(step)).length);
  const bytes = Math.min(PART_BYTES, MAX_PANE_BYTES / threads) - unfinishedBytes(steps, counts, tilesAcross);
  return Math.min(PART_PIXELS, Math.max(LEAST_PART, Math.floor(bytes / (2 * Math.max(1, kept + extra)))));
}

/** Memory of a worker for a section, bytes: the largest pane, and the larger of its days and the cached 20 m bands. */
export function paneMemory({ panes }: Pick<Section, 'panes'>, year: DatedSteps, threads: number): number {
  const planeBytes = 2 * Math.max(0, ...panes.map(({ cols, rows }) => cols * rows));
  const { kept, extra } = planesOf(year);
  return planeBytes * kept + Math.max(planeBytes * extra, panes.length > 1 ? sharedBytes(threads) : 0);
}

/** Largest number of days in a step; at least 1. */
export function mostDays(steps: readonly PreparedStep[], scenes: Dated): number {
  return Math.max(1, ...daysIn(steps, scenes));
}

/** Number of days in each step. */
export function daysIn(steps: readonly PreparedStep[], scenes: Dated): readonly number[] {
  return steps.map(
    (_, step) => new Set(scenes.filter((scene) => scene.steps.includes(step)).map(({ day }) => day)).size,
  );
}
