import { isRegionPath } from '../places/region.ts';
import type { CatalogTables } from './catalog-tables.ts';

/** Regions of the catalogue in memory. */
export interface MemoryRegions {
  /** Paths of regions without a publication since `before` (ISO 8601 UTC), the oldest first. */
  readonly olderThan: (before: string) => readonly string[];
  /** Removes regions; returns their paths, the number of their Items, and the runs of the Items. */
  readonly remove: (paths: readonly string[]) => RemovedFromCatalog;
}

interface RemovedFromCatalog {
  readonly paths: readonly string[];
  readonly items: number;
  readonly runIds: readonly string[];
}

/** Builds access to the regions in these tables. */
export function memoryRegions(tables: CatalogTables): MemoryRegions {
  return {
    olderThan: (before) => {
      const latest = new Map<string, string>();
      for (const { item, updated } of tables.items.values()) {
        const { collectionPath: path } = item;
        if (isRegionPath(path) && updated > (latest.get(path) ?? '')) latest.set(path, updated);
      }
      const found = [...latest].filter(([, updated]) => updated < before).sort(([, a], [, b]) => (a < b ? -1 : 1));
      return found.map(([path]) => path);
    },
    remove: (paths) => remove(tables, new Set(paths.filter(isRegionPath))),
  };
}

function remove(tables: CatalogTables, paths: ReadonlySet<string>): RemovedFromCatalog {
  const { items, replaced, aliases, layers, collections } = tables;
  const isGone = ({ item }: { readonly item: { readonly collectionPath: string } }): boolean =>
    paths.has(item.collectionPath);
  const present = [...items].filter(([, row]) => isGone(row));
  const names = new Set(present.map(([name]) => name));
  const ids = new Set(present.map(([, { item }]) => item.id));
  const runIds = new Set([...items.values(), ...replaced].filter(isGone).map(({ item }) => item.runId));
  const left = replaced.filter((row) => !isGone(row));
  for (const name of names) items.delete(name);
  replaced.splice(0, Infinity, ...left);
  for (const [name, target] of aliases) if (names.has(target)) aliases.delete(name);
  for (const [name, { layer }] of layers) if (layer.tehsilId === 0 && ids.has(layer.itemId)) layers.delete(name);
  for (const [id, path] of collections) if (paths.has(path)) collections.delete(id);
  const found = new Set(present.map(([, { item }]) => item.collectionPath));
  return { paths: [...found].sort(), items: present.length, runIds: [...runIds] };
}
