import { collectionsOn, extentOfItems, joinedExtent, joinMembers, membersOf } from '@headwater/core/runs';
import type { CollectionRecord } from '@headwater/core/ports';
import type { Sql } from '../database.ts';

/**
 * A no-op update on conflict locks the row: two runs that publish below one state take turns from here to their
 * commit, so that each keeps what the one before it made.
 */
const LOCK = `insert into headwater.collections as c (path, parent) values ($1, $2)
  on conflict (path) do update set parent = c.parent`;
const CONTENTS = 'select content from headwater.items where collection_path = $1';
const BELOW = 'select extent, members from headwater.collections where parent = $1';
const NOTE = 'update headwater.collections set items = $2, extent = $3, members = $4 where path = $1';
/** Items that took another name may have left nothing. */
const DROP_EMPTY = `delete from headwater.collections as c where c.path = $1 and c.items = 0
  and not exists (select from headwater.collections b where b.parent = c.path)`;

/** What a Collection tells those above it, as JSON text. */
export interface Summed {
  readonly extent: string | null;
  readonly members: string | null;
}

/** Locks the Collections at and above these paths, top down, which is the same order for every publisher. */
export async function lockCollections(sql: Sql, paths: readonly string[]): Promise<void> {
  for (const path of withAncestors(paths)) await sql.run(LOCK, [path, parentOf(path)]);
}

/** Notes what the Items at these paths make of the Collections there and above; inside the lock, after the Items. */
export async function noteCollections(sql: Sql, paths: readonly string[]): Promise<void> {
  for (const path of withAncestors(paths).toReversed()) {
    const contents = await sql.rows<{ content: string }>(CONTENTS, [path]);
    const below = await sql.rows<Summed>(BELOW, [path]);
    const items = contents.map(({ content }): object => JSON.parse(content));
    const extent = joinedExtent([extentOfItems(items), ...below.map((row) => parseExtent(row.extent))]);
    const members = joinMembers([membersOf(items), ...below.map((row) => parseMembers(row.members))]);
    await sql.run(NOTE, [path, items.length, extent === null ? null : JSON.stringify(extent), JSON.stringify(members)]);
    await sql.run(DROP_EMPTY, [path]);
  }
}

/** Reads an extent's column. */
export function parseExtent(text: string | null): CollectionRecord['extent'] {
  const extent: CollectionRecord['extent'] = text === null ? null : JSON.parse(text);
  return extent;
}

/** Reads a column of members; null where the Collection was published before there was one. */
export function parseMembers(text: string | null): CollectionRecord['members'] {
  const members: CollectionRecord['members'] = text === null ? joinMembers([]) : JSON.parse(text);
  return members;
}

/** The paths and all above them without the root, ascending: a Collection stands after its parent. */
function withAncestors(paths: readonly string[]): readonly string[] {
  const all = new Set(paths.flatMap(collectionsOn).map(({ path }) => path));
  return [...all].sort((a, b) => (a < b ? -1 : 1));
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
