import type { ItemForm, ItemVersion, TextsToWrite } from '@headwater/core/ports';
import type { ItemKey } from '@headwater/core';
import type { Database, Sql } from '../database.ts';
import { publishedItem } from './item-text.ts';

/** Condition for Items without a text in the form $1. Each alternative uses the index `items_unwritten`. */
const IS_OTHER = 'sent_form is null or sent_form < $1 or sent_form > $1';
const IS_MISSING = 'sent_form is null';
const COUNT = `select count(*)::int as n from headwater.items where ${IS_OTHER}`;
const WRITE = `update headwater.items i set sent_text = u.text, sent_form = $1
  from unnest($2::text[], $3::text[], $4::text[]) as u (path, id, text) where i.collection_path = u.path and i.id = u.id`;

/** Selects and locks Items. Skips rows that other transactions have locked, because waiting could cause a deadlock. */
const rowsThat = (condition: string, limit: string): string =>
  `select id, collection_path as "collectionPath", version, run_id as "runId", content from headwater.items
  where ${condition} limit ${limit}::int for update skip locked`;

type TextRow = ItemVersion & { readonly content: string };

/** Selects the named Items (present or former names) that have no text. */
const CHANGED = `with named as (select path, id from unnest($1::text[], $2::text[]) as u (path, id))
  select i.id, i.collection_path as "collectionPath", i.version, i.run_id as "runId", i.content from headwater.items i
  where i.sent_form is null and (i.collection_path, i.id) in (select path, id from named
    union all select a.present_path, a.present_id from headwater.item_aliases a join named n on a.collection_path = n.path and a.id = n.id)
  for update of i`;

/** Counts the texts that are not stored in this form. */
export async function unwritten(sql: Sql, form: ItemForm): Promise<number> {
  return (await sql.first<{ n: number }>(COUNT, [form.name]))?.n ?? 0;
}

/**
 * Writes at most `most` texts: missing texts and, unless `which` is `missing`, texts of another form. Returns the
 * number of written texts.
 */
export async function writeTexts(
  database: Database,
  form: ItemForm,
  { most, which }: { readonly most: number; readonly which: TextsToWrite | undefined },
): Promise<number> {
  return await database.tx(async (sql) => {
    const rows =
      which === 'missing'
        ? await sql.rows<TextRow>(rowsThat(IS_MISSING, '$1'), [most])
        : await sql.rows<TextRow>(rowsThat(IS_OTHER, '$2'), [form.name, most]);
    return await storeTexts(sql, form, rows);
  });
}

/** Writes the missing texts of these Items, in the transaction of the change that removed the texts. */
export async function writeChangedTexts(sql: Sql, form: ItemForm, keys: readonly ItemKey[]): Promise<void> {
  if (keys.length === 0) return;
  const named = [keys.map(({ collectionPath }) => collectionPath), keys.map(({ id }) => id)];
  await storeTexts(sql, form, await sql.rows<TextRow>(CHANGED, named));
}

async function storeTexts(sql: Sql, form: ItemForm, rows: readonly TextRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  return await sql.run(WRITE, [
    form.name,
    rows.map(({ collectionPath }) => collectionPath),
    rows.map(({ id }) => id),
    rows.map((row) => form.text(publishedItem(row, row.content))),
  ]);
}
