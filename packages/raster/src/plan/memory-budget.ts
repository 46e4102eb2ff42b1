import type { IndexSpec } from '@headwater/core/pixel-plan';
import { seriesPlanes } from './pane.ts';
import type { PreparedScene, PreparedStep } from './prepared.ts';

/**
 * Bytes that all workers together spend on panes at most, however many scenes a plan has: what Node, its threads, the file tables
 * and the masks need besides stays below 1.5 GB for the whole process, also for 80 km and two orbits.
 */
const PANES = 640 * 1024 * 1024;

/** ... and on 20 m bands that are kept for the panes of a section. */
const SHARED = 64 * 1024 * 1024;

/** Pixels of one pane at most: more does not make anything faster. */
export const PANE_PIXELS = 1024 * 1024;

/** ... and at least, whatever the number of threads: smaller panes would decode the same tiles again and again. */
const LEAST_PIXELS = 512 * 512;

/** Bytes for 20 m bands that a worker keeps for a section. */
export function sharedBytes(threads: number): number {
  return SHARED / threads;
}

/** Pixels of a pane for which a worker has memory: series of all indices, the dates of one step before their median, bands. */
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
  return Math.max(LEAST_PIXELS, Math.floor(PANES / threads / (2 * Math.max(planes, 1))));
}

/** The most days that any step has. */
export function mostDays(steps: readonly PreparedStep[], scenes: readonly PreparedScene[]): number {
  return Math.max(1, ...steps.map((_, step) => daysOf(scenes, step)));
}

function datePlanes({ steps, scenes }: { steps: readonly PreparedStep[]; scenes: readonly PreparedScene[] }): number {
  return Math.max(1, ...steps.map(({ indices }, step) => indices.length * daysOf(scenes, step)));
}

function daysOf(scenes: readonly PreparedScene[], step: number): number {
  return new Set(scenes.filter(({ steps }) => steps.includes(step)).map(({ day }) => day)).size;
}
