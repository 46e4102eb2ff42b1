import type { TableColumn, TableRow, UidSeries } from '@headwater/core';
import type {
  BodiesSection,
  ReportSection,
  SeriesSection,
  ShownSource,
  ValuesSection,
} from '../../pages/report/sections.ts';
import type { TextName } from '../../pages/texts.ts';
import {
  CHANGE_SHEETS,
  NDVI_SERIES,
  SHARES_SHEETS,
  type SharesSheet,
  TERRAIN_KIND,
  YEARLY_SHEETS,
  type YearlyPart,
  type YearlySheet,
} from '../../wire/reports/report-sheets.ts';

/** A sheet's figures of what a report is of. */
export interface SheetFigures {
  readonly columns: readonly TableColumn[];
  readonly row: TableRow;
  readonly source: ShownSource;
}

/** Everything that sections are made of. */
export interface ReportFigures {
  readonly sheets: ReadonlyMap<string, SheetFigures>;
  readonly series: readonly (UidSeries & { readonly source: ShownSource })[];
  readonly bodies: { readonly rows: readonly TableRow[]; readonly source: ShownSource } | undefined;
}

/** Sheets that reports read by uid. */
export const REPORT_SHEETS: readonly string[] = [...YEARLY_SHEETS, ...SHARES_SHEETS, ...CHANGE_SHEETS].map(
  ({ sheet }) => sheet,
);

/** Every section of which something is known. */
export function reportSections({ sheets, series, bodies }: ReportFigures): readonly ReportSection[] {
  return [
    ...YEARLY_SHEETS.map((sheet) => yearlySection(sheet, sheets.get(sheet.sheet))),
    ndviSection(series),
    ...SHARES_SHEETS.map((sheet) => sharesSection(sheet, sheets.get(sheet.sheet))),
    changesSection(sheets),
    bodiesSection(bodies),
  ].filter((section) => section !== undefined);
}

function numberIn(row: TableRow, column: string): number | null {
  const value = row[column];
  return typeof value === 'number' ? value : null;
}

const YEAR = /^\d{4}(?:-\d{4})?$/;

function yearsOf({ prefix }: YearlyPart, columns: readonly TableColumn[]): readonly string[] {
  return columns.flatMap(({ name }) => {
    const year = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    return YEAR.test(year) ? [year] : [];
  });
}

function yearlySection(
  { title, note, chart, parts }: YearlySheet,
  figures: SheetFigures | undefined,
): SeriesSection | undefined {
  if (figures === undefined) return undefined;
  const { columns, row, source } = figures;
  const labels = [...new Set(parts.flatMap((part) => yearsOf(part, columns)))].sort();
  const measures = parts.map(({ name, prefix, color }) => ({
    name,
    color,
    values: labels.map((year) => numberIn(row, prefix + year)),
  }));
  const known = measures.filter(({ values }) => values.some((value) => value !== null));
  if (known.length === 0) return undefined;
  return {
    kind: 'series',
    axis: 'year',
    title,
    note,
    chart,
    unit: 'inHectares',
    labels,
    measures: known,
    sources: [source],
  };
}

function ndviSection(series: ReportFigures['series']): SeriesSection | undefined {
  const found = NDVI_SERIES.flatMap(({ series: wanted, name, color }) =>
    series.filter((each) => each.name === wanted).map((each) => ({ ...each, shown: name, color })),
  );
  const labels = [...new Set(found.flatMap(({ dates }) => dates))].sort();
  if (labels.length === 0) return undefined;
  const measures = found.map(({ dates, values, shown, color }) => {
    const byDate = new Map(dates.map((date, index) => [date, values[index] ?? null]));
    return { name: shown, color, values: labels.map((date) => byDate.get(date) ?? null) };
  });
  const sources = differing(found.map(({ source }) => source));
  return {
    kind: 'series',
    axis: 'date',
    title: 'ndvi',
    note: 'ndviNote',
    chart: 'lines',
    unit: undefined,
    labels,
    measures,
    sources,
  };
}

function sharesSection({ title, columns }: SharesSheet, figures: SheetFigures | undefined): ValuesSection | undefined {
  if (figures === undefined) return undefined;
  const { row, source } = figures;
  const values = valuesOf(Object.entries(columns).map(([column, name]) => ({ name, value: numberIn(row, column) })));
  const kind = title === 'terrain' ? TERRAIN_KIND.names[numberIn(row, TERRAIN_KIND.column) ?? -1] : undefined;
  const described = kind === undefined ? undefined : ({ name: 'terrainKind', text: kind } as const);
  if (values.length === 0 && described === undefined) return undefined;
  return { kind: 'values', title, unit: 'inPercent', values, described, sources: [source] };
}

function changesSection(sheets: ReportFigures['sheets']): ValuesSection | undefined {
  const found = CHANGE_SHEETS.flatMap(({ sheet, column, name }) => {
    const figures = sheets.get(sheet);
    const value = figures === undefined ? null : numberIn(figures.row, column);
    return figures === undefined || value === null ? [] : [{ name, value, source: figures.source }];
  });
  if (found.length === 0) return undefined;
  const sources = differing(found.map(({ source }) => source));
  return { kind: 'values', title: 'changes', unit: 'inHectares', values: found, sources };
}

function bodiesSection(bodies: ReportFigures['bodies']): BodiesSection | undefined {
  if (bodies === undefined || bodies.rows.length === 0) return undefined;
  const shown = bodies.rows.map((row) => ({
    id: String(row['swb_uid']),
    name: typeof row['waterbodies_name'] === 'string' ? row['waterbodies_name'] : '',
    latitude: numberIn(row, 'latitude'),
    longitude: numberIn(row, 'longitude'),
    areaHa: numberIn(row, 'area_in_ha'),
  }));
  return { kind: 'bodies', title: 'bodies', bodies: shown, sources: [bodies.source] };
}

function valuesOf(
  measures: readonly { readonly name: TextName; readonly value: number | null }[],
): ValuesSection['values'] {
  return measures.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]));
}

function differing(sources: readonly ShownSource[]): readonly ShownSource[] {
  return [...new Map(sources.map((source) => [JSON.stringify(source), source])).values()];
}
