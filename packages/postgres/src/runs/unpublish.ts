import type { ItemKey } from '@headwater/core';
import type { Unpublished } from '@headwater/core/ports';
import { beingComputed } from '@headwater/core/runs';
import { isStorable } from '@headwater/core/values';
import type { Database, Sql } from '../database.ts';
import { lockCollections, updateCollections } from './collections.ts';
import { SHOWN } from './rows.ts';

const IS_LAST = `not exists (select from headwater.items o where o.run_id = i.run_id and (o.collection_path, o.id) <> (i.collection_path, i.id))`;
const TABLES = `select t.id, t.name, t.run_id from headwater.data_tables t
    where t.item_id = i.id and t.tehsil_id in (select l.tehsil_id from headwater.layers l where l.item_id = i.id)
  union all
  select t.id, t.name, t.run_id from headwater.data_tables t where t.run_id = i.run_id and t.item_id is null and ${IS_LAST}`;
const SERIES = `select s.id, s.name from headwater.data_series s where s.run_id = i.run_id and ${IS_LAST}`;

const list = (select: string): string => `array_to_json(array(${select}))::text`;
const PARTS = `select i.run_id as "runId",
    ${list(`select l.workspace || ':' || l.layer_name from headwater.layers l where l.item_id = i.id order by 1`)} as layers,
    ${list(`select t.name from (${TABLES}) t order by 1`)} as tables,
    ${list(`select s.name from (${SERIES}) s order by 1`)} as series,
    ${list(`select t.id::text from (${TABLES}) t`)} as "tableIds",
    ${list(`select s.id::text from (${SERIES}) s`)} as "seriesIds",
    ${list(`select t.run_id from (${TABLES}) t union select v.run_id from headwater.replaced_items v
      where v.collection_path = i.collection_path and v.id = i.id union select i.run_id`)} as "runIds"
  from headwater.items i where i.collection_path = $1 and i.id = $2`;

type Lists = 'layers' | 'tables' | 'series' | 'tableIds' | 'seriesIds' | 'runIds';

interface Parts extends Readonly<Record<Lists, readonly string[]>> {
  readonly runId: string;
}

/**
 * Returns the layers, tables and series that are removed together with an Item, and the runs that published its
 * versions and tables. Returns undefined if there is no such Item.
 */
export async function partsOf(sql: Pick<Sql, 'first'>, { collectionPath, id }: ItemKey): Promise<Parts | undefined> {
  const row = await sql.first<Readonly<Record<Lists | 'runId', string>>>(PARTS, [collectionPath, id]);
  if (row === undefined) return undefined;
  const texts = (name: Lists): readonly string[] => {
    const parsed: readonly string[] = JSON.parse(row[name]);
    return parsed;
  };
  return {
    runId: row.runId,
    layers: texts('layers'),
    tables: texts('tables'),
    series: texts('series'),
    tableIds: texts('tableIds'),
    seriesIds: texts('seriesIds'),
    runIds: texts('runIds'),
  };
}

/**
 * Selects an open run of the same pipeline and tehsil, which may publish the Item again. If the run of the Item was
 * removed, a run of any pipeline is selected.
 */
const BUSY = `select r.id from headwater.runs r where r.state in ('queued', 'running')
    and headwater.run_tehsil(r.params) in (select l.tehsil_id from headwater.layers l where l.item_id = $1)
    and r.pipeline = coalesce((select p.pipeline from headwater.runs p where p.id = $2), r.pipeline)
  order by r.seq limit 1`;

const LAYERS = 'delete from headwater.layers where item_id = $1 returning workspace, layer_name';
const FILES = `with gone as (${LAYERS}) delete from headwater.layer_files f using gone
  where f.workspace = gone.workspace and f.layer_name = gone.layer_name`;
const TABLE_ROWS = 'delete from headwater.data_rows where table_id = any ($1::bigint[])';
const TABLE_HEADS = 'delete from headwater.data_tables where id = any ($1::bigint[])';
const VALUES = 'delete from headwater.series_values where series_id = any ($1::bigint[])';
const SERIES_HEADS = 'delete from headwater.data_series where id = any ($1::bigint[])';
const ITEM = 'delete from headwater.items where collection_path = $1 and id = $2';
const VERSIONS = 'delete from headwater.replaced_items where collection_path = $1 and id = $2';
const ALIASES = 'delete from headwater.item_aliases where present_path = $1 and present_id = $2';

/**
 * Marks runs without results as replaced long ago, so that their files are removed without delay. Replaced versions of
 * other Items are also results.
 */
const FREE = `update headwater.runs r set replaced_at = '-infinity'
  where r.id = any ($1::text[]) and r.state = 'success' and not ${SHOWN}
    and not exists (select from headwater.replaced_items v where v.run_id = r.id) returning r.id, r.token`;
const RUN_FILES = 'delete from headwater.layer_files where run_id = any ($1::text[])';

/** Removes an Item in one transaction, see `RunStore.unpublish`. */
export async function unpublish(database: Database, item: ItemKey): Promise<Unpublished | undefined> {
  const { collectionPath, id } = item;
  if (!isStorable(collectionPath) || !isStorable(id)) return undefined;
  if ((await partsOf(database, item)) === undefined) return undefined;
  return await database.tx(async (sql) => {
    // With this lock, a publication of the Collection ends before this removal or begins after it.
    await lockCollections(sql, [collectionPath]);
    const parts = await partsOf(sql, item);
    if (parts !== undefined) {
      const busy = await sql.first<{ readonly id: string }>(BUSY, [id, parts.runId]);
      if (busy !== undefined) throw beingComputed(item, busy.id);
      await remove(sql, item, parts);
    }
    await updateCollections(sql, [collectionPath]);
    if (parts === undefined) return undefined;
    const attempts = await sql.rows<{ readonly id: string; readonly token: number }>(FREE, [parts.runIds]);
    await sql.run(RUN_FILES, [attempts.map((attempt) => attempt.id)]);
    const { layers, tables, series } = parts;
    return { item: { collectionPath, id }, layers, tables, series, attempts };
  });
}

async function remove(sql: Sql, { collectionPath, id }: ItemKey, { tableIds, seriesIds }: Parts): Promise<void> {
  const key = [collectionPath, id];
  await sql.run(FILES, [id]);
  await sql.run(TABLE_ROWS, [tableIds]);
  await sql.run(TABLE_HEADS, [tableIds]);
  await sql.run(VALUES, [seriesIds]);
  await sql.run(SERIES_HEADS, [seriesIds]);
  await sql.run(ITEM, key);
  await sql.run(VERSIONS, key);
  await sql.run(ALIASES, key);
}
