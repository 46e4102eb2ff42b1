import { isObject, titleOf } from '@headwater/stac';
import { FEATURE_SHAPE } from '../pipelines/item-properties.ts';
import { isRegionPath } from '../places/region.ts';
import type {
  CatalogStore,
  DatedLayer,
  ItemVersion,
  LayerRecord,
  PublishedItem,
  ListedRegion,
  PublishedTehsil,
  RunItem,
} from '../ports/catalog.ts';
import type { Deliverable } from '../ports/runs.ts';
import type { Clock } from '../ports/host.ts';
import type { PublishedTable } from '../ports/tables.ts';
import type { ItemForm, ItemSearch } from '../ports/item-search.ts';
import { extentOfItems } from '../runs/publication.ts';
import { millisecondsOf } from '../search/times.ts';
import { collectionRecord, itemTexts, memorySearch } from './search.ts';
import { keyOf, runOfFile, type CatalogTables, type ItemRow } from './catalog-tables.ts';
import { byText, copy } from './copy.ts';
import { joinTable, putDeliverable } from './put-deliverable.ts';
import { memoryRegions, type MemoryRegions } from './regions.ts';

/** Id of an Item and of the run that published it. */
export type ShownItem = Pick<PublishedItem, 'id' | 'runId'>;

/** Published Items and layers in memory; the run store calls `put`. */
export interface MemoryCatalog {
  readonly store: CatalogStore;
  readonly search: ItemSearch;
  /**
   * Stores Items and layers as the newest versions. Returns the tables with the present ids of their Items. Changes
   * nothing if it throws `conflict`.
   */
  readonly put: (runId: string, deliverable: Deliverable, form?: ItemForm) => readonly PublishedTable[];
  /** Number of current Items of this run, including its `standIns`. */
  readonly shownItems: (runId: string) => number;
  /** Current Items of later runs that replaced an Item of this run and have equal content. */
  readonly standIns: (runId: string) => readonly ShownItem[];
  /** True while an Item or layer of this run, or a replacement with equal content, is current. */
  readonly holds: (runId: string) => boolean;
  /** Removes the data of a run that has no current results. */
  readonly forget: (runId: string) => void;
  readonly regions: MemoryRegions;
  readonly tables: CatalogTables;
}

/** Builds an empty catalogue. */
export function memoryCatalog(clock: Clock): MemoryCatalog {
  const tables: CatalogTables = {
    items: new Map(),
    replaced: [],
    aliases: new Map(),
    layers: new Map(),
    layerChanges: new Map(),
    files: new Map(),
    collections: new Map(),
    texts: itemTexts(),
  };
  const shownItems = (runId: string): number =>
    [...tables.items.values()].filter(({ item }) => item.runId === runId).length;
  const standIns = (runId: string): readonly ShownItem[] =>
    [...tables.items.values()].filter(({ sameContentAs }) => sameContentAs === runId).map(({ item }) => item);
  const showsLayer = (runId: string): boolean => [...tables.layers.values()].some((row) => row.runId === runId);
  return {
    store: { ...itemReads(tables), ...itemLists(tables), ...collectionReads(tables), ...layerReads(tables) },
    search: memorySearch(tables),
    put: (runId, deliverable, form) => {
      const by = { runId, updated: clock.now().toISOString() };
      const undo = undoer(tables);
      const before = new Set(tables.items.values());
      try {
        putDeliverable(tables, by, copy(deliverable));
        const joined = (deliverable.tables ?? []).map((table) => joinTable(tables, copy(table), by.updated));
        for (const row of tables.items.values())
          if (form !== undefined && !before.has(row)) tables.texts.cache(row, form);
        return joined;
      } catch (error) {
        undo();
        throw error;
      }
    },
    regions: memoryRegions(tables),
    tables,
    shownItems: (runId) => shownItems(runId) + standIns(runId).length,
    standIns,
    holds: (runId) => shownItems(runId) + standIns(runId).length > 0 || showsLayer(runId),
    forget: (runId) => {
      const remaining = tables.replaced.filter(({ item }) => item.runId !== runId);
      tables.replaced.splice(0, Infinity, ...remaining);
      for (const key of tables.files.keys()) if (runOfFile(key) === runId) tables.files.delete(key);
    },
  };
}

