import type { ItemForm, StoredItemText } from '../ports/item-search.ts';
import type { ItemRow, ItemTexts } from './catalog-tables.ts';
import { copy } from './copy.ts';

/** No texts yet. They go with the rows that they belong to: a change of an Item makes another row. */
export function itemTexts(): ItemTexts {
  const kept = new WeakMap<ItemRow, { readonly name: string; readonly text: string }>();
  const of = (row: ItemRow, form: ItemForm): string => {
    const there = kept.get(row);
    return there?.name === form.name ? there.text : form.text(copy(row.item));
  };
  return {
    of,
    has: (row, form) => kept.get(row)?.name === form.name,
    hasAny: (row) => kept.has(row),
    keep: (row, form) => kept.set(row, { name: form.name, text: of(row, form) }),
  };
}

/** An Item with its text. */
export function withText({ item, updated }: ItemRow, text: string): StoredItemText {
  const { id, collectionPath, version, runId } = item;
  return { id, collectionPath, version, runId, updated, text };
}
