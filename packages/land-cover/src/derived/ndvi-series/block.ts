import { type CompositeBlock, type Plane, planeOf, type StepWindow } from '@headwater/core/pixel-plan';
import { hydroYearStart } from '../../series/series.ts';

/** Name of the output of a fortnight, counted from 0. */
export const stepName = (step: number): string => `ndvi_${step}`;

/** Copies medians of NDVI (int16 x 10,000), one plane per fortnight. Gaps are not filled. */
export const ndviBlock: CompositeBlock<Plane> = ({ pixels, series, outputs }) => {
  const { ndvi } = series;
  if (ndvi === undefined) throw new TypeError('ndviBlock: needs the series ndvi');
  for (const [step, name] of Object.keys(outputs).map((_, index) => [index, stepName(index)] as const)) {
    planeOf(outputs, name, 'int16').set(ndvi.subarray(step * pixels, (step + 1) * pixels));
  }
};

const DAY_MS = 86_400_000;
const FORTNIGHT_DAYS = 14;
const FORTNIGHTS = 26;
/** Text about the length of the last fortnight, for descriptions. */
export const LAST_FORTNIGHT = 'the last of a year has 15 days, or 16 if its February has 29';

/** Returns the fortnights of a hydrological year, from 1 July. The date of a fortnight is its first day. */
export function fortnightsOf(year: number): readonly StepWindow[] {
  const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const start = (index: number): number =>
    index === FORTNIGHTS ? hydroYearStart(year + 1) : hydroYearStart(year) + index * FORTNIGHT_DAYS * DAY_MS;
  return Array.from({ length: FORTNIGHTS }, (_, index) => ({ start: iso(start(index)), end: iso(start(index + 1)) }));
}
