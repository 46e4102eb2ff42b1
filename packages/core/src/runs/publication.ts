import { extentOf, isStacError, joinExtents, type Extent } from '@headwater/stac';
import type { Deliverable, RunStore } from '../ports/runs.ts';
import type { ItemForm } from '../ports/item-search.ts';

/** Returns the ids of the tehsils with layers, tables or series in a publication, each once, ascending. */
export function publishedTehsils({ layers, tables = [], series = [] }: Deliverable): readonly number[] {
  const ids = [...layers, ...tables, ...series].map(({ tehsilId }) => tehsilId);
  return [...new Set(ids)].sort((a, b) => a - b);
}

/** Returns the extent of those Items that have a box and times; null if no Item has both. */
export function extentOfItems(items: readonly object[]): Extent | null {
  return joinedExtent(items.map(ownExtent));
}

/** Returns the smallest extent around all extents; null if all are null. */
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

/** Wraps a run store with a default `ItemForm` for `publish`. */
export function withItemForm(form: ItemForm, store: RunStore): RunStore {
  return {
    ...store,
    publish: (id, token, options) => store.publish(id, token, { form, ...options }),
  };
}
