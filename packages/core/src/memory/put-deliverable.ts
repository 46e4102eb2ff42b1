import type { ItemKey, NewItem, NewLayer } from '../ports/catalog.ts';
import type { Deliverable } from '../ports/runs.ts';
import type { EarlierItem, PublishedTable } from '../ports/tables.ts';
import { collectionsOn, collectionTaken, itemGone, layerTaken } from '../runs/name-conflicts.ts';
import { checkTableRoom, withAddedAssets } from '../runs/table-assets.ts';
import { keyOf, type CatalogTables, type ItemRow } from './catalog-tables.ts';

type Publication = Readonly<Record<'runId' | 'updated', string>>;

/** Stores the Items and layers of a deliverable as the newest versions. Throws `conflict` before any change. */
export function putDeliverable(tables: CatalogTables, by: Publication, { items, layers }: Deliverable): void {
  const collections = newCollections(tables, items);
  checkOwners(tables, layers);
  for (const [id, path] of collections) tables.collections.set(id, path);
  for (const [position, item] of items.entries()) putItem(tables, item, { ...by, position });
  for (const layer of layers) putLayer(tables, layer, by.runId);
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

/** Throws `conflict` for a layer whose name belongs to another tehsil, in the catalogue or in the same deliverable. */
function checkOwners(tables: CatalogTables, layers: readonly NewLayer[]): void {
  const owners = new Map<string, number>();
  for (const { workspace, layerName, tehsilId } of layers) {
    const name = keyOf(workspace, layerName);
    const owner = owners.get(name) ?? tables.layers.get(name)?.layer.tehsilId ?? tehsilId;
    if (owner !== tehsilId) throw layerTaken(workspace, layerName);
    owners.set(name, tehsilId);
  }
}

/**
 * Adds a table to the Item of an earlier run; returns the table with the Item's present id. Throws `conflict` if the
 * Item cannot have the table.
 */
export function joinTable(tables: CatalogTables, table: PublishedTable, updated: string): PublishedTable {
  const { earlierItem, ...rest } = table;
  if (earlierItem === undefined) return table;
  const row = presentRow(tables, earlierItem);
  const id = row?.item.id;
  const isOwn = [...tables.layers.values()].some(
    ({ layer }) => layer.tehsilId === table.tehsilId && layer.itemId === id,
  );
  if (row === undefined || !isOwn) throw itemGone(table);
  checkTableRoom(row.item.item, table);
  if (earlierItem.assets !== undefined) addAssets(tables, row, { assets: earlierItem.assets, updated });
  return { ...rest, itemId: row.item.id };
}

function addAssets(
  { items }: CatalogTables,
  row: ItemRow,
  { assets, updated }: Required<Pick<EarlierItem, 'assets'>> & Pick<Publication, 'updated'>,
): void {
  const item = { ...row.item, item: withAddedAssets(row.item.item, assets), version: row.item.version + 1 };
  items.set(keyOf(item.collectionPath, item.id), { ...row, item, updated });
}

function presentRow({ items, aliases }: CatalogTables, { collectionPath, id }: ItemKey): ItemRow | undefined {
  const name = keyOf(collectionPath, id);
  return items.get(name) ?? items.get(aliases.get(name) ?? '');
}

/** Makes a former name an alias of the present name. Returns the version of the removed Item, or 0. */
function moveItem({ items, replaced, aliases }: CatalogTables, from: ItemKey, to: ItemKey): number {
  const [former, present] = [keyOf(from.collectionPath, from.id), keyOf(to.collectionPath, to.id)];
  const existing = items.get(former);
  if (existing !== undefined) replaced.push(existing);
  items.delete(former);
  for (const [name, target] of aliases) if (target === former) aliases.set(name, present);
  aliases.set(former, present);
  return existing?.item.version ?? 0;
}

function putItem(
  tables: CatalogTables,
  { formerly = [], sameContentAs: sameAs, ...item }: NewItem,
  by: Publication & { readonly position: number },
): void {
  const { items, replaced } = tables;
  const moved = formerly.map((former) => moveItem(tables, former, item));
  const name = keyOf(item.collectionPath, item.id);
  const existing = items.get(name);
  if (existing !== undefined) replaced.push(existing);
  const version = Math.max(existing?.item.version ?? 0, ...moved) + 1;
  const isReplaced = replaced.some(
    ({ item: old }) => old.runId === sameAs && keyOf(old.collectionPath, old.id) === name,
  );
  const sameContentAs = isReplaced ? sameAs : undefined;
  items.set(name, {
    item: { ...item, runId: by.runId, version },
    position: by.position,
    sameContentAs,
    updated: by.updated,
  });
}

function noteChange({ layerChanges }: CatalogTables, tehsilId: number): void {
  layerChanges.set(tehsilId, (layerChanges.get(tehsilId) ?? 0) + 1);
}

function putLayer(tables: CatalogTables, { formerly = [], ...layer }: NewLayer, runId: string): void {
  const { layers, files } = tables;
  const { workspace, layerName, tehsilId, layerType, assetKey } = layer;
  const name = keyOf(workspace, layerName);
  const version = (layers.get(name)?.layer.version ?? 0) + 1;
  noteChange(tables, tehsilId);
  layers.set(name, { layer: { ...layer, version }, isFormer: false, runId });
  files.set(keyOf(runId, workspace, layerName), { layerType, assetKey });
  for (const formerName of formerly) {
    const former = keyOf(workspace, formerName);
    const existing = layers.get(former)?.layer;
    if (existing === undefined || existing.tehsilId !== tehsilId || former === name) continue;
    files.set(keyOf(runId, workspace, formerName), { layerType, assetKey });
    layers.set(former, {
      layer: { ...layer, layerName: formerName, version: existing.version + 1 },
      isFormer: true,
      runId,
    });
  }
}
