import { isStorable } from '@headwater/core/values';
import type { CellTable, DataStore, TableHead, TableVersion, TehsilTables, UidSeries } from '@headwater/core/ports';
import type { StoredTable, TableCell, TableColumn, TableRow } from '@headwater/core';
import type { Sql, Statement } from './database.ts';
import { isInt4, iso } from './guards.ts';

const HEAD = `select t.tehsil_id as "tehsilId", t.name, t.key_column as key, t.columns, t.item_id as "itemId", t.row_count as "rowCount",
    t.run_id as "runId", t.version, ${iso('t.published_at')} as "publishedAt"`;
const HEADS: Statement = {
  name: 'headwater_tables_of',
  text: `${HEAD} from headwater.data_tables t where t.tehsil_id = $1 order by t.name`,
};
const VERSIONS: Statement = {
  name: 'headwater_table_versions',
  text: 'select name, run_id as "runId", version from headwater.data_tables where tehsil_id = $1 order by name',
};
const HEADS_OF_RUN = `${HEAD} from headwater.data_tables t where t.run_id = $1 order by t.name, t.tehsil_id`;
const ONE_HEAD = `${HEAD} from headwater.data_tables t where t.tehsil_id = $1 and t.name = $2`;
const TEHSILS = `select tehsil_id as "tehsilId", ${iso('max(published_at)')} as "publishedAt" from headwater.data_tables
  group by tehsil_id having $1::timestamptz is null or max(published_at) >= $1 order by tehsil_id`;
const HAS_DATA = `select exists (select from headwater.data_tables where tehsil_id = $1)
  or exists (select from headwater.data_series where tehsil_id = $1) as "hasData"`;
/** One statement, so that head and rows belong to one version. */
const TABLES: Statement = {
  name: 'headwater_tables',
  text: `${HEAD}, coalesce((select '[' || string_agg(r.cells, ',' order by r.position) || ']'
    from headwater.data_rows r where r.table_id = t.id), '[]') as rows
  from headwater.data_tables t where t.tehsil_id = $1 and t.name = any($2::text[]) order by t.name`,
};
const ROW = `select t.columns, r.cells from headwater.data_tables t join headwater.data_rows r on r.table_id = t.id and r.key = $3
  where t.tehsil_id = $1 and t.name = $2`;
/**
 * Rows with key $3, or whose key begins with $3 and a colon. A range of the primary key finds them, because `;` follows
 * `:` in byte order.
 */
const ROWS: Statement = {
  name: 'headwater_rows_of',
  text: `select t.name, t.columns, r.cells from headwater.data_tables t join headwater.data_rows r on r.table_id = t.id
    and (r.key = $3 or (r.key >= $3 || ':' and r.key < $3 || ';'))
  where t.tehsil_id = $1 and t.name = any($2::text[]) order by t.name, r.position`,
};
const SERIES: Statement = {
  name: 'headwater_series_of',
  text: `select s.name, s.unit, s.description, s.dates, s.run_id as "runId", s.version, ${iso('s.published_at')} as "publishedAt",
    v.numbers as values
  from headwater.data_series s join headwater.series_values v on v.series_id = s.id and v.uid = $2
  where s.tehsil_id = $1 order by s.name`,
};

type HeadRow = Omit<TableHead, 'columns'> & { readonly columns: string };
type RowsRow = HeadRow & { readonly rows: string };
interface FoundRow {
  readonly name: string;
  readonly columns: string;
  readonly cells: string;
}
type SeriesRow = Omit<UidSeries, 'dates' | 'values'> & { readonly dates: string; readonly values: string };

/** Reads of tables and series in PostgreSQL. */
export function dataStore(sql: Sql): DataStore {
  return {
    tablesOf: async (tehsilId) => {
      if (!isInt4(tehsilId)) return [];
      return (await sql.rows<HeadRow>(HEADS, [tehsilId])).map(toHead);
    },
    tableVersionsOf: async (tehsilId) => (isInt4(tehsilId) ? await sql.rows<TableVersion>(VERSIONS, [tehsilId]) : []),
    tablesOfRun: async (runId) => {
      if (!isStorable(runId)) return [];
      return (await sql.rows<HeadRow>(HEADS_OF_RUN, [runId])).map(toHead);
    },
    tehsilsWithTables: async (since) => await sql.rows<TehsilTables>(TEHSILS, [since ?? null]),
    hasData: async (tehsilId) => {
      if (!isInt4(tehsilId)) return false;
      return (await sql.first<{ readonly hasData: boolean }>(HAS_DATA, [tehsilId]))?.hasData ?? false;
    },
    tableHead: async (tehsilId, name) => {
      if (!isInt4(tehsilId) || !isStorable(name)) return undefined;
      const row = await sql.first<HeadRow>(ONE_HEAD, [tehsilId, name]);
      return row === undefined ? undefined : toHead(row);
    },
    table: async (tehsilId, name) => {
      if (!isInt4(tehsilId) || !isStorable(name)) return undefined;
      const row = await sql.first<RowsRow>(TABLES, [tehsilId, [name]]);
      return row === undefined ? undefined : toTable(row);
    },
    cellTables: async (tehsilId, names) => {
      if (!isInt4(tehsilId)) return [];
      return (await sql.rows<RowsRow>(TABLES, [tehsilId, names.filter(isStorable)])).map(toCells);
    },
    rowOf: async (tehsilId, name, key) => {
      if (!isInt4(tehsilId) || !isStorable(name) || !isStorable(key)) return undefined;
      const row = await sql.first<Omit<FoundRow, 'name'>>(ROW, [tehsilId, name, key]);
      return row === undefined ? undefined : parseRow(row);
    },
    rowsOf: async (tehsilId, names, key) => {
      if (!isInt4(tehsilId) || !isStorable(key)) return new Map();
      return byTable(await sql.rows<FoundRow>(ROWS, [tehsilId, names.filter(isStorable), key]));
    },
    seriesOf: async (tehsilId, uid) => {
      if (!isInt4(tehsilId) || !isStorable(uid)) return [];
      return (await sql.rows<SeriesRow>(SERIES, [tehsilId, uid])).map(toSeries);
    },
  };
}

function toHead(row: HeadRow): TableHead {
  return { ...row, columns: parseColumns(row.columns) };
}

function toTable(row: RowsRow): StoredTable {
  const { cells: all, ...head } = toCells(row);
  return { ...head, rows: all.map((cells) => toRow(head.columns, cells)) };
}

function toCells({ rows, ...row }: RowsRow): CellTable {
  const cells: CellTable['cells'] = JSON.parse(rows);
  return { ...toHead(row), cells };
}

function byTable(found: readonly FoundRow[]): ReadonlyMap<string, readonly TableRow[]> {
  const tables = Map.groupBy(found, ({ name }) => name);
  return new Map([...tables].map(([name, rows]) => [name, rows.map(parseRow)]));
}

function parseRow({ columns, cells: text }: Omit<FoundRow, 'name'>): TableRow {
  const cells: readonly TableCell[] = JSON.parse(text);
  return toRow(parseColumns(columns), cells);
}

function parseColumns(text: string): readonly TableColumn[] {
  const columns: readonly TableColumn[] = JSON.parse(text);
  return columns;
}

function toRow(columns: readonly TableColumn[], cells: readonly TableCell[]): TableRow {
  return Object.fromEntries(columns.map(({ name }, index) => [name, cells[index] ?? null]));
}

function toSeries(row: SeriesRow): UidSeries {
  const dates: UidSeries['dates'] = JSON.parse(row.dates);
  const values: UidSeries['values'] = JSON.parse(row.values);
  return { ...row, dates, values };
}
