import type { ItemForm, ItemVersion, StoredItemText } from '@headwater/core/ports';
import type { PublishedItem } from '@headwater/core';
import { iso } from '../guards.ts';

/** Row of an Item with the stored response text in the requested form (see `ItemForm`), or else its content. */
export interface ItemTextRow extends Omit<StoredItemText, 'text'> {
  readonly text: string | null;
  readonly content: string | null;
}

/** Columns of an Item `i` for `ItemTextRow`. `form`: the parameter with the name of the requested form. */
export function itemTextColumns(form: string): string {
  return `i.id, i.collection_path as "collectionPath", i.version, i.run_id as "runId", ${iso('i.published_at')} as updated,
    case when i.sent_form = ${form} then i.sent_text end as text,
    case when i.sent_form = ${form} then null else i.content end as content`;
}

/** Returns the text of a row; creates a text that is not stored in the requested form. */
export function withText(row: ItemTextRow, form: ItemForm): StoredItemText {
  const { id, collectionPath, version, runId, updated, text, content } = row;
  return {
    id,
    collectionPath,
    version,
    runId,
    updated,
    text: text ?? form.text(publishedItem(row, content ?? '{}')),
  };
}

/** Converts a row to an Item. */
export function publishedItem(row: ItemVersion, content: string): PublishedItem {
  const { id, collectionPath, version, runId } = row;
  const item: PublishedItem['item'] = JSON.parse(content);
  return { id, collectionPath, version, runId, item };
}
