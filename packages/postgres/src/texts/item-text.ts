import type { ItemForm, ItemVersion, StoredItemText } from '@headwater/core/ports';
import type { PublishedItem } from '@headwater/core';
import { iso } from '../guards.ts';

/**
 * Row of an Item. Contains the stored response text if it has the requested form (see `ItemForm`), otherwise the
 * content.
 */
export interface ItemTextRow extends Omit<StoredItemText, 'text'> {
  readonly text: string | null;
  readonly content: string | null;
}

/** Columns of an Item `i` for `ItemTextRow`. `form`: placeholder of the name of the requested form. */
export function itemTextColumns(form: string): string {
  return `i.id, i.collection_path as "collectionPath", i.version, i.run_id as "runId", ${iso('i.published_at')} as updated,
    case when i.sent_form = ${form} then i.sent_text end as text,
    case when i.sent_form = ${form} then null else i.content end as content`;
}

/** Returns the text of a row. Creates the text if it is not stored in the requested form. */
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
