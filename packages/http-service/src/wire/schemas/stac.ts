import { z } from 'zod';

const slug = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\0/\\]+$/, 'Not a name of the catalogue.');
const Link = z.looseObject({
  rel: z.string(),
  href: z.string(),
  type: z.string().optional(),
  title: z.string().optional(),
});
const base = { stac_version: z.string(), id: z.string(), description: z.string().min(1), links: z.array(Link) };

/** Path parameters by depth. */
export const StateParams = z.object({ state: slug });
/** State and district. */
export const DistrictParams = StateParams.extend({ district: slug });
/** State, district and block. */
export const BlockParams = DistrictParams.extend({ block: slug });
/** An Item of a block. */
export const ItemParams = BlockParams.extend({ item: slug });

/** The root catalogue. */
export const StacCatalog = z.looseObject({ ...base, type: z.literal('Catalog') }).meta({ id: 'StacCatalog' });

/** A collection of a state, district or block. */
export const StacCollection = z
  .looseObject({
    ...base,
    type: z.literal('Collection'),
    license: z.string(),
    extent: z.object({
      spatial: z.object({ bbox: z.array(z.array(z.number())) }),
      temporal: z.object({ interval: z.array(z.tuple([z.string().nullable(), z.string().nullable()])) }),
    }),
  })
  .meta({ id: 'StacCollection' });

/** A STAC Item as published; `@headwater/stac` validated it before it was stored. */
export const StacItem = z
  .looseObject({
    type: z.literal('Feature'),
    stac_version: z.string(),
    id: z.string(),
    geometry: z.looseObject({ type: z.string() }),
    bbox: z.array(z.number()),
    properties: z.looseObject({ datetime: z.string() }),
    links: z.array(z.looseObject({ rel: z.string(), href: z.string() })),
    assets: z.record(z.string(), z.looseObject({ href: z.string() })),
    collection: z.string(),
  })
  .meta({ id: 'StacItem' });