/** Returns a function that restores the present state after a failed publication. */
function undoer({ replaced, items, aliases, layers, layerChanges, files, collections }: CatalogTables): () => void {
  const count = replaced.length;
  const maps = [saved(items), saved(aliases), saved(layers), saved(layerChanges), saved(files), saved(collections)];
  return () => {
    replaced.splice(count);
    for (const restore of maps) restore();
  };
}

function saved<K, V>(map: Map<K, V>): () => void {
  const entries = [...map];
  return () => {
    map.clear();
    for (const [key, value] of entries) map.set(key, value);
  };
}

function itemReads({ items, replaced, aliases }: CatalogTables): Pick<CatalogStore, 'item' | 'itemsOfRun' | 'itemsOf'> {
  return {
    item: async (collectionPath, id) => {
      const name = keyOf(collectionPath, id);
      return copy((items.get(name) ?? items.get(aliases.get(name) ?? ''))?.item);
    },
    itemsOfRun: async (runId) => {
      const rows = [...rowsOf(items.values(), runId, false), ...rowsOf(replaced, runId, true)];
      return copy(rows.sort((a, b) => a.position - b.position || byText(a.item.id, b.item.id)).map(({ item }) => item));
    },
    itemsOf: async (path) => {
      const found = Array.from(items.values(), ({ item }) => item).filter((item) => item.collectionPath === path);
      return copy(found.sort((a, b) => byText(a.id, b.id)));
    },
  };
}

function itemLists({ items }: CatalogTables): Pick<CatalogStore, 'listOf' | 'newest'> {
  return {
    listOf: async (path, { limit, offset }) => {
      const found = Array.from(items.values(), ({ item }) => item).filter((item) => item.collectionPath === path);
      const ordered = found.sort((a, b) => startOf(b) - startOf(a) || byText(b.id, a.id));
      return ordered.slice(offset, offset + limit).map((item) => ({ ...versionOf(item), title: shownTitle(item) }));
    },
    newest: async ({ runs, before, of = 'tehsils' }) => {
      const listed = [...items.values()].filter(({ item }) => isRegionPath(item.collectionPath) === (of === 'regions'));
      const ids = new Set(listed.map(({ item }) => item.runId));
      const older = [...ids].filter((id) => before === undefined || id < before).sort((a, b) => byText(b, a));
      return older.slice(0, runs).flatMap((runId) => {
        const ofRun = listed.filter(({ item }) => item.runId === runId);
        return ofRun.sort((a, b) => a.position - b.position).map(({ item }) => versionOf(item));
      });
    },
  };
}

// In descending order, an Item without a start sorts first, as nulls do in PostgreSQL.
function startOf({ item }: PublishedItem): number {
  const start = millisecondsOf(String(propertyOf(item, 'start_datetime')));
  return Number.isNaN(start) ? Number.MAX_SAFE_INTEGER : start;
}

function shownTitle({ item }: PublishedItem): string | null {
  const title = titleOf(item);
  return typeof title === 'string' ? title : null;
}

function propertyOf({ properties }: PublishedItem['item'], name: string): unknown {
  return isObject(properties) ? properties[name] : undefined;
}

function versionOf({ id, collectionPath, version, runId }: PublishedItem): ItemVersion {
  return { id, collectionPath, version, runId };
}

function rowsOf(
  rows: Iterable<ItemRow>,
  runId: string,
  replaced: boolean,
): { readonly item: RunItem; readonly position: number }[] {
  return [...rows]
    .filter(({ item }) => item.runId === runId)
    .map(({ item, position }) => ({ item: { ...item, replaced }, position }));
}

