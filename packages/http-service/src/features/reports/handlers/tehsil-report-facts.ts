import type { StoredTable, TableCell, TableColumn, TableRow, TehsilNames } from '@headwater/core';
import { isMostlySeen } from '@headwater/core/values';
import type { TableHead, UidSeries } from '@headwater/core/ports';
import type { Ports } from '../../../deps.ts';
import type { PublishedLists } from '../page/published-lists.ts';
import type { MapFigures } from '../page/choropleth.ts';
import type { TehsilReportFacts } from '../page/tehsil-report-page.ts';
import { isUnitSheet } from '../../public-data/schemas/unit-sheets.ts';
import type { Language } from '../../../wire/words.ts';
import {
  mwsReportAddress,
  resourceReportAddress,
  tehsilReportAddress,
  workbookAddress,
} from '../schemas/report-addresses.ts';
import { columnKey, type MapColumn, mapColumns, namedColumn, withColumn } from '../schemas/report-columns.ts';
import { SEEN_SHEETS, type SeenSheet } from '../schemas/report-sheets.ts';
import { SERIES_TITLES, SHEET_TITLES } from '../schemas/listed-sheets.ts';
import { pageLinks } from '../../../pages/layout.ts';
import { shownLayer } from '../../../items/publications.ts';
import { reportCommon, type ReportSources, reportSources } from './report-sources.ts';
import type { SheetFigures } from './listed-sections.ts';
import { REPORT_SHEETS } from './report-sections.ts';

interface TehsilReportRequest {
  readonly names: TehsilNames;
  /** Column that colours the map. If undefined, the map has only outlines. */
  readonly column: string | undefined;
}

/** Data of the report of a tehsil. Throws `validation` for an unknown column. */
export async function tehsilReportFacts(
  deps: Ports<'baseUrl' | 'canCompute' | 'outlines' | 'pipelines' | 'publication' | 'stores' | 'summaries' | 'version'>,
  { names, column: key }: TehsilReportRequest,
  language: Language,
): Promise<TehsilReportFacts> {
  const { lookups, data } = deps.stores;
  const { prefix } = pageLinks(deps.baseUrl);
  const [uids, map, allHeads] = await Promise.all([
    lookups.mwsUids(names.tehsilId),
    deps.outlines.of(names.tehsilId),
    data.tablesOf(names.tehsilId),
  ]);
  const heads = allHeads.filter(isUnitSheet);
  const columns = mapColumns(heads);
  const column = namedColumn(columns, key);
  const sources = await reportSources(deps, names, heads);
  const { sheets, values } = await totalsOf(deps, { heads, sources, column, wanted: REPORT_SHEETS, listed: NONE });
  const plain = tehsilReportAddress(prefix, names, language);
  return {
    ...reportCommon(deps, { names, sources, figures: { sheets, series: [], bodies: undefined } }),
    language,
    map,
    columns: columns.map((each) => ({ ...each, href: withColumn(plain, columnKey(each)) })),
    figures: column && { column, values, plain },
    resources: resourceReportAddress(prefix, names, language),
    published: {
      tables: heads.map(({ name, rowCount, publishedAt }) => ({
        name,
        title: SHEET_TITLES.get(name) ?? [],
        rowCount,
        publishedAt,
      })),
      workbook: workbookAddress(prefix, names),
      series: await seriesOf(deps, names.tehsilId, uids),
      layers: sources.layers.map((layer) => shownLayer(layer, deps)),
    },
    mws: uids.map((uid) => ({ title: uid, href: mwsReportAddress(prefix, { names, uid }, language) })),
  };
}

/**
 * Number of micro-watersheds whose series are read to list the published series. Most micro-watersheds have all series.
 */
const SAMPLED_FOR_SERIES = 5;

async function seriesOf(
  { stores }: Ports<'stores'>,
  tehsilId: number,
  uids: readonly string[],
): Promise<PublishedLists['series']> {
  const sample = uids.slice(0, SAMPLED_FOR_SERIES);
  const found = (await Promise.all(sample.map((uid) => stores.data.seriesOf(tehsilId, uid)))).flat();
  const byName = new Map<string, UidSeries>(found.map((each) => [each.name, each]));
  return Array.from(byName.values(), ({ name, dates }) => ({
    name,
    title: SERIES_TITLES.get(name) ?? [],
    first: dates[0],
    last: dates.at(-1),
  }));
}

