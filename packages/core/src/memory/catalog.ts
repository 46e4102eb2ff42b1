import type { CatalogStore, Deliverable, RunItem } from '../ports/runs.ts';
import { keyOf, type CatalogTables, type ItemRow } from './catalog-tables.ts';
import { byText, copy } from './copy.ts';
import { putDeliverable } from './put-deliverable.ts';

/** What runs published, in memory; `put` is the run store's half of it. */
export interface MemoryCatalog {
  readonly store: CatalogStore;
  /** Replaces the Items and layers of a deliverable and bumps their versions. Throws `conflict` before anything is changed. */
  readonly put: (runId: string, deliverable: Deliverable) => void;
  /** True while an Item of this run is published. */
  readonly holds: (runId: string) => boolean;
}

/** An empty catalogue. */
export function memoryCatalog(): MemoryCatalog {
  const tables: CatalogTables = {
    items: new Map(),
    replaced: [],
    aliases: new Map(),
    layers: new Map(),
    collections: new Map(),
  };
  return {
    store: { ...itemReads(tables), ...layerReads(tables) },
    put: (runId, deliverable) => putDeliverable(tables, runId, copy(deliverable)),
    holds: (runId) => [...tables.items.values()].some(({ item }) => item.runId === runId),
  };
}

function itemReads({ items, replaced, aliases }: CatalogTables): Omit<CatalogStore, 'layer' | 'layersOf'> {
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
    collections: async () => [...new Set(Array.from(items.values(), ({ item }) => item.collectionPath))].sort(byText),
  };
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

function layerReads({ layers }: CatalogTables): Pick<CatalogStore, 'layer' | 'layersOf'> {
  return {
    layer: async (workspace, layerName) => copy(layers.get(keyOf(workspace, layerName))?.layer),
    layersOf: async (tehsilId) => {
      const present = [...layers.values()].filter(({ layer, isFormer }) => layer.tehsilId === tehsilId && !isFormer);
      const found = present.map(({ layer }) => layer);
      return copy(found.sort((a, b) => byText(a.workspace, b.workspace) || byText(a.layerName, b.layerName)));
    },
  };
}
