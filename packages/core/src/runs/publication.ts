import { extentOf, isStacError, joinExtents, type Extent } from '@headwater/stac';
import type { Deliverable, RunStore } from '../ports/runs.ts';
import type { ItemForm } from '../ports/item-search.ts';

/** Ids of the tehsils with layers, tables or series in a publication, each once, ascending. */
export function publishedTehsils({ layers, tables = [], series = [] }: Deliverable): readonly number[] {
  const ids = [...layers, ...tables, ...series].map(({ tehsilId }) => tehsilId);
  return [...new Set(ids)].sort((a, b) => a - b);
}

/**
 * Extent of the Items that have a box and times; null if there is none. Published Items are validated, so they have a box and
 * times. But the store of an embedder may have Items without them. These Items are ignored here, so that a list that contains
 * them does not fail.
 */
export function extentOfItems(items: readonly object[]): Extent | null {
  return joinedExtent(items.map(ownExtent));
}

/** The smallest extent that contains all extents that are not null; null if all are null. */
export function joinedExtent(extents: readonly (Extent | null)[]): Extent | null {
  const known = extents.filter((extent) => extent !== null);
  return known.length === 0 ? null : joinExtents(known);
}

function ownExtent(item: object): Extent | null {
  try {
    return extentOf([item]);
  } catch (error) {
    if (isStacError(error)) return null;
    throw error;
  }
}

/**
 * Wraps a run store with a default `ItemForm`: `publish` writes Items in this form, unless the call's options have another form.
 */
export function withItemForm(form: ItemForm, store: RunStore): RunStore {
  return {
    ...store,
    publish: (id, token, options) => store.publish(id, token, { form, ...options }),
  };
}
