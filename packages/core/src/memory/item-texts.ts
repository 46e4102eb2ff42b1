import type { ItemForm, StoredItemText } from '../search/item-search.ts';
import type { ItemRow } from './catalog-tables.ts';
import { copy } from './copy.ts';

/** The texts of Items, each made once for a form. */
export interface ItemTexts {
  readonly of: (row: ItemRow, form: ItemForm) => string;
  readonly has: (row: ItemRow, form: ItemForm) => boolean;
}

/** No texts yet. They go with the rows that they belong to: a change of an Item makes another row. */
export function itemTexts(): ItemTexts {
  const kept = new WeakMap<ItemRow, { readonly name: string; readonly text: string }>();
  return {
    has: (row, form) => kept.get(row)?.name === form.name,
    of: (row, form) => {
      const there = kept.get(row);
      if (there?.name === form.name) return there.text;
      const text = form.text(copy(row.item));
      kept.set(row, { name: form.name, text });
      return text;
    },
  };
}

/** An Item with its text. */
export function withText({ item, updated }: ItemRow, text: string): StoredItemText {
  const { id, collectionPath, version, runId } = item;
  return { id, collectionPath, version, runId, updated, text };
}
