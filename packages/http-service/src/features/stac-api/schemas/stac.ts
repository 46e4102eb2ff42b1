import { catalogSchema, collectionSchema, itemSchema } from '@headwater/stac/schemas';
import { z } from 'zod';

const slug = z
  .string()
  .min(1)
  .max(200)
  // oxlint-disable-next-line no-control-regex -- `\0` is refused by generators in Rust
  .regex(/^[^\x00/\\]+$/, 'Not a name of the catalogue.');

/** Path parameters by depth. */
export const StateParams = z.object({
  state: slug.describe('Slug of the state, as the links of the catalogue have it.'),
});
/** State and district. */
export const DistrictParams = StateParams.extend({ district: slug.describe('Slug of the district.') });
/** State, district and block. */
export const BlockParams = DistrictParams.extend({ block: slug.describe('Slug of the block (tehsil).') });
/** An Item of a block. */
export const ItemParams = BlockParams.extend({ item: slug.describe('Id of the Item.') });

/** The root catalogue. */
export const StacCatalog = catalogSchema.meta({ id: 'StacCatalog' });

/** A collection of a state, district or block. */
export const StacCollection = collectionSchema.meta({ id: 'StacCollection' });

/** A STAC Item as published; it was validated before it was stored. */
export const StacItem = itemSchema.meta({ id: 'StacItem' });
