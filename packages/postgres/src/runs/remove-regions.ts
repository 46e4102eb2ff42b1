import { isRegionPath } from '@headwater/core/places';
import { isStorable } from '@headwater/core/values';
import type { RegionsToRemove, RemovedRegions } from '@headwater/core/ports';
import type { Database, Sql } from '../database.ts';
import { lockCollections, updateCollections } from './collections.ts';
import { SHOWN } from './rows.ts';

/**
 * Condition of the indexes over Items of regions. The text must be equal to the condition in the indexes, because
 * otherwise PostgreSQL does not use them.
 */
export const IN_REGION = `collection_path like 'regions/custom/%'`;
/** Condition of the index over all other Items. */
export const IN_TEHSIL = `collection_path not like 'regions/custom/%'`;

const OF_PATH = 'select path from headwater.collections where path = $1 and items > 0';

/** Selects old regions. The age of a region is the age of its newest Item. */
const EXPIRED = `select i.collection_path as path from headwater.items i
  where i.${IN_REGION} and i.published_at < clock_timestamp() - $1::float8 * interval '1 millisecond'
    and not exists (select from headwater.items n where n.collection_path = i.collection_path
      and (n.published_at, n.id) > (i.published_at, i.id))
  order by i.published_at limit $2::int`;

const STILL_EXPIRED = `select c.path from unnest($1::text[]) as c(path)
  where exists (select from headwater.items i where i.collection_path = c.path)
    and not exists (select from headwater.items i where i.collection_path = c.path
      and i.published_at >= clock_timestamp() - $2::float8 * interval '1 millisecond')`;

const RUNS = `select run_id as id from headwater.items where collection_path = any ($1::text[])
  union
  select run_id from headwater.replaced_items where ${IN_REGION} and collection_path = any ($1::text[])`;

/** Removes the layers of regions. Results of a region have the tehsil 0, because ids of tehsils start at 1. */
const LAYERS = `delete from headwater.layers l using headwater.items i
  where i.collection_path = any ($1::text[]) and l.item_id = i.id and l.tehsil_id = 0`;
const TABLES = `with gone as (delete from headwater.data_tables where tehsil_id = 0 and run_id = any ($1::text[]) returning id)
  delete from headwater.data_rows r using gone where r.table_id = gone.id`;
const SERIES = `with gone as (delete from headwater.data_series where tehsil_id = 0 and run_id = any ($1::text[]) returning id)
  delete from headwater.series_values v using gone where v.series_id = gone.id`;
const ITEMS = 'delete from headwater.items where collection_path = any ($1::text[])';
const VERSIONS = `delete from headwater.replaced_items where ${IN_REGION} and collection_path = any ($1::text[])`;
const ALIASES = 'delete from headwater.item_aliases where present_path = any ($1::text[])';
/** Frees the names of regions. A publication that waits for the lock reserves its name again afterwards. */
const NAMES = 'delete from headwater.collection_names where path = any ($1::text[])';

/** Marks runs without other results as replaced long ago, so that their files are removed without delay. */
const FREE = `update headwater.runs r set replaced_at = '-infinity'
  where r.id = any ($1::text[]) and r.state = 'success' and not ${SHOWN} returning r.id, r.token`;
const FILES = 'delete from headwater.layer_files where run_id = any ($1::text[])';

const NONE: RemovedRegions = { paths: [], items: 0, attempts: [] };

/** Removes regions in one transaction, see `RunStore.removeRegions`. */
export async function removeRegions(database: Database, which: RegionsToRemove): Promise<RemovedRegions> {
  if ('path' in which && !(isStorable(which.path) && isRegionPath(which.path))) return NONE;
  return await database.tx(async (sql) => {
    const paths = await lockedPaths(sql, which);
    return paths.length === 0 ? NONE : await remove(sql, paths);
  });
}

/** Locks the regions to remove. Reads their age again afterwards, because a run may publish during the wait. */
async function lockedPaths(sql: Sql, which: RegionsToRemove): Promise<readonly string[]> {
  const found =
    'path' in which ? await pathsOf(sql, OF_PATH, which.path) : await pathsOf(sql, EXPIRED, which.ageMs, which.most);
  if (found.length === 0) return [];
  await lockCollections(sql, found);
  const left =
    'path' in which ? await pathsOf(sql, OF_PATH, which.path) : await pathsOf(sql, STILL_EXPIRED, found, which.ageMs);
  // The lock created Collections of regions that another process had removed. This update removes these empty
  // Collections.
  await updateCollections(
    sql,
    found.filter((path) => !left.includes(path)),
  );
  return left;
}

async function pathsOf(
  sql: Sql,
  query: string,
  ...values: readonly (string | number | readonly string[])[]
): Promise<readonly string[]> {
  return (await sql.rows<{ readonly path: string }>(query, values)).map(({ path }) => path);
}

async function remove(sql: Sql, paths: readonly string[]): Promise<RemovedRegions> {
  const runs = (await sql.rows<{ readonly id: string }>(RUNS, [paths])).map(({ id }) => id);
  await sql.run(LAYERS, [paths]);
  await sql.run(TABLES, [runs]);
  await sql.run(SERIES, [runs]);
  const items = await sql.run(ITEMS, [paths]);
  await sql.run(VERSIONS, [paths]);
  await sql.run(ALIASES, [paths]);
  await updateCollections(sql, paths);
  await sql.run(NAMES, [paths]);
  const attempts = await sql.rows<{ readonly id: string; readonly token: number }>(FREE, [runs]);
  await sql.run(FILES, [attempts.map(({ id }) => id)]);
  return { paths, items, attempts };
}
