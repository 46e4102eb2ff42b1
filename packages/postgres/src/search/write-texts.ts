import type { ItemForm, ItemVersion } from '@headwater/core';
import type { Sql } from '../database.ts';
import { publishedItem } from './item-text.ts';

/** Each part is a step of the index `items_unwritten`. */
const UNWRITTEN = `select id, collection_path as "collectionPath", version, run_id as "runId", content from headwater.items
  where sent_form is null or sent_form < $1 or sent_form > $1 limit $2::int`;
/** Another run may have published an Item meanwhile: its text is then of another version, and is left out. */
const WRITE = `update headwater.items i set sent_text = u.text, sent_form = $1
  from unnest($2::text[], $3::text[], $4::int[], $5::text[]) as u (path, id, version, text)
  where i.collection_path = u.path and i.id = u.id and i.version = u.version`;

/** Writes the texts of Items that are not kept in this form. */
export async function writeTexts(sql: Sql, form: ItemForm, most: number): Promise<number> {
  const rows = await sql.rows<ItemVersion & { readonly content: string }>(UNWRITTEN, [form.name, most]);
  if (rows.length === 0) return 0;
  return await sql.run(WRITE, [
    form.name,
    rows.map(({ collectionPath }) => collectionPath),
    rows.map(({ id }) => id),
    rows.map(({ version }) => String(version)),
    rows.map((row) => form.text(publishedItem(row, row.content))),
  ]);
}
