import { extentOf, isStacError, joinExtents, type Extent } from '@headwater/stac';

/**
 * Extent of those Items that have a box and times; null where none has. Published Items have both: they are validated before;
 * stores of an embedder may hold others, and a listing must not fail for one of them.
 */
export function extentOfItems(items: readonly object[]): Extent | null {
  return joinedExtent(items.map(ownExtent));
}

/** The extent around those that are known; null where none is. */
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
