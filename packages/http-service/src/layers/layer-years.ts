import type { DatedLayer } from '@headwater/core/ports';

type Dates = Pick<DatedLayer, 'start' | 'end'>;

const HYDROLOGICAL = { start: '-07-01', end: '-06-30' } as const;

/**
 * First and last year of a layer, inclusive; undefined for a layer without a period. A hydrological year has the number
 * of the calendar year in which it begins.
 */
export function yearsOfLayer({ start, end }: Dates): readonly [first: number, last: number] | undefined {
  if (start === null || end === null || start === end) return undefined;
  return [yearOf(start), yearOf(end) - (isHydrological(start, end) ? 1 : 0)];
}

/** First and last hydrological year of those layers that have hydrological years; undefined without such layers. */
export function publishedYears(layers: readonly Dates[]): readonly [first: number, last: number] | undefined {
  const years = layers.flatMap(({ start, end }) =>
    start !== null && end !== null && isHydrological(start, end) ? (yearsOfLayer({ start, end }) ?? []) : [],
  );
  return years.length === 0 ? undefined : [Math.min(...years), Math.max(...years)];
}

const isHydrological = (start: string, end: string): boolean =>
  start.slice(4, 10) === HYDROLOGICAL.start && end.slice(4, 10) === HYDROLOGICAL.end;

const yearOf = (instant: string): number => new Date(instant).getUTCFullYear();
