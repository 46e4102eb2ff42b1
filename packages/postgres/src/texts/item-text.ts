import type { ItemForm, ItemVersion, StoredItemText } from '@headwater/core/ports';
import type { PublishedItem } from '@headwater/core';
import { iso } from '../time.ts';

/** An Item with its text where it is kept in the form that is asked, or else with its content. */
export interface ItemTextRow extends Omit<StoredItemText, 'text'> {
  readonly text: string | null;
  readonly content: string | null;
}

/** Columns of an Item `i` in the form whose name is this parameter. */
export function itemTextColumns(form: string): string {
  return `i.id, i.collection_path as "collectionPath", i.version, i.run_id as "runId", ${iso('i.published_at')} as updated,
    case when i.sent_form = ${form} then i.sent_text end as text,
    case when i.sent_form = ${form} then null else i.content end as content`;
}

/** The text of a row; one that is not kept in this form is made here, until it is written. */
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

/** A row's Item. */
export function publishedItem(row: ItemVersion, content: string): PublishedItem {
  const { id, collectionPath, version, runId } = row;
  const item: PublishedItem['item'] = JSON.parse(content);
  return { id, collectionPath, version, runId, item };
}
