import { isStorable, type ItemSearch } from '@headwater/core';
import type { Database, Statement } from '../database.ts';
import { listCollections, pathOfCollection } from './collections.ts';
import { searchItems } from './search-items.ts';
import { itemTextColumns, type ItemTextRow, withText } from './item-text.ts';
import { writeTexts } from './write-texts.ts';

/** Looked up in the same statement: an Item by its name is one way to the database. */
const PATH = '(select path from headwater.collection_names where id = $1)';
const ITEM: Statement = {
  name: 'headwater_item_text',
  text: `select ${itemTextColumns('$3')} from headwater.items i where i.collection_path = ${PATH} and i.id = $2`,
};
const FORMER = `select ${itemTextColumns('$3')} from headwater.items i where (i.collection_path, i.id) =
  (select present_path, present_id from headwater.item_aliases where collection_path = ${PATH} and id = $2)`;

/** Searches of what is published, over PostgreSQL. */
export function itemSearch(sql: Database): ItemSearch {
  return {
    search: async (request, form) => await searchItems(sql, request, form),
    item: async ({ collectionId, id }, form) => {
      const values = [collectionId, id, form.name];
      if (!values.every(isStorable)) return undefined;
      const row = (await sql.first<ItemTextRow>(ITEM, values)) ?? (await sql.first<ItemTextRow>(FORMER, values));
      return row === undefined ? undefined : withText(row, form);
    },
    collections: async (request) => await listCollections(sql, request),
    pathOf: async (id) => await pathOfCollection(sql, id),
    write: async (form, most) => await writeTexts(sql, form, most),
  };
}
