import type { Years } from './years.ts';

/** Minimum number of weeks of moderate or severe drought in a drought year. */
const DROUGHT_WEEKS = 5;

/** Highest category: two or more drought years. */
const MAX_CATEGORY = 2;

/**
 * Drought category: number of years with five or more weeks of moderate or severe drought, at most 2; undefined without
 * known weeks. Source: core-stack-backend, `stats_generator/mws_indicators.py`.
 */
export function droughtCategory(years: Years): number | undefined {
  const weeks = new Map<string, number>();
  for (const name of ['moderate_in_weeks', 'severe_in_weeks'])
    for (const [year, value] of years.get(name) ?? []) weeks.set(year, (weeks.get(year) ?? 0) + value);
  if (weeks.size === 0) return undefined;
  const droughts = [...weeks.values()].filter((each) => each >= DROUGHT_WEEKS).length;
  return Math.min(droughts, MAX_CATEGORY);
}
