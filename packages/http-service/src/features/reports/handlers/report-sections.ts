import type { TableColumn, TableRow } from '@headwater/core';
import type { BodiesSection, ReportSection, SeriesSection, ShownSource, ValuesSection } from '../page/sections.ts';
import type { TextName } from '../../../pages/texts.ts';
import {
  CHANGE_SHEETS,
  GROUNDWATER_CLASS,
  NDVI_SERIES,
  SHARES_SHEETS,
  type SharesSheet,
  TERRAIN_KIND,
  UNSEEN_CHANGE,
  WATER_SERIES,
  YEARLY_SHEETS,
  type YearlyPart,
  type YearlySheet,
} from '../schemas/report-sheets.ts';
import { listedSections } from './listed-sections.ts';
import type { ReportFigures, SheetFigures } from './listed-sections.ts';

/** Sheets whose sections are created in this file. */
export const REPORT_SHEETS: readonly string[] = [...YEARLY_SHEETS, ...SHARES_SHEETS, ...CHANGE_SHEETS].map(
  ({ sheet }) => sheet,
);

/** All sections that have data. */
export function reportSections({ sheets, series, bodies }: ReportFigures): readonly ReportSection[] {
  return [
    ...YEARLY_SHEETS.map((sheet) => yearlySection(sheet, sheets.get(sheet.sheet))),
    ndviSection(series),
    waterSection(series),
    ...SHARES_SHEETS.map((sheet) => sharesSection(sheet, sheets.get(sheet.sheet))),
    changesSection(sheets),
    bodiesSection(bodies),
    ...listedSections(sheets, REPORT_SHEETS),
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
  { title, note, unit: common, chart, parts }: YearlySheet,
  figures: SheetFigures | undefined,
): SeriesSection | undefined {
  if (figures === undefined) return undefined;
  const { columns, row, source } = figures;
  const labels = [...new Set(parts.flatMap((part) => yearsOf(part, columns)))].sort();
  const measures = parts.map((part) => ({
    name: part.name,
    unit: 'unit' in part ? part.unit : common,
    color: part.color,
    values: labels.map((year) => numberIn(row, part.prefix + year)),
  }));
  const known = measures.filter(({ values }) => values.some((value) => value !== null));
  if (known.length === 0) return undefined;
  return {
    kind: 'series',
    axis: 'year',
    title,
    // Imported figures have no note, because the note may be wrong for them.
    note: source.file === undefined ? note : undefined,
    chart,
    labels,
    measures: known,
    sources: [source],
  };
}

function ndviSection(series: ReportFigures['series']): SeriesSection | undefined {
  const section = datedSection(series, { title: 'ndvi', unit: undefined, lines: NDVI_SERIES });
  if (section === undefined) return undefined;
  // Imported figures get another note, because the cause of their gaps is unknown.
  const isImported = section.sources.some(({ file }) => file !== undefined);
  return { ...section, note: isImported ? 'ndviImportedNote' : 'ndviNote' };
}

function waterSection(series: ReportFigures['series']): SeriesSection | undefined {
  const section = datedSection(series, { title: 'waterSeries', unit: 'inMillimetres', lines: WATER_SERIES });
  return section && { ...section, note: 'waterSeriesNote' };
}

interface Dated {
  readonly title: TextName;
  readonly unit: TextName | undefined;
  readonly lines: typeof NDVI_SERIES;
}

function datedSection(series: ReportFigures['series'], { title, unit, lines }: Dated): SeriesSection | undefined {
  const found = lines.flatMap(({ series: wanted, name, color }) =>
    series.filter((each) => each.name === wanted).map((each) => ({ ...each, shown: name, color })),
  );
  const labels = [...new Set(found.flatMap(({ dates }) => dates))].sort();
  if (labels.length === 0) return undefined;
  const measures = found.map(({ dates, values, shown, color }) => {
    const byDate = new Map(dates.map((date, index) => [date, values[index] ?? null]));
    return { name: shown, unit, color, values: labels.map((date) => byDate.get(date) ?? null) };
  });
  const sources = differing(found.map(({ source }) => source));
  return {
    kind: 'series',
    axis: 'date',
    title,
    chart: 'lines',
    labels,
    measures,
    sources,
  };
}

function sharesSection(
  { sheet, title, unit, columns }: SharesSheet,
  figures: SheetFigures | undefined,
): ValuesSection | undefined {
  if (figures === undefined) return undefined;
  const { row, source } = figures;
  const values = valuesOf(Object.entries(columns).map(([column, name]) => ({ name, value: numberIn(row, column) })));
  const described = describedBy(sheet, row);
  if (values.length === 0 && described === undefined) return undefined;
  return { kind: 'values', title, unit, values, described, sources: [source] };
}

function describedBy(sheet: string, row: TableRow): ValuesSection['described'] {
  if (sheet === 'terrain') {
    const text = TERRAIN_KIND.names[numberIn(row, TERRAIN_KIND.column) ?? -1];
    return text && { name: 'terrainKind', text };
  }
  const words = sheet === GROUNDWATER_CLASS.sheet ? row[GROUNDWATER_CLASS.column] : undefined;
  return typeof words === 'string' && words !== '' ? { name: GROUNDWATER_CLASS.name, words } : undefined;
}

type FoundChange = { readonly name: TextName; readonly value: number; readonly source: ShownSource };

function changesSection(sheets: ReportFigures['sheets']): ValuesSection | undefined {
  const found = CHANGE_SHEETS.flatMap(({ sheet, column, name }): FoundChange[] => {
    const figures = sheets.get(sheet);
    const value = figures === undefined ? null : numberIn(figures.row, column);
    return figures === undefined || value === null ? [] : [{ name, value, source: figures.source }];
  });
  const [unseen] = CHANGE_SHEETS.flatMap(({ sheet }) => {
    const figures = sheets.get(sheet);
    const value = figures === undefined ? null : numberIn(figures.row, UNSEEN_CHANGE.column);
    return figures === undefined || value === null ? [] : [{ ...UNSEEN_CHANGE, value, source: figures.source }];
  });
  if (unseen !== undefined) found.push(unseen);
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
