import type { IndexSpec, StepWindow } from '@headwater/core/pixel-plan';
import { LULC_THRESHOLDS, scaled } from '../method/thresholds.ts';

const DAY_MS = 86_400_000;
/**
 * Marks pixels that have the MNDWI of water but are too bright in the near infrared. Digital numbers are reflectance x
 * 10,000.
 */
const TOO_BRIGHT = {
  band: 'nir',
  from: scaled(LULC_THRESHOLDS.waterMaxNir),
  above: scaled(LULC_THRESHOLDS.waterMinMndwi),
} as const;

const isoDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** 1 July of a year, epoch ms (UTC). */
export const hydroYearStart = (year: number): number => Date.UTC(year, 6, 1);

/** Steps of a hydrological year with its margins, and the range of its core steps. */
export interface LulcSeries {
  readonly steps: readonly StepWindow[];
  /** First core step, and the step after the last. */
  readonly core: readonly [number, number];
  readonly indices: readonly IndexSpec[];
}

/**
 * 16-day steps of a hydrological year: 4 margin steps, 23 core steps, 4 margin steps. The last core step has 13 or 14
 * days, so that it ends on 30 June.
 */
export function lulcSeries(year: number): LulcSeries {
  const { stepDays, coreSteps, marginSteps } = LULC_THRESHOLDS;
  const first = hydroYearStart(year);
  const next = hydroYearStart(year + 1);
  const step = stepDays * DAY_MS;
  const edges = (origin: number, from: number, count: number): number[] =>
    Array.from({ length: count }, (_, i) => origin + (from + i) * step);
  const starts = [...edges(first, -marginSteps, marginSteps + coreSteps), ...edges(next, 0, marginSteps + 1)];
  const steps = starts
    .slice(0, -1)
    .map((start, i) => ({ start: isoDate(start), end: isoDate(starts[i + 1] ?? start) }));
  const core: readonly [number, number] = [marginSteps, marginSteps + coreSteps];
  return { steps, core, indices: lulcIndices(steps.length, core) };
}

/** (near infrared - red) / (near infrared + red). */
export const NDVI = { kind: 'ratio', plus: ['nir'], minus: ['red'] } as const;

function lulcIndices(all: number, core: readonly [number, number]): readonly IndexSpec[] {
  const ratio = (plus: readonly string[], minus: readonly string[]) => ({ kind: 'ratio', plus, minus }) as const;
  const [from, to] = core;
  return [
    { name: 'ndvi', formula: NDVI, from: 0, to: all },
    // Snow and salt have the MNDWI of water but are bright in the near infrared.
    { name: 'mndwi', formula: { ...ratio(['green'], ['swir16']), bright: TOO_BRIGHT }, from, to },
    { name: 'ndbi', formula: ratio(['swir16'], ['nir']), from, to },
    { name: 'bsi', formula: ratio(['swir16', 'red'], ['nir', 'blue']), from, to },
  ];
}

/** Bands that the land-cover plan reads. */
export const LULC_BANDS = ['blue', 'green', 'red', 'nir', 'swir16', 'scl'] as const;

/** First hydrological year with Sentinel-2 data of both kharif and rabi. */
export const FIRST_YEAR = 2016;

/** The last complete hydrological year. */
export function lastCompleteYear(now: Date): number {
  const year = now.getUTCFullYear();
  return now.getTime() >= hydroYearStart(year) ? year - 1 : year - 2;
}
