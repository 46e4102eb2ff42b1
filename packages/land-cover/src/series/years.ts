import { hydroYearStart } from './series.ts';

/** First hydrological year with Sentinel-2 data from both seasons. */
export const FIRST_YEAR = 2016;

/** The last hydrological year that is over: the last one that can be asked for. */
export function lastCompleteYear(now: Date): number {
  const year = now.getUTCFullYear();
  return now.getTime() >= hydroYearStart(year) ? year - 1 : year - 2;
}
