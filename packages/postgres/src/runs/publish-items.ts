import { collectionsOn, collectionTaken } from '@headwater/core/runs';
import { invalidField, type ItemKey, type NewItem, type PublishedItem } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import { millisecondsOf } from '@headwater/core/search';
import type { MultiPolygon, Polygon } from 'geojson';
import type { Sql } from '../database.ts';
import { storable } from '../guards.ts';
import { fromHex, geometryHex } from '../places/geometry.ts';

interface IndexedItem {
  readonly collectionPath: string;
  readonly id: string;
  readonly content: string;
  readonly geometry: string | null;
  /** ISO instant: `start_datetime`, or `datetime` for an Item without interval. */
  readonly start: string | null;
  readonly end: string | null;
}

/** Converts an Item to values for its row. Throws `validation` for a geometry or time that cannot be stored. */
function indexItem({ id, collectionPath, item }: Omit<PublishedItem, 'version' | 'runId'>): IndexedItem {
  const properties = isObject(item['properties']) ? item['properties'] : {};
  return {
    collectionPath: storable('collection', collectionPath),
    id: storable('item id', id),
    content: JSON.stringify(item),
    geometry: itemGeometry(id, item['geometry']),
    start: instant(id, properties['start_datetime'] ?? properties['datetime']),
    end: instant(id, properties['end_datetime'] ?? properties['datetime']),
  };
}

function itemGeometry(id: string, geometry: unknown): string | null {
  if (geometry === undefined || geometry === null) return null;
  if (!isArea(geometry)) throw invalidField(`item ${id}`, 'its geometry is neither a Polygon nor a MultiPolygon');
  return geometryHex(`item ${id}`, geometry);
}

function instant(id: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const time = typeof value === 'string' ? millisecondsOf(value) : Number.NaN;
  if (Number.isNaN(time)) throw invalidField(`item ${id}`, `${JSON.stringify(value)} is not an RFC 3339 instant`);
  return new Date(time).toISOString();
}

function isArea(value: unknown): value is Polygon | MultiPolygon {
  return (
    isObject(value) &&
    (value['type'] === 'Polygon' || value['type'] === 'MultiPolygon') &&
    Array.isArray(value['coordinates'])
  );
}

/** An Item ready for storage. */
export interface ItemToStore extends IndexedItem {
  readonly position: number;
  readonly formerly: readonly ItemKey[];
  /** Id of the run in `NewItem.sameContentAs`, or null. */
  readonly sameContentAs: string | null;
}

const REPLACED_COLUMNS = 'run_id, collection_path, id, version, position, content';

/** Keeps the first copy of an Item that an older version of the service published twice in one result. */
const ONCE = 'on conflict (run_id, collection_path, id) do nothing';

/** Copies the present Item to the replaced Items, and locks it until its replacement. */
const COPY_REPLACED = `insert into headwater.replaced_items (${REPLACED_COLUMNS})
  select ${REPLACED_COLUMNS} from headwater.items where collection_path = $1 and id = $2 for update ${ONCE}`;

const MOVE_REPLACED = `with gone as (delete from headwater.items where collection_path = $1 and id = $2 returning ${REPLACED_COLUMNS}),
    kept as (insert into headwater.replaced_items (${REPLACED_COLUMNS}) select ${REPLACED_COLUMNS} from gone ${ONCE})
  select version from gone`;

const REDIRECT = `update headwater.item_aliases set present_path = $3, present_id = $4
  where present_path = $1 and present_id = $2`;

const ALIAS = `insert into headwater.item_aliases (collection_path, id, present_path, present_id) values ($1, $2, $3, $4)
  on conflict (collection_path, id) do update set present_path = excluded.present_path, present_id = excluded.present_id`;

/** `stands_for`: the run `sameContentAs`, if an Item of this run with this name was replaced; otherwise null. */
const ITEM = `insert into headwater.items as old
    (collection_path, id, version, run_id, content, geometry, start_datetime, end_datetime, position, stands_for)
  values ($1, $2, $3::int + 1, $4, $5, headwater.searched_shape(${fromHex('$6::text')}), $7::timestamptz, $8::timestamptz, $9,
    (select r.run_id from headwater.replaced_items r where r.run_id = $10 and r.collection_path = $1 and r.id = $2 limit 1))
  on conflict (collection_path, id) do update set version = greatest(old.version + 1, excluded.version),
    run_id = excluded.run_id, content = excluded.content, geometry = excluded.geometry,
    start_datetime = excluded.start_datetime, end_datetime = excluded.end_datetime, position = excluded.position,
    stands_for = excluded.stands_for, published_at = clock_timestamp(), sent_text = null, sent_form = null`;

const CLAIM_COLLECTION = 'insert into headwater.collection_names (id, path) values ($1, $2) on conflict do nothing';
const COLLECTION = 'select path from headwater.collection_names where id = $1';

/** Prepares Items for storage. Their order is fixed, to avoid deadlocks. */
export function itemsToStore(items: readonly NewItem[]): readonly ItemToStore[] {
  const all = items.map((item, position) => ({
    ...indexItem(item),
    position,
    formerly: (item.formerly ?? []).map(storableKey),
    sameContentAs: item.sameContentAs === undefined ? null : storable('sameContentAs', item.sameContentAs),
  }));
  const key = ({ collectionPath, id }: ItemKey): string => `${collectionPath}\n${id}`;
  return all.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Reserves the ids of the Collections of these Items. Throws `conflict` if another place has one of these ids. */
export async function claimCollections(sql: Sql, items: readonly ItemKey[]): Promise<void> {
  const names = new Map(
    items.flatMap(({ collectionPath }) => collectionsOn(collectionPath).map((name) => [name.path, name])),
  );
  for (const name of [...names.values()].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    await sql.run(CLAIM_COLLECTION, [name.id, name.path]);
    const holder = await sql.first<{ path: string }>(COLLECTION, [name.id]);
    if (holder !== undefined && holder.path !== name.path) throw collectionTaken(name, holder.path);
  }
}

/** Stores an Item, moves its present version to the replaced Items, and redirects its former names. */
export async function storeItem(sql: Sql, item: ItemToStore, runId: string): Promise<void> {
  const { collectionPath, id, content, geometry, start, end, position, sameContentAs } = item;
  let version = 0;
  for (const former of item.formerly) version = Math.max(version, await removeFormer(sql, former, item));
  await sql.run(COPY_REPLACED, [collectionPath, id]);
  await sql.run(ITEM, [collectionPath, id, version, runId, content, geometry, start, end, position, sameContentAs]);
}

/**
 * Moves the Item with a former name to the replaced Items, and redirects this name to the present name. Returns the
 * version of the Item; 0 if there was none.
 */
async function removeFormer(sql: Sql, former: ItemKey, present: ItemKey): Promise<number> {
  const from = [former.collectionPath, former.id];
  const both = [...from, present.collectionPath, present.id];
  const gone = await sql.first<{ version: number }>(MOVE_REPLACED, from);
  await sql.run(REDIRECT, both);
  await sql.run(ALIAS, both);
  return gone?.version ?? 0;
}

function storableKey({ collectionPath, id }: ItemKey): ItemKey {
  return { collectionPath: storable('collection', collectionPath), id: storable('item id', id) };
}
