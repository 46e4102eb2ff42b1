/** Side of the square of the second world (a synthetic landscape), in pixels of 10 m. */
export const SIDE = 128;

/** Hydrological years of the second world. */
export const SECOND_YEARS = [2018, 2019, 2020] as const;

/** A hydrological year of the second world. */
export type SecondYear = (typeof SECOND_YEARS)[number];

/** Day numbers of the first day with scenes, and of the day after the last day with scenes. */
export const DAYS = [-70, 1166] as const;

const ORIGIN = Date.UTC(2018, 6, 1);
const DAY_MS = 86_400_000;

/** Returns the day number (0 = 1 July 2018) of 1 July of a year. */
export const julyFirst = (year: number): number => (Date.UTC(year, 6, 1) - ORIGIN) / DAY_MS;

/** Returns the ISO date of a day number. */
export const dateOf = (day: number): string => new Date(ORIGIN + day * DAY_MS).toISOString().slice(0, 10);

/** Returns the day number of an ISO date. */
export const dayOf = (date: string): number => (Date.parse(date) - ORIGIN) / DAY_MS;

/** Returns the calendar month 1-12 of a day number. */
export const monthOf = (day: number): number => new Date(ORIGIN + day * DAY_MS).getUTCMonth() + 1;

/** Returns the hydrological year of a day number. */
export function yearOf(day: number): number {
  const date = new Date(ORIGIN + day * DAY_MS);
  return date.getUTCMonth() >= 6 ? date.getUTCFullYear() : date.getUTCFullYear() - 1;
}