interface TotalsOf {
  readonly heads: readonly TableHead[];
  readonly sources: ReportSources;
  readonly column: MapColumn | undefined;
  readonly wanted: readonly string[];
  readonly listed: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Totals by sheet, and the values of a column by uid. */
export async function totalsOf(
  { stores }: Ports<'stores'>,
  { heads, sources, column, wanted, listed }: TotalsOf,
): Promise<{ readonly sheets: ReadonlyMap<string, SheetFigures>; readonly values: MapFigures['values'] }> {
  const sheets = new Map<string, SheetFigures>();
  let values: MapFigures['values'] = new Map();
  // Tables are read one at a time, because all rows of a table are in memory.
  for (const { name, tehsilId } of heads) {
    const table = wanted.includes(name) ? await stores.data.table(tehsilId, name) : undefined;
    if (table === undefined) continue;
    const rows = listed.has(name) ? table.rows : [];
    sheets.set(name, { columns: table.columns, row: totalsOfSheet(name, table), rows, source: sources.of(table) });
    if (column?.sheet === name) values = valuesOf(table, column.column);
  }
  return { sheets, values };
}

function valuesOf({ rows }: Pick<StoredTable, 'rows'>, column: string): MapFigures['values'] {
  return new Map(
    rows.flatMap(({ uid, [column]: value }) =>
      typeof uid === 'string' && typeof value === 'number' ? [[uid, value] as const] : [],
    ),
  );
}

/** Units for which the mean is used, because millimetres of two micro-watersheds must not be added. */
const AVERAGED_UNITS: ReadonlySet<string | undefined> = new Set(['mm', 'weeks']);
const COUNT = /_count_\d{4}$/;

/** Sums of hectares and counts, and means of millimetres and weeks. Shares and quotients are left out. */
function totalsOfTable({ columns, rows }: Pick<StoredTable, 'columns' | 'rows'>): TableRow {
  const totals = columns.flatMap((column) => {
    const known = rows.flatMap(({ [column.name]: value }) => (typeof value === 'number' ? [value] : []));
    const sum = known.reduce((all, value) => all + value, 0);
    if (isSummed(column)) return [[column.name, known.length === 0 ? null : sum] as const];
    return AVERAGED_UNITS.has(column.unit)
      ? [[column.name, known.length === 0 ? null : sum / known.length] as const]
      : [];
  });
  return Object.fromEntries(totals);
}

type Rows = Pick<StoredTable, 'columns' | 'rows'>;

/**
 * Totals of a sheet. If the sheet has columns of unseen land, a year that was mostly unseen has only the total of the
 * unseen land.
 */
function totalsOfSheet(name: string, table: Rows): TableRow {
  const land = SEEN_SHEETS.find(({ sheet }) => sheet === name);
  return { ...totalsOfTable(table), ...(land === undefined ? {} : seenTotals(table, land)) };
}

/**
 * Values that replace totals of each year: the unseen area, and null for all other areas if less than half was seen. A
 * micro-watershed without figures counts as unseen.
 */
export function seenTotals({ columns, rows }: Rows, { whole, unseen }: Pick<SeenSheet, 'whole' | 'unseen'>): TableRow {
  const names = columns.filter(({ unit }) => unit === 'ha').map(({ name }) => name);
  const years = names.flatMap((name) => (name.startsWith(unseen) ? [name.slice(unseen.length)] : []));
  const all = sumBy(rows, (row) => row[whole]);
  const totals = years.flatMap((year) => {
    const parts = names.filter((name) => name.endsWith(year) && !name.startsWith('unseen_') && !AREAS.has(name));
    const isHidden = (row: TableRow): boolean => parts.every((name) => (row[name] ?? null) === null);
    const hidden = sumBy(rows, (row) => row[isHidden(row) ? whole : unseen + year]);
    const cells = isMostlySeen(hidden, all) ? [] : parts.map((name) => [name, null] as const);
    return [[unseen + year, hidden] as const, ...cells];
  });
  return Object.fromEntries(totals);
}

const AREAS: ReadonlySet<string> = new Set(['area_in_ha', 'sum_in_ha', ...SEEN_SHEETS.map(({ whole }) => whole)]);

const sumBy = (rows: readonly TableRow[], cellOf: (row: TableRow) => TableCell | undefined): number =>
  rows.reduce((sum, row) => {
    const cell = cellOf(row);
    return sum + (typeof cell === 'number' ? cell : 0);
  }, 0);

const isSummed = ({ name, unit }: TableColumn): boolean => unit === 'ha' || COUNT.test(name);
