import type { ItemForm, ItemVersion } from '@headwater/core';
import type { Database } from '../database.ts';
import { publishedItem } from './item-text.ts';

/**
 * Each part is a step of the index `items_unwritten`. Rows that a publication or another process holds are left to it, so that nobody
 * waits for anybody in a circle.
 */
const UNWRITTEN = `select id, collection_path as "collectionPath", version, run_id as "runId", content from headwater.items
  where sent_form is null or sent_form < $1 or sent_form > $1 limit $2::int for update skip locked`;
const WRITE = `update headwater.items i set sent_text = u.text, sent_form = $1
  from unnest($2::text[], $3::text[], $4::text[]) as u (path, id, text) where i.collection_path = u.path and i.id = u.id`;

/** Writes the texts of Items that are not kept in this form. */
export async function writeTexts(database: Database, form: ItemForm, most: number): Promise<number> {
  return await database.tx(async (sql) => {
    const rows = await sql.rows<ItemVersion & { readonly content: string }>(UNWRITTEN, [form.name, most]);
    if (rows.length === 0) return 0;
    return await sql.run(WRITE, [
      form.name,
      rows.map(({ collectionPath }) => collectionPath),
      rows.map(({ id }) => id),
      rows.map((row) => form.text(publishedItem(row, row.content))),
    ]);
  });
}
