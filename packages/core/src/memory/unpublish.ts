import type { ItemKey, Publications, Unpublished } from '../ports/catalog.ts';
import type { Run } from '../ports/runs.ts';
import type { StoredTable } from '../ports/tables.ts';
import { beingComputed } from '../runs/name-conflicts.ts';
import { hasEnded } from '../runs/transitions.ts';
import { keyOf, type CatalogTables, type ItemRow } from './catalog-tables.ts';
import { byText } from './copy.ts';
import type { MemoryData, StoredSeries } from './data.ts';

/** Contents of the stores in memory that a publication changes. */
export interface PublishedTables {
  readonly table: { readonly runs: ReadonlyMap<string, Run> };
  readonly catalog: CatalogTables;
  readonly data: Pick<MemoryData, 'tables' | 'series' | 'remove'>;
}

/** Rows that are removed together with their Item. */
interface Parts {
  readonly layers: readonly string[];
  readonly tables: readonly StoredTable[];
  readonly series: readonly StoredSeries[];
  readonly names: Publications;
}

/** Returns the layers, tables and series of an Item. */
export function partsOf({ catalog, data }: Pick<PublishedTables, 'catalog' | 'data'>, { item }: ItemRow): Parts {
  const layers = [...catalog.layers].filter(([, { layer }]) => layer.itemId === item.id);
  const tehsils = new Set(layers.map(([, { layer }]) => layer.tehsilId));
  const isLast = [...catalog.items.values()].every(
    (row) =>
      row.item.runId !== item.runId || (row.item.id === item.id && row.item.collectionPath === item.collectionPath),
  );
  const tables = [...data.tables.values()].filter(({ itemId, tehsilId, runId }) =>
    itemId === null ? isLast && runId === item.runId : itemId === item.id && tehsils.has(tehsilId),
  );
  const series = [...data.series.values()].filter(({ runId }) => isLast && runId === item.runId);
  const names = {
    layers: layers.map(([, { layer }]) => `${layer.workspace}:${layer.layerName}`).sort(byText),
    tables: tables.map(({ name }) => name).sort(byText),
    series: series.map(({ name }) => name).sort(byText),
  };
  return { layers: layers.map(([key]) => key), tables, series, names };
}

/**
 * Removes an Item as `RunStore.unpublish` does. Returns undefined if the Item does not exist; otherwise also the runs
 * that may now be without current results.
 */
export function unpublish(
  stores: PublishedTables,
  key: ItemKey,
): { readonly unpublished: Omit<Unpublished, 'attempts'>; readonly runIds: readonly string[] } | undefined {
  const { catalog, data } = stores;
  const name = keyOf(key.collectionPath, key.id);
  const row = catalog.items.get(name);
  if (row === undefined) return undefined;
  const parts = partsOf(stores, row);
  refuseComputed(stores, row, parts.layers);
  const isOwn = ({ item }: ItemRow): boolean => keyOf(item.collectionPath, item.id) === name;
  const versions = [row, ...catalog.replaced.filter(isOwn)];
  const left = catalog.replaced.filter((each) => !isOwn(each));
  catalog.replaced.splice(0, Infinity, ...left);
  catalog.items.delete(name);
  for (const [former, present] of catalog.aliases) if (present === name) catalog.aliases.delete(former);
  for (const at of parts.layers) removeLayer(catalog, at);
  data.remove([...parts.tables, ...parts.series]);
  const runIds = new Set([...versions, ...parts.tables.map((item) => ({ item }))].map(({ item }) => item.runId));
  // Runs with a replaced version of another Item are kept, because this version still needs their files.
  for (const { item } of left) runIds.delete(item.runId);
  return { unpublished: { item: { ...key }, ...parts.names }, runIds: [...runIds] };
}

function removeLayer({ layers, layerChanges, files }: CatalogTables, at: string): void {
  const layer = layers.get(at)?.layer;
  if (layer === undefined) return;
  layers.delete(at);
  layerChanges.set(layer.tehsilId, (layerChanges.get(layer.tehsilId) ?? 0) + 1);
  const end = keyOf(layer.workspace, layer.layerName).slice(1);
  for (const file of files.keys()) if (file.endsWith(`,${end}`)) files.delete(file);
}

function refuseComputed({ table, catalog }: PublishedTables, { item }: ItemRow, layers: readonly string[]): void {
  const pipeline = table.runs.get(item.runId)?.pipeline;
  const tehsils = new Set<unknown>(layers.map((at) => catalog.layers.get(at)?.layer.tehsilId));
  const busy = [...table.runs.values()].find(
    (run) =>
      !hasEnded(run) && tehsils.has(run.params['tehsilId']) && (pipeline === undefined || run.pipeline === pipeline),
  );
  if (busy !== undefined) throw beingComputed(item, busy.id);
}
