import type { StepWindow } from '@headwater/core/pixel-plan';
import { hydroYearStart } from '../../series/series.ts';

const DAY_MS = 86_400_000;
const FORTNIGHT_DAYS = 14;
const FORTNIGHTS = 26;

/**
 * Returns the fortnights of a hydrological year from 1 July on; the last one has the remaining one or two days. Dates are their first days.
 */
export function fortnightsOf(year: number): readonly StepWindow[] {
  const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const start = (index: number): number =>
    index === FORTNIGHTS ? hydroYearStart(year + 1) : hydroYearStart(year) + index * FORTNIGHT_DAYS * DAY_MS;
  return Array.from({ length: FORTNIGHTS }, (_, index) => ({ start: iso(start(index)), end: iso(start(index + 1)) }));
}
