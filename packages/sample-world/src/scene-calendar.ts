import { between, chance } from './random.ts';
import { firstOfJuly, isoDate, MARGIN_DAYS, SAMPLE_YEARS } from './sample-frame.ts';

/** Date and properties of one acquisition. */
export interface SceneDate {
  readonly id: string;
  /** Day number (see `sample-frame`). */
  readonly day: number;
  /** ISO 8601 UTC. */
  readonly datetime: string;
  /** Share of the scene under cloud, 0-1. */
  readonly cloud: number;
  readonly baseline: string;
  /** True if pixel values contain the offset of 1000 of their processing baseline. */
  readonly rawOffset: boolean;
  /** True if a corner of the scene has no data, because it is beyond the edge of the swath. */
  readonly cutCorner: boolean;
}

/**
 * Days between two passes. The sample contains all passes of the cloudy months, and two of five passes of the other
 * months.
 */
const REPEAT_DAYS = 5;

/** All acquisitions from 60 days before the first year to 60 days after the last one, in order of time. */
export function sceneDates(seed: number): readonly SceneDate[] {
  const first = firstOfJuly(SAMPLE_YEARS[0]) - MARGIN_DAYS;
  const end = firstOfJuly(SAMPLE_YEARS[SAMPLE_YEARS.length - 1]! + 1) + MARGIN_DAYS;
  const dates: SceneDate[] = [];
  for (let pass = 0; first + pass * REPEAT_DAYS < end; pass += 1) {
    const day = first + pass * REPEAT_DAYS;
    if (isCloudy(month(day)) || pass % 5 === 0 || pass % 5 === 2) dates.push(sceneDate(day, pass, seed));
  }
  return dates;
}

function month(day: number): number {
  return Number(isoDate(day).slice(5, 7));
}

function isCloudy(m: number): boolean {
  return m >= 7 && m <= 9;
}

function sceneDate(day: number, pass: number, seed: number): SceneDate {
  const date = isoDate(day);
  const baseline = baselineOf(date);
  return {
    id: `SYN${pass % 2 === 0 ? 'A' : 'B'}_44QKE_${date.replaceAll('-', '')}_0_L2A`,
    day,
    datetime: `${date}T05:23:${String(10 + (pass % 45)).padStart(2, '0')}.000Z`,
    cloud: cloudShare(month(day), seed, pass),
    baseline,
    rawOffset: baseline >= '04.00' && chance(seed, pass, 41) < 0.6,
    cutCorner: pass % 11 === 3,
  };
}

/** Processing baseline on a date. From baseline 04.00 on, ESA's pixel values contain an offset of 1000. */
function baselineOf(date: string): string {
  if (date < '2022-01-25') return '03.01';
  if (date < '2022-12-06') return '04.00';
  return date < '2023-06-01' ? '05.09' : '05.10';
}

/**
 * Share of the scene under cloud: 0.62-0.95 in July and August, less in September, varying in May, June and October,
 * otherwise mostly below 0.02.
 */
function cloudShare(m: number, seed: number, pass: number): number {
  const luck = chance(seed, pass, 42);
  const key = [seed, pass, 43];
  if (m === 9) return between(0.6, 0.82, key);
  if (isCloudy(m)) return between(0.62, 0.95, key);
  if (m === 6) return between(0.25, 0.8, key);
  if (m === 10) return luck < 0.7 ? between(0, 0.06, key) : between(0.06, 0.35, key);
  if (m === 5) return luck < 0.5 ? between(0, 0.08, key) : between(0.08, 0.5, key);
  if (luck < 0.72) return between(0, 0.02, key);
  return luck < 0.92 ? between(0.03, 0.25, key) : between(0.4, 0.9, key);
}
