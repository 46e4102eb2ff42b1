import type { Section } from './plan-tasks.ts';
import type { PreparedStep } from './prepared.ts';
import { stepOrder } from './step-order.ts';

/**
 * Maximum memory for the panes (parts of the grid that are being computed) of all workers together, bytes. With this
 * limit, the whole process (Node, its threads, the file tables and the masks) remains below 1.5 GB for any number of
 * scenes, even for a tehsil of 80 x 80 km with scenes of two satellite orbits.
 */
export const MAX_PANE_BYTES = 640 * 1024 * 1024;

/**
 * Maximum memory of all workers together for 20 m bands that are cached for the panes of a section, bytes. The days of
 * a pane may need more planes than the series of the pane. The additional planes are taken from this memory, so a
 * process with many dates needs no more memory than a process with few dates.
 */
const SHARED = 64 * 1024 * 1024;

/** Maximum number of pixels of one pane. With larger panes, a run would not be faster. */
export const PANE_PIXELS = 1024 * 1024;

/**
 * Minimum number of pixels of one pane, for any number of threads. With smaller panes, the same tiles would be decoded
 * many times.
 */
const LEAST_PIXELS = 512 * 512;

/**
 * Memory of one worker for the additional planes of its days and for the 20 m bands that the worker caches for a
 * section, bytes.
 */
export function sharedBytes(threads: number): number {
  return SHARED / threads;
}

/** Steps of a plan, and the number of days in each of them. */
export interface DatedSteps {
  readonly steps: readonly PreparedStep[];
  readonly days: readonly number[];
}

/** Scenes with their solar days and steps. */
type Dated = readonly { readonly day: string; readonly steps: readonly number[] }[];

/**
 * Numbers of planes that a pane needs. `kept`: for its series and its bands. `extra`: for its days, in addition to the
 * planes of the series.
 */
function planesOf({ steps, days }: DatedSteps): { readonly kept: number; readonly extra: number } {
  const sizes = steps.map(({ indices }, step) => ({ step, kept: indices.length, days: days[step] ?? 0 }));
  const series = sizes.reduce((sum, { kept }) => sum + kept, 0);
  const bands = new Set(steps.flatMap((step) => step.bands)).size;
  return { kept: series + bands, extra: stepOrder(sizes).planes - series };
}

/**
 * Maximum number of pixels of a pane that fits in a worker's memory; at least `LEAST_PIXELS`. The memory contains for each pixel: the series of all indices, the
 * bands, and the values of the days of one step, as far as they do not fit in the planes of later steps.
 */
export function panePixels(
  { steps, scenes }: { readonly steps: readonly PreparedStep[]; readonly scenes: Dated },
  threads: number,
): number {
  const { kept, extra } = planesOf({ steps, days: daysIn(steps, scenes) });
  return Math.max(LEAST_PIXELS, Math.floor(MAX_PANE_BYTES / threads / (2 * Math.max(kept + extra, 1))));
}

/**
 * Memory of a worker for a section, bytes: the largest pane, and the cached 20 m bands if several panes need them. The
 * additional planes of days are taken from the memory of these bands (`SHARED`), so only the larger of the two sizes
 * counts.
 */
export function paneMemory({ panes }: Pick<Section, 'panes'>, year: DatedSteps, threads: number): number {
  const planeBytes = 2 * Math.max(0, ...panes.map(({ cols, rows }) => cols * rows));
  const { kept, extra } = planesOf(year);
  return planeBytes * kept + Math.max(planeBytes * extra, panes.length > 1 ? sharedBytes(threads) : 0);
}

/** The largest number of days in a step. */
export function mostDays(steps: readonly PreparedStep[], scenes: Dated): number {
  return Math.max(1, ...daysIn(steps, scenes));
}

/** Number of days in each step. */
export function daysIn(steps: readonly PreparedStep[], scenes: Dated): readonly number[] {
  return steps.map(
    (_, step) => new Set(scenes.filter((scene) => scene.steps.includes(step)).map(({ day }) => day)).size,
  );
}
