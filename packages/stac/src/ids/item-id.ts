import { StacError } from '../errors.ts';
import { idSlug } from './slug.ts';

declare const itemIdBrand: unique symbol;

/** Id of an Item: `{state}_{district}_{block}_{layer}`, with `_{year}` for yearly rasters. Safe in a path. */
export type ItemId = string & { readonly [itemIdBrand]: true };

/** Place and layer of an Item, as ordinary names. */
export interface ItemIdParts {
  readonly state: string;
  readonly district: string;
  readonly block: string;
  /** Layer name, such as `land_use_land_cover_raster`. */
  readonly layer: string;
  /** First year of a yearly layer (2023 for July 2023 to June 2024). */
  readonly year?: number;
}

/** Builds the id of an Item. Throws `StacError` for a name without allowed characters, or an invalid year. */
export function itemId(parts: ItemIdParts): ItemId {
  const id = [parts.state, parts.district, parts.block, parts.layer].map(idSlug).join('_');
  if (parts.year === undefined) return id as ItemId;
  if (!Number.isInteger(parts.year) || parts.year < 1000 || parts.year > 9999) {
    throw new StacError(
      `itemId: year ${String(parts.year)} is not a year of four digits; give the first year of the layer`,
    );
  }
  return `${id}_${String(parts.year)}` as ItemId;
}

/** Path of a Collection below the root: `state`, `state/district` or `state/district/block`. */
export function collectionPath(state: string, district?: string, block?: string): string {
  if (district === undefined && block !== undefined) {
    throw new StacError('collectionPath: a block was given without its district; give both');
  }
  return [state, district, block]
    .filter((name) => name !== undefined)
    .map(idSlug)
    .join('/');
}

/** Id of the Collection at a path: slugs joined by `_`. Two paths may give one id (`a/b_c`, `a_b/c`). */
export function collectionId(path: string): string {
  return path.split('/').map(idSlug).join('_');
}
