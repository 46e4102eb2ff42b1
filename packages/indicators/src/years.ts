import type { TableRow } from '@headwater/core';

/** Year of a column, and its value. For an agricultural year (`2017-2018`), `year` is the first year. */
export type YearValue = readonly [year: string, value: number];

/** Values of a row, oldest first, by column name without year. */
export type Years = ReadonlyMap<string, readonly YearValue[]>;

const COLUMN = /^(.+?)_(\d{4})(?:[-_]\d{4})?$/;

/** Reads the columns that end with a year; unknown values are left out. */
export function yearsOf(row: TableRow): Years {
  const found = Object.entries(row).flatMap(([column, value]) => {
    const [, name, year] = COLUMN.exec(column) ?? [];
    return name === undefined || year === undefined || typeof value !== 'number' ? [] : [{ name, year, value }];
  });
  const oldestFirst = found.toSorted((a, b) => Number(a.year) - Number(b.year));
  const names = Map.groupBy(oldestFirst, ({ name }) => name);
  return new Map([...names].map(([name, all]) => [name, all.map(({ year, value }): YearValue => [year, value])]));
}

/** Values of the columns with this name, oldest first. */
export const valuesOf = (years: Years, name: string): readonly number[] =>
  (years.get(name) ?? []).map(([, value]) => value);

/**
 * Land to which the hectares of a year refer. `whole`: hectares of this land; `unseen`: name, without year, of the
 * columns with its unobserved hectares.
 */
export interface SeenLand {
  readonly whole: number | undefined;
  readonly unseen: string;
}

/**
 * Hectares of a column, oldest first, each divided by the seen share of its land, so that years can be compared.
 * Years without seen land are left out. Without columns of unseen land, all land counts as seen.
 */
export function ofSeenLand(years: Years, name: string, { whole, unseen }: SeenLand): readonly YearValue[] {
  const hidden = new Map(years.get(unseen));
  return (years.get(name) ?? []).flatMap(([year, value]): readonly YearValue[] => {
    const missing = hidden.get(year) ?? 0;
    if (whole === undefined || missing === 0) return [[year, value]];
    return missing < whole ? [[year, (value * whole) / (whole - missing)]] : [];
  });
}

/** Sum; undefined for an empty list. */
export const sumOf = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);

/** Mean; undefined for an empty list. */
export function meanOf(values: readonly number[]): number | undefined {
  const sum = sumOf(values);
  return sum === undefined ? undefined : sum / values.length;
}
