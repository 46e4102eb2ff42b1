import type { ItemKey, NewItem, NewLayer } from '../ports/catalog.ts';
import type { Deliverable } from '../ports/runs.ts';
import type { PublishedTable } from '../ports/tables.ts';
import { collectionsOn, collectionTaken, itemGone, layerTaken } from '../runs/name-conflicts.ts';
import { keyOf, type CatalogTables } from './catalog-tables.ts';

/** Replaces the Items and layers of a deliverable and bumps their versions. Throws `conflict` before anything is changed. */
export function putDeliverable(tables: CatalogTables, runId: string, { items, layers }: Deliverable): void {
  const collections = newCollections(tables, items);
  for (const layer of layers) checkOwner(tables, layer);
  for (const [id, path] of collections) tables.collections.set(id, path);
  for (const [position, item] of items.entries()) putItem(tables, item, { runId, position });
  for (const layer of layers) putLayer(tables, layer, runId);
}

function newCollections(tables: CatalogTables, items: readonly NewItem[]): ReadonlyMap<string, string> {
  const known = new Map(tables.collections);
  for (const name of items.flatMap(({ collectionPath }) => collectionsOn(collectionPath))) {
    const path = known.get(name.id) ?? name.path;
    if (path !== name.path) throw collectionTaken(name, path);
    known.set(name.id, path);
  }
  return known;
}

function checkOwner({ layers }: CatalogTables, { workspace, layerName, tehsilId }: NewLayer): void {
  const there = layers.get(keyOf(workspace, layerName));
  if (there !== undefined && there.layer.tehsilId !== tehsilId) throw layerTaken(workspace, layerName);
}

/** Present id of the earlier Item that a table belongs to. Throws `conflict` where no layer of the table's tehsil has it. */
export function earlierItemId({ items, layers, aliases }: CatalogTables, table: PublishedTable): string | undefined {
  const { earlierItem, tehsilId } = table;
  if (earlierItem === undefined) return undefined;
  const name = keyOf(earlierItem.collectionPath, earlierItem.id);
  const id = (items.get(name) ?? items.get(aliases.get(name) ?? ''))?.item.id;
  const isOwn = [...layers.values()].some(({ layer }) => layer.tehsilId === tehsilId && layer.itemId === id);
  if (id === undefined || !isOwn) throw itemGone(table);
  return id;
}

/** Takes an Item away from a former name, which leads to the present one from now on. Returns its version, 0 for none. */
function moveItem({ items, replaced, aliases }: CatalogTables, from: ItemKey, to: ItemKey): number {
  const [former, present] = [keyOf(from.collectionPath, from.id), keyOf(to.collectionPath, to.id)];
  const there = items.get(former);
  if (there !== undefined) replaced.push(there);
  items.delete(former);
  for (const [name, target] of aliases) if (target === former) aliases.set(name, present);
  aliases.set(former, present);
  return there?.item.version ?? 0;
}

function putItem(
  tables: CatalogTables,
  { formerly = [], ...item }: NewItem,
  by: { runId: string; position: number },
): void {
  const { items, replaced } = tables;
  const moved = formerly.map((former) => moveItem(tables, former, item));
  const name = keyOf(item.collectionPath, item.id);
  const there = items.get(name);
  if (there !== undefined) replaced.push(there);
  const version = Math.max(there?.item.version ?? 0, ...moved) + 1;
  items.set(name, { item: { ...item, runId: by.runId, version }, position: by.position });
}

function putLayer({ layers, files }: CatalogTables, { formerly = [], ...layer }: NewLayer, runId: string): void {
  const { workspace, layerName, tehsilId, layerType, assetKey } = layer;
  const name = keyOf(workspace, layerName);
  const version = (layers.get(name)?.layer.version ?? 0) + 1;
  layers.set(name, { layer: { ...layer, version }, isFormer: false, runId });
  files.set(keyOf(runId, workspace, layerName), { layerType, assetKey });
  for (const formerName of formerly) {
    const former = keyOf(workspace, formerName);
    const there = layers.get(former)?.layer;
    if (there === undefined || there.tehsilId !== tehsilId || former === name) continue;
    files.set(keyOf(runId, workspace, formerName), { layerType, assetKey });
    layers.set(former, {
      layer: { ...layer, layerName: formerName, version: there.version + 1 },
      isFormer: true,
      runId,
    });
  }
}
