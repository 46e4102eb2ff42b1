import { checkTableRoom, itemGone, rowKey, withAddedAssets } from '@headwater/core/runs';
import type { Deliverable, ItemKey, PublishedSeries, PublishedTable } from '@headwater/core';
import type { Sql } from '../database.ts';
import { int4, storable } from '../guards.ts';

const TABLE = `insert into headwater.data_tables as old
    (tehsil_id, name, key_column, columns, item_id, row_count, run_id, version, published_at)
  values ($1, $2, $3, $4, $5, $6, $7, 1, clock_timestamp())
  on conflict (tehsil_id, name) do update set key_column = excluded.key_column, columns = excluded.columns, item_id = excluded.item_id,
    row_count = excluded.row_count, run_id = excluded.run_id, version = old.version + 1, published_at = excluded.published_at
  returning id::text, version`;
const OLD_ROWS = 'delete from headwater.data_rows where table_id = $1';
const ROWS = `insert into headwater.data_rows (table_id, key, position, cells)
  select $1::bigint, key, position, cells from unnest($2::text[], $3::text[]) with ordinality as r (key, cells, position)`;

const SERIES = `insert into headwater.data_series as old
    (tehsil_id, name, unit, description, dates, run_id, version, published_at)
  values ($1, $2, $3, $4, $5, $6, 1, clock_timestamp())
  on conflict (tehsil_id, name) do update set unit = excluded.unit, description = excluded.description, dates = excluded.dates,
    run_id = excluded.run_id, version = old.version + 1, published_at = excluded.published_at
  returning id::text, version`;
const OLD_VALUES = 'delete from headwater.series_values where series_id = $1';
const VALUES = `insert into headwater.series_values (series_id, uid, numbers)
  select $1::bigint, uid, numbers from unnest($2::text[], $3::text[]) as v (uid, numbers)`;

/** Table or series ready for storage: its head (the row that describes it), and its entries as two columns of texts. */
export interface DataToStore {
  readonly kind: 'table' | 'series';
  readonly tehsilId: number;
  readonly name: string;
  /** The published table; absent for a series. */
  readonly table?: PublishedTable;
  /**
   * Returns the parameters of the statement that stores the head. `earlierItem`: id of the Item of an earlier run to
   * which the table belongs.
   */
  readonly head: (runId: string, earlierItem?: string) => readonly (string | number | null)[];
  readonly keys: readonly string[];
  readonly texts: readonly string[];
}

const STATEMENTS = {
  table: { head: TABLE, drop: OLD_ROWS, fill: ROWS },
  series: { head: SERIES, drop: OLD_VALUES, fill: VALUES },
} as const;

/** Prepares tables and series for storage. Their order is fixed, to avoid deadlocks. */
export function dataToStore({ tables = [], series = [] }: Deliverable): readonly DataToStore[] {
  const all = [...tables.map(tableToStore), ...series.map(seriesToStore)];
  const key = ({ kind, tehsilId, name }: DataToStore): string => `${kind}\n${tehsilId}\n${name}`;
  return all.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function tableToStore(table: PublishedTable): DataToStore {
  const { tehsilId, name, key, columns, itemId, rows } = table;
  const id = int4('tehsilId', tehsilId);
  return {
    kind: 'table',
    table,
    tehsilId: id,
    name,
    head: (runId, earlier) => [id, name, key, JSON.stringify(columns), itemId ?? earlier ?? null, rows.length, runId],
    keys: rows.map((row) => rowKey(row, key) ?? ''),
    texts: rows.map((row) => JSON.stringify(columns.map((column) => row[column.name] ?? null))),
  };
}

function seriesToStore({ tehsilId, name, unit, description, dates, values }: PublishedSeries): DataToStore {
  const id = int4('tehsilId', tehsilId);
  return {
    kind: 'series',
    tehsilId: id,
    name,
    head: (runId) => [id, name, unit ?? null, description, JSON.stringify(dates), runId],
    keys: Object.keys(values),
    texts: Object.values(values).map((each) => JSON.stringify(each)),
  };
}

const JOINED = `select collection_path as "collectionPath", id from jsonb_to_recordset($1::jsonb) as n(collection_path text, id text)
  union
  select a.present_path, a.present_id from jsonb_to_recordset($1::jsonb) as n(collection_path text, id text)
    join headwater.item_aliases a using (collection_path, id)`;

/**
 * Keys of the Items of earlier runs to which these tables belong. If an Item was renamed, its former and its present
 * name are returned.
 */
export async function joinedItems(sql: Sql, data: readonly DataToStore[]): Promise<readonly ItemKey[]> {
  const names = data.flatMap(({ table }) => (table?.earlierItem === undefined ? [] : [nameOf(table.earlierItem)]));
  return names.length === 0 ? [] : await sql.rows<ItemKey>(JOINED, [JSON.stringify(names)]);
}

function nameOf({ collectionPath, id }: ItemKey): Readonly<Record<'collection_path' | 'id', string>> {
  return { collection_path: storable('collectionPath', collectionPath), id: storable('itemId', id) };
}

/**
 * Selects the Item with the present name ($1, $2); if there is none, the Item with this former name. `isOwn`: a layer
 * of the tehsil belongs to the Item.
 */
const EARLIER = `select i.id, i.collection_path as path, i.content,
    exists (select 1 from headwater.layers l where l.tehsil_id = $3 and l.item_id = i.id) as "isOwn"
  from headwater.items i where (i.collection_path, i.id) in (
    select $1::text, $2::text
    union all select present_path, present_id from headwater.item_aliases where collection_path = $1 and id = $2)
  order by (i.collection_path, i.id) = ($1::text, $2::text) desc limit 1 for update of i`;

const ADD_ASSETS = `update headwater.items set content = $3, version = version + 1,
    published_at = clock_timestamp(), sent_text = null, sent_form = null
  where collection_path = $1 and id = $2`;

/**
 * Id of the Item of an earlier run to which a table belongs, if any. Adds the addresses of the table to this Item.
 * Throws `conflict` if the Item has no layer of the tehsil, or no room for another table.
 */
async function earlierItemId(sql: Sql, table: PublishedTable | undefined): Promise<string | undefined> {
  if (table?.earlierItem === undefined) return undefined;
  const { collectionPath, id } = table.earlierItem;
  const key = [storable('collectionPath', collectionPath), storable('itemId', id), int4('tehsilId', table.tehsilId)];
  const found = await sql.first<{ id: string; path: string; content: string; isOwn: boolean }>(EARLIER, key);
  if (found?.isOwn !== true) throw itemGone(table);
  const { assets, limit } = table.earlierItem;
  if (assets !== undefined || limit !== undefined) {
    const item: Readonly<Record<string, unknown>> = JSON.parse(found.content);
    checkTableRoom(item, table);
    if (assets !== undefined)
      await sql.run(ADD_ASSETS, [found.path, found.id, JSON.stringify(withAddedAssets(item, assets))]);
  }
  return found.id;
}

/** Stores a table or series with its entries in place of its earlier version. */
export async function storeData(sql: Sql, data: DataToStore, runId: string): Promise<void> {
  const { head, drop, fill } = STATEMENTS[data.kind];
  const earlier = await earlierItemId(sql, data.table);
  const stored = await sql.first<{ id: string; version: number }>(head, data.head(runId, earlier));
  const id = stored?.id ?? '';
  if (stored?.version !== 1) await sql.run(drop, [id]);
  if (data.keys.length > 0) await sql.run(fill, [id, data.keys, data.texts]);
}
