import type {
  CatalogStore,
  CollectionRecord,
  Deliverable,
  LayerFile,
  LayerRecord,
  PublishedItem,
} from '../ports/runs.ts';
import { extentOfItems } from '../runs/item-extent.ts';
import { byText, copy } from './copy.ts';

/** What runs published, in memory; `put` is the run store's half of it. */
export interface MemoryCatalog {
  readonly store: CatalogStore;
  /** Replaces the Items and layers of a deliverable and bumps their versions. */
  readonly put: (runId: string, deliverable: Deliverable) => void;
  /** How many Items of this run are shown. */
  readonly shownItems: (runId: string) => number;
  /** True while an Item or a layer of this run is shown. */
  readonly holds: (runId: string) => boolean;
}

/** An empty catalogue. */
export function memoryCatalog(): MemoryCatalog {
  const items = new Map<string, PublishedItem>();
  const layers = new Map<string, LayerRecord>();
  /** By layer: the run that published it last. */
  const shownBy = new Map<string, string>();
  const files = new Map<string, LayerFile>();
  const sortedItems = (): PublishedItem[] =>
    [...items.values()].sort((a, b) => byText(a.id, b.id) || byText(a.collectionPath, b.collectionPath));
  const sortedLayers = (): LayerRecord[] =>
    [...layers.values()].sort((a, b) => byText(a.workspace, b.workspace) || byText(a.layerName, b.layerName));
  return {
    store: {
      item: async (collectionPath, id) => copy(items.get(key(collectionPath, id))),
      itemById: async (id) => copy(sortedItems().find((item) => item.id === id)),
      itemsOf: async (path) => copy(sortedItems().filter(({ collectionPath }) => collectionPath === path)),
      collections: async (most) =>
        [...new Set(Array.from(items.values(), (item) => item.collectionPath))].sort(byText).slice(0, most),
      collection: async (path) => copy(collectionRecord([...items.values()], path)),
      layer: async (workspace, layerName) => copy(layers.get(key(workspace, layerName))),
      layerOfRun: async (runId, workspace, layerName) => copy(files.get(key(runId, workspace, layerName))),
      layersOf: async (tehsilId) => copy(sortedLayers().filter((layer) => layer.tehsilId === tehsilId)),
    },
    put: (runId, deliverable) => {
      for (const item of copy(deliverable.items)) {
        const at = key(item.collectionPath, item.id);
        items.set(at, { ...item, runId, version: (items.get(at)?.version ?? 0) + 1 });
      }
      for (const layer of copy(deliverable.layers)) {
        const at = key(layer.workspace, layer.layerName);
        layers.set(at, { ...layer, version: (layers.get(at)?.version ?? 0) + 1 });
        shownBy.set(at, runId);
        const { workspace, layerName, layerType, assetKey } = layer;
        files.set(key(runId, workspace, layerName), { layerType, assetKey });
      }
    },
    shownItems: (runId) => [...items.values()].filter((item) => item.runId === runId).length,
    holds: (runId) => [...items.values()].some((item) => item.runId === runId) || [...shownBy.values()].includes(runId),
  };
}

function collectionRecord(items: readonly PublishedItem[], path: string): CollectionRecord | undefined {
  const prefix = path === '' ? '' : `${path}/`;
  const below = items.filter(({ collectionPath: at }) => at === path || at.startsWith(prefix));
  if (below.length === 0) return undefined;
  const deeper = below.filter(({ collectionPath: at }) => at.length > prefix.length && at.startsWith(prefix));
  const next = deeper.map(({ collectionPath: at }) => prefix + (at.slice(prefix.length).split('/')[0] ?? ''));
  const extent = path === '' ? null : extentOfItems(below.map(({ item }) => item));
  return { path, extent, children: [...new Set(next)].sort(byText) };
}

function key(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
