import { isStorable, type CatalogStore } from '@headwater/core';
import type { Sql } from './database.ts';
import { parseExtent, parseMembers, type Summed } from './runs/collections.ts';

const LEAVES = 'select path from headwater.collections where items > 0 order by path limit $1';
/** The Collection itself and those right below it, of which only the paths are wanted. */
const LEVEL = `select path, case when path = $1 then extent end as extent, case when path = $1 then members end as members
  from headwater.collections
  where path = $1 or parent = $1 order by path`;

/** Reads of Collections, which touch no Item. */
export function collectionReads(sql: Sql): Pick<CatalogStore, 'collections' | 'collection'> {
  return {
    collections: async (most) => {
      const rows = await sql.rows<{ path: string }>(LEAVES, [most ?? null]);
      return rows.map(({ path }) => path);
    },
    collection: async (path) => {
      if (!isStorable(path)) return undefined;
      const rows = await sql.rows<Summed & { readonly path: string }>(LEVEL, [path]);
      if (rows.length === 0) return undefined;
      const own = rows.find((row) => row.path === path);
      const children = rows.filter((row) => row !== own).map((row) => row.path);
      const members = parseMembers(own?.members ?? null);
      return { path, extent: parseExtent(own?.extent ?? null), members, children };
    },
  };
}
