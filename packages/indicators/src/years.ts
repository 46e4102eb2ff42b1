import type { TableRow } from '@headwater/core';

/** A value and the year of its column. For an agricultural year (`2017-2018`), this is the first of the two years. */
export type YearValue = readonly [year: string, value: number];

/** Values of a row, oldest first, by column name without the year. */
export type Years = ReadonlyMap<string, readonly YearValue[]>;

const COLUMN = /^(.+?)_(\d{4})(?:[-_]\d{4})?$/;

/** Reads the columns of a row that end with a year; unknown values are left out. */
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

/** Sum; undefined for an empty list. */
export const sumOf = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);

/** Mean; undefined for an empty list. */
export function meanOf(values: readonly number[]): number | undefined {
  const sum = sumOf(values);
  return sum === undefined ? undefined : sum / values.length;
}
