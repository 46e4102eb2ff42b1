import { idOfPath } from '@headwater/core/runs';
import { type CollectionFacts, isListed, pageOfCollections } from '@headwater/core/search';
import type { CollectionPage, CollectionRequest, ListedCollection } from '@headwater/core/ports';
import { isStorable } from '@headwater/core/values';
import type { Sql } from '../database.ts';
import { parseExtent, parseMembers, type Summed } from '../runs/collections.ts';

const LISTED = 'select path, items as "itemCount", extent from headwater.collections';
const BELOW = `${LISTED} where parent = $1`;
const RECORDS = `select c.path, c.items as "itemCount", c.extent, c.members,
    array(select b.path from headwater.collections b where b.parent = c.path order by b.path) as children
  from headwater.collections c where c.path = any ($1::text[]) order by c.path`;
const PATH = `select n.path from headwater.collection_names n
  where n.id = $1 and exists (select from headwater.collections c where c.path = n.path)`;

type ListedRow = Omit<CollectionFacts, 'extent'> & Pick<Summed, 'extent'>;
type RecordRow = ListedRow & Pick<Summed, 'members'> & Pick<ListedCollection, 'children'>;

/** Returns a page of Collections. Filters all Collections (a few thousand), and reads details only for the page. */
export async function listCollections(sql: Sql, request: CollectionRequest): Promise<CollectionPage> {
  const { parent } = request;
  if (parent !== undefined && !isStorable(parent)) return { collections: [], matched: 0 };
  const rows = await (parent === undefined ? sql.rows<ListedRow>(LISTED) : sql.rows<ListedRow>(BELOW, [parent]));
  const listed = rows.map((row) => ({ ...row, extent: parseExtent(row.extent) })).filter(isListed(request));
  const { page, ...rest } = pageOfCollections(listed, request);
  const records = await sql.rows<RecordRow>(RECORDS, [page.map(({ path }) => path)]);
  const collections = records.map(({ extent, members, ...record }): ListedCollection => ({
    ...record,
    id: idOfPath(record.path),
    extent: parseExtent(extent),
    members: parseMembers(members),
  }));
  return { collections, ...rest };
}

/** Path of a Collection by its id; undefined if neither this Collection nor a Collection below it has an Item. */
export async function pathOfCollection(sql: Sql, id: string): Promise<string | undefined> {
  return isStorable(id) ? (await sql.first<{ path: string }>(PATH, [id]))?.path : undefined;
}
