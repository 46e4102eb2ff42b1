import type { IndexSpec } from '@headwater/core/pixel-plan';
import { seriesPlanes } from './pane.ts';
import type { PreparedScene, PreparedStep } from './prepared.ts';

/**
 * Maximum bytes of the panes of all workers together, for any number of scenes. With the memory of Node, its threads, the file tables
 * and the masks, the whole process remains below 1.5 GB, even for a tehsil of 80 x 80 km with scenes of two satellite orbits.
 */
export const MAX_PANE_BYTES = 640 * 1024 * 1024;

/** Maximum bytes of the 20 m bands that are cached for the panes of a section, for all workers together. */
const SHARED = 64 * 1024 * 1024;

/** Maximum pixels of one pane: larger panes do not make a run faster. */
export const PANE_PIXELS = 1024 * 1024;

/** Minimum pixels of one pane, for any number of threads: smaller panes would decode the same tiles many times. */
const LEAST_PIXELS = 512 * 512;

/** Bytes for 20 m bands that a worker caches for a section. */
export function sharedBytes(threads: number): number {
  return SHARED / threads;
}

/**
 * Number of pixels of a pane that fits in a worker's memory. For each pixel, the memory holds the series of all indices, the bands, and the
 * values of each day of one step until their median is computed.
 */
export function panePixels(
  plan: {
    readonly scenes: readonly PreparedScene[];
    readonly steps: readonly PreparedStep[];
    readonly indices: readonly IndexSpec[];
  },
  threads: number,
): number {
  const bands = new Set(plan.steps.flatMap((step) => step.bands)).size;
  const planes = seriesPlanes(plan.indices).total + datePlanes(plan) + bands;
  return Math.max(LEAST_PIXELS, Math.floor(MAX_PANE_BYTES / threads / (2 * Math.max(planes, 1))));
}

/** The largest number of days in a step. */
export function mostDays(steps: readonly PreparedStep[], scenes: readonly PreparedScene[]): number {
  return Math.max(1, ...steps.map((_, step) => daysOf(scenes, step)));
}

function datePlanes({ steps, scenes }: { steps: readonly PreparedStep[]; scenes: readonly PreparedScene[] }): number {
  return Math.max(1, ...steps.map(({ indices }, step) => indices.length * daysOf(scenes, step)));
}

function daysOf(scenes: readonly PreparedScene[], step: number): number {
  return new Set(scenes.filter(({ steps }) => steps.includes(step)).map(({ day }) => day)).size;
}
