import type { Section } from './plan-tasks.ts';
import type { PreparedStep } from './prepared.ts';
import { stepOrder } from './step-order.ts';

/**
 * Maximum bytes of the panes of all workers together, for any number of scenes. With the memory of Node, its threads, the file tables
 * and the masks, the whole process remains below 1.5 GB, even for a tehsil of 80 x 80 km with scenes of two satellite orbits.
 */
export const MAX_PANE_BYTES = 640 * 1024 * 1024;

/**
 * Maximum bytes of the 20 m bands that are cached for the panes of a section, for all workers together. The planes that the days of a pane
 * need beyond those of its series are taken from this memory, so that a process with many dates needs no more than one with few.
 */
const SHARED = 64 * 1024 * 1024;

/** Maximum pixels of one pane: larger panes do not make a run faster. */
export const PANE_PIXELS = 1024 * 1024;

/** Minimum pixels of one pane, for any number of threads: smaller panes would decode the same tiles many times. */
const LEAST_PIXELS = 512 * 512;

/** Bytes of a worker for days beyond the planes of the series, and for 20 m bands that it caches for a section. */
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

/** Number of planes that a pane needs, with its bands. */
function planesOf({ steps, days }: DatedSteps): number {
  const { planes } = stepOrder(
    steps.map(({ indices }, step) => ({ step, kept: indices.length, days: days[step] ?? 0 })),
  );
  return planes + new Set(steps.flatMap(({ bands }) => bands)).size;
}

/**
 * Number of pixels of a pane that fits in a worker's memory. For each pixel, the memory holds the series of all indices, the bands, and the
 * values of the days of one step that do not fit in the planes of later steps.
 */
export function panePixels(
  { steps, scenes }: { readonly steps: readonly PreparedStep[]; readonly scenes: Dated },
  threads: number,
): number {
  const planes = planesOf({ steps, days: daysIn(steps, scenes) });
  return Math.max(LEAST_PIXELS, Math.floor(MAX_PANE_BYTES / threads / (2 * Math.max(planes, 1))));
}

/** Bytes of a worker for a section: its largest pane, and the 20 m bands that it caches if panes share them. */
export function paneMemory({ panes }: Section, year: DatedSteps, threads: number): number {
  const pixels = Math.max(0, ...panes.map(({ cols, rows }) => cols * rows));
  return 2 * pixels * planesOf(year) + (panes.length > 1 ? sharedBytes(threads) : 0);
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
