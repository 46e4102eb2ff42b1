import { catalogSchema, collectionSchema, itemSchema } from '@headwater/stac/schemas';
import { z } from 'zod';

/** A name without NUL, slash and backslash. NUL is `\x00` here, because client generators in Rust refuse `\0`. */
// oxlint-disable-next-line no-control-regex -- a NUL must be excluded
export const CATALOGUE_NAME = /^[^\x00/\\]+$/;

const slug = z
  .string()
  .min(1)
  .max(200)
  .regex(CATALOGUE_NAME, 'A name has no slash or backslash; copy the name from the catalogue.');

/** Path parameters of a state. */
export const StateParams = z.object({
  state: slug.describe('Slug of the state, as in the links of the catalogue.'),
});
/** Path parameters of a district. */
export const DistrictParams = StateParams.extend({ district: slug.describe('Slug of the district.') });
/** Path parameters of a block. */
export const BlockParams = DistrictParams.extend({ block: slug.describe('Slug of the block (tehsil).') });
/** Path parameters of an Item. */
export const ItemParams = BlockParams.extend({ item: slug.describe('Id of the Item.') });

/** The root catalogue. */
export const StacCatalog = catalogSchema.meta({ id: 'StacCatalog' });

/** A Collection of a state, district or block. */
export const StacCollection = collectionSchema.meta({ id: 'StacCollection' });

/** A published STAC Item, which was validated before its publication. */
export const StacItem = itemSchema.meta({ id: 'StacItem' });
