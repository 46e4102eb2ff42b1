import type { ItemForm, StoredItemText } from '../ports/item-search.ts';
import type { ItemRow, ItemTexts } from './catalog-tables.ts';
import { copy } from './copy.ts';

/** Builds a cache of Items' texts by row. A change of an Item creates a new row, so a cached text is never outdated. */
export function itemTexts(): ItemTexts {
  const cache = new WeakMap<ItemRow, { readonly name: string; readonly text: string }>();
  const of = (row: ItemRow, form: ItemForm): string => {
    const cached = cache.get(row);
    return cached?.name === form.name ? cached.text : form.text(copy(row.item));
  };
  return {
    of,
    has: (row, form) => cache.get(row)?.name === form.name,
    hasAny: (row) => cache.has(row),
    cache: (row, form) => cache.set(row, { name: form.name, text: of(row, form) }),
  };
}

/** Returns the text of an Item with the members that identify it. */
export function withText({ item, updated }: ItemRow, text: string): StoredItemText {
  const { id, collectionPath, version, runId } = item;
  return { id, collectionPath, version, runId, updated, text };
}
