import type { Deliverable } from '../ports/runs.ts';
import type { CellTable, DataStore, PublishedSeries, StoredTable, TableHead, TableVersion } from '../ports/tables.ts';
import { rowKey } from '../runs/data-check.ts';
import type { ShownItem } from './catalog.ts';
import { keyOf } from './catalog-tables.ts';
import { byText, copy } from './copy.ts';

/** Contents of the tables and series in memory. */
export interface MemoryDataTables {
  readonly tables: Map<string, StoredTable>;
  readonly series: Map<string, StoredSeries>;
}

/** Tables and series in memory; the run store calls `put`. */
export interface MemoryData extends MemoryDataTables {
  readonly store: DataStore;
  /** Stores the tables and series of a checked deliverable as the newest versions. Cannot fail. */
  readonly put: (by: { readonly runId: string; readonly publishedAt: string }, deliverable: Deliverable) => void;
  /** Number of current tables and series of this run. */
  readonly shown: (runId: string) => number;
  /** Removes the tables and series of these runs that belong to no tehsil. */
  readonly removeOf: (runIds: readonly string[]) => void;
  readonly remove: (gone: readonly (StoredTable | StoredSeries)[]) => void;
  /** Number of current tables of these Items. A table counts only if the run of its Item published it. */
  readonly describedBy: (items: readonly ShownItem[]) => number;
}

/** A series in memory. */
export type StoredSeries = PublishedSeries & Pick<TableHead, 'runId' | 'version' | 'publishedAt'>;

/** Builds a store without tables and series. */
export function memoryData(): MemoryData {
  const tables = new Map<string, StoredTable>();
  const series = new Map<string, StoredSeries>();
  // Versions of the tables by tehsil, cached because most requests read them.
  const versions = new Map<number, readonly TableVersion[]>();
  return {
    store: {
      ...tableReads(tables, versions),
      ...seriesReads(series),
      hasData: async (tehsilId) => [...tables.values(), ...series.values()].some((each) => each.tehsilId === tehsilId),
    },
    put: (by, deliverable) => {
      versions.clear();
      for (const { itemId = null, ...table } of copy(deliverable.tables ?? [])) {
        const at = keyOf(String(table.tehsilId), table.name);
        const version = (tables.get(at)?.version ?? 0) + 1;
        // Deleted first, because a replaced entry keeps its position, and `tehsilsWithTables` needs the newest table
        // last.
        tables.delete(at);
        tables.set(at, { ...table, ...by, version, itemId, rowCount: table.rows.length });
      }
      for (const each of copy(deliverable.series ?? [])) {
        const at = keyOf(String(each.tehsilId), each.name);
        series.set(at, { ...each, ...by, version: (series.get(at)?.version ?? 0) + 1 });
      }
    },
    shown: (runId) => [...tables.values(), ...series.values()].filter((each) => each.runId === runId).length,
    removeOf: (runIds) => {
      versions.clear();
      const isOf = ({ tehsilId, runId }: StoredTable | StoredSeries): boolean =>
        tehsilId === 0 && runIds.includes(runId);
      for (const [at, each] of tables) if (isOf(each)) tables.delete(at);
      for (const [at, each] of series) if (isOf(each)) series.delete(at);
    },
    remove: (gone) => {
      versions.clear();
      for (const [at, each] of tables) if (gone.includes(each)) tables.delete(at);
      for (const [at, each] of series) if (gone.includes(each)) series.delete(at);
    },
    tables,
    series,
    describedBy: (items) =>
      [...tables.values()].filter(({ itemId, runId }) =>
        items.some((item) => item.id === itemId && item.runId === runId),
      ).length,
  };
}

function tableReads(
  tables: ReadonlyMap<string, StoredTable>,
  versions: Map<number, readonly TableVersion[]>,
): Omit<DataStore, 'seriesOf' | 'hasData'> {
  const at = (tehsilId: number, name: string): StoredTable | undefined => tables.get(keyOf(String(tehsilId), name));
  return {
    tablesOf: async (tehsilId) => {
      const found = [...tables.values()].filter((table) => table.tehsilId === tehsilId).map(headOf);
      return copy(found.sort((a, b) => byText(a.name, b.name)));
    },
    tableVersionsOf: async (tehsilId) => {
      const known = versions.get(tehsilId);
      if (known !== undefined) return known;
      const found = [...tables.values()].filter((table) => table.tehsilId === tehsilId);
      const sorted = found.sort((a, b) => byText(a.name, b.name));
      // The list is frozen, because all callers get the same array.
      const frozen = Object.freeze(sorted.map(({ name, runId, version }) => Object.freeze({ name, runId, version })));
      if (frozen.length > 0) versions.set(tehsilId, frozen);
      return frozen;
    },
    tablesOfRun: async (runId) => {
      const found = [...tables.values()].filter((table) => table.runId === runId).map(headOf);
      return copy(found.sort((a, b) => byText(a.name, b.name) || a.tehsilId - b.tehsilId));
    },
    tehsilsWithTables: async (since = '') => {
      const newest = new Map([...tables.values()].map(({ tehsilId, publishedAt }) => [tehsilId, publishedAt]));
      const found = [...newest].map(([tehsilId, publishedAt]) => ({ tehsilId, publishedAt }));
      return found.filter(({ publishedAt }) => publishedAt >= since).sort((a, b) => a.tehsilId - b.tehsilId);
    },
    tableHead: async (tehsilId, name) => {
      const found = at(tehsilId, name);
      return found === undefined ? undefined : copy(headOf(found));
    },
    table: async (tehsilId, name) => copy(at(tehsilId, name)),
    cellTables: async (tehsilId, names) => {
      const found = [...new Set(names)].sort(byText).map((name) => at(tehsilId, name));
      return copy(found.filter((table) => table !== undefined).map(withCells));
    },
    rowOf: async (tehsilId, name, key) => {
      const found = at(tehsilId, name);
      return copy(found?.rows.find((row) => rowKey(row, found.key) === key));
    },
    rowsOf: async (tehsilId, names, key) => {
      const isOf = (text = ''): boolean => text === key || text.startsWith(`${key}:`);
      const found = [...new Set(names)].map((name) => {
        const table = at(tehsilId, name);
        return [name, table?.rows.filter((row) => isOf(rowKey(row, table.key))) ?? []] as const;
      });
      return new Map(copy(found.filter(([, rows]) => rows.length > 0)));
    },
  };
}

function withCells(table: StoredTable): CellTable {
  const head = headOf(table);
  return { ...head, cells: table.rows.map((row) => head.columns.map(({ name }) => row[name] ?? null)) };
}

function headOf(table: StoredTable): TableHead {
  const { name, tehsilId, key, columns, itemId, rowCount, runId, version, publishedAt } = table;
  return { name, tehsilId, key, columns, itemId, rowCount, runId, version, publishedAt };
}

function seriesReads(series: ReadonlyMap<string, StoredSeries>): Pick<DataStore, 'seriesOf'> {
  return {
    seriesOf: async (tehsilId, uid) => {
      const found = [...series.values()].flatMap((each) => {
        const values = Object.hasOwn(each.values, uid) ? each.values[uid] : undefined;
        if (each.tehsilId !== tehsilId || values === undefined) return [];
        const { name, unit = null, description, dates, runId, version, publishedAt } = each;
        return [{ name, unit, description, dates, runId, version, publishedAt, values }];
      });
      return copy(found.sort((a, b) => byText(a.name, b.name)));
    },
  };
}
