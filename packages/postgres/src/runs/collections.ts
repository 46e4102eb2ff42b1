import { collectionsOn, extentOfItems, joinedExtent, joinMembers, membersOf } from '@headwater/core/runs';
import type { CollectionRecord } from '@headwater/core/ports';
import type { Sql } from '../database.ts';

/** Adds a Collection or locks its row until commit. So two publications below one state run one after the other. */
const LOCK = `insert into headwater.collections as c (path, parent) values ($1, $2)
  on conflict (path) do update set parent = c.parent`;
const CONTENTS = 'select content from headwater.items where collection_path = $1';
const BELOW = 'select extent, members from headwater.collections where parent = $1';
const UPDATE_COLLECTION = 'update headwater.collections set items = $2, extent = $3, members = $4 where path = $1';
const DROP_EMPTY = `delete from headwater.collections as c where c.path = $1 and c.items = 0
  and not exists (select from headwater.collections b where b.parent = c.path)`;

/** Summary of a Collection as JSON text. The Collections above it are computed from summaries. */
export interface Summed {
  readonly extent: string | null;
  readonly members: string | null;
}

/** Locks the Collections at and above these paths from the top down, to avoid deadlocks. */
export async function lockCollections(sql: Sql, paths: readonly string[]): Promise<void> {
  for (const path of withAncestors(paths)) await sql.run(LOCK, [path, parentOf(path)]);
}

/**
 * Updates the Collections at and above these paths from their Items, and removes empty Collections. Call
 * `lockCollections` and write the Items first.
 */
export async function updateCollections(sql: Sql, paths: readonly string[]): Promise<void> {
  for (const path of withAncestors(paths).toReversed()) {
    const contents = await sql.rows<{ content: string }>(CONTENTS, [path]);
    const below = await sql.rows<Summed>(BELOW, [path]);
    const items = contents.map(({ content }): object => JSON.parse(content));
    const extent = joinedExtent([extentOfItems(items), ...below.map((row) => parseExtent(row.extent))]);
    const members = joinMembers([membersOf(items), ...below.map((row) => parseMembers(row.members))]);
    await sql.run(UPDATE_COLLECTION, [
      path,
      items.length,
      extent === null ? null : JSON.stringify(extent),
      JSON.stringify(members),
    ]);
    await sql.run(DROP_EMPTY, [path]);
  }
}

/** Parses the column `extent`. */
export function parseExtent(text: string | null): CollectionRecord['extent'] {
  const extent: CollectionRecord['extent'] = text === null ? null : JSON.parse(text);
  return extent;
}

/** Parses the column `members`; null gives empty members. */
export function parseMembers(text: string | null): CollectionRecord['members'] {
  const members: CollectionRecord['members'] = text === null ? joinMembers([]) : JSON.parse(text);
  return members;
}

function withAncestors(paths: readonly string[]): readonly string[] {
  const all = new Set(paths.flatMap(collectionsOn).map(({ path }) => path));
  return [...all].sort((a, b) => (a < b ? -1 : 1));
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