function collectionReads({
  items,
}: CatalogTables): Pick<CatalogStore, 'collections' | 'collection' | 'publishedTehsils' | 'listRegions'> {
  return {
    collections: async (most) =>
      [...new Set(Array.from(items.values(), ({ item }) => item.collectionPath))].sort(byText).slice(0, most),
    collection: async (path) => copy(collectionRecord([...items.values()], path)),
    publishedTehsils: async () => publishedTehsils([...items.values()]),
    listRegions: async ({ text, limit, offset }) => {
      const found = regionsIn([...items.values()]).filter(({ path }) => path.includes(text));
      return { regions: found.slice(offset, offset + limit), total: found.length };
    },
  };
}

function publishedTehsils(rows: readonly ItemRow[]): readonly PublishedTehsil[] {
  const inTehsils = rows.filter(({ item }) => !isRegionPath(item.collectionPath));
  const byPath = [...Map.groupBy(inTehsils, ({ item }) => item.collectionPath)];
  return byPath
    .map(([path, own]): PublishedTehsil => ({ path, items: own.length, box: boxOfItems(own) }))
    .sort((a, b) => byText(a.path, b.path));
}

function boxOfItems(rows: readonly ItemRow[]): PublishedTehsil['box'] {
  const [west, south, east, north] = extentOfItems(rows.map(({ item }) => item.item))?.spatial.bbox[0] ?? [];
  const hasBox = west !== undefined && south !== undefined && east !== undefined && north !== undefined;
  return hasBox ? [west, south, east, north] : null;
}

function regionsIn(rows: readonly ItemRow[]): readonly ListedRegion[] {
  const inRegions = rows.filter(({ item }) => isRegionPath(item.collectionPath));
  const byPath = [...Map.groupBy(inRegions, ({ item }) => item.collectionPath)];
  const regions = byPath.map(([path, own]): ListedRegion => {
    const publishedAt = own.map(({ updated }) => updated).reduce((a, b) => (a > b ? a : b), '');
    return { path, items: own.length, box: boxOfItems(own), publishedAt };
  });
  return regions.sort((a, b) => byText(b.publishedAt, a.publishedAt) || byText(a.path, b.path));
}

function layerReads({
  items,
  layers,
  layerChanges,
  files,
}: CatalogTables): Pick<CatalogStore, 'layer' | 'layerOfRun' | 'layersOf' | 'layersVersionOf'> {
  const presentOf = (tehsilId: number): LayerRecord[] =>
    [...layers.values()].flatMap(({ layer, isFormer }) => (layer.tehsilId === tehsilId && !isFormer ? [layer] : []));
  return {
    layer: async (workspace, layerName) => copy(layers.get(keyOf(workspace, layerName))?.layer),
    layerOfRun: async (runId, workspace, layerName) => copy(files.get(keyOf(runId, workspace, layerName))),
    layersOf: async (tehsilId, workspace) => {
      const byId = new Map([...items.values()].map(({ item }) => [item.id, item.item]));
      const wanted = presentOf(tehsilId).filter((layer) => workspace === undefined || layer.workspace === workspace);
      const found = wanted.map((layer) => ({ ...layer, ...datesAndShape(byId.get(layer.itemId)) }));
      return copy(found.sort((a, b) => byText(a.workspace, b.workspace) || byText(a.layerName, b.layerName)));
    },
    layersVersionOf: async (tehsilId) => String(layerChanges.get(tehsilId) ?? 0),
  };
}

function datesAndShape(item: PublishedItem['item'] = {}): Pick<DatedLayer, 'start' | 'end' | 'shape'> {
  const instant = (name: string): string | null => {
    const value = propertyOf(item, name) ?? propertyOf(item, 'datetime');
    return typeof value === 'string' ? new Date(millisecondsOf(value)).toISOString() : null;
  };
  const shape = propertyOf(item, FEATURE_SHAPE);
  return {
    start: instant('start_datetime'),
    end: instant('end_datetime'),
    shape: typeof shape === 'string' ? shape : null,
  };
}
