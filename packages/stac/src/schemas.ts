import { z } from 'zod';
import { validateCatalog } from './validate/catalog.ts';
import { validateCollection } from './validate/collection.ts';
import type { Finding } from './errors.ts';
import { validateItem } from './validate/item.ts';

type Validator = (value: unknown, profile: 'headwater') => Finding[];

function conforming(validator: Validator) {
  return (value: unknown, context: z.core.$RefinementCtx): void => {
    for (const { pointer, severity, got, expected, fix, rule } of validator(value, 'headwater')) {
      if (severity !== 'error') continue;
      const path = pointer
        .split('/')
        .slice(1)
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
      context.addIssue({ code: 'custom', path, message: `got ${got}, expected ${expected}; ${fix} [${rule}]` });
    }
  };
}

const link = z.looseObject({
  rel: z.string(),
  href: z.string(),
  type: z.string().optional(),
  title: z.string().optional(),
});
const asset = z.looseObject({ href: z.string(), type: z.string(), title: z.string(), roles: z.array(z.string()) });
const bbox = z.tuple([z.number(), z.number(), z.number(), z.number()]);

/** Zod schema of an Item of the profile `headwater`; also runs `validateItem`. */
export const itemSchema = z
  .looseObject({
    type: z.literal('Feature'),
    stac_version: z.string(),
    stac_extensions: z.array(z.string()),
    id: z.string(),
    geometry: z.looseObject({ type: z.string(), coordinates: z.array(z.unknown()) }),
    bbox,
    properties: z.looseObject({
      title: z.string(),
      description: z.string(),
      start_datetime: z.string(),
      end_datetime: z.string(),
      datetime: z.string(),
      keywords: z.array(z.string()),
    }),
    links: z.array(link),
    assets: z.looseObject({ data: asset, style: asset.optional(), thumbnail: asset.optional() }),
    collection: z.string(),
  })
  .superRefine(conforming(validateItem));

/** Zod schema of a Catalog of the profile `headwater`; also runs `validateCatalog`. */
export const catalogSchema = z
  .looseObject({
    type: z.literal('Catalog'),
    stac_version: z.string(),
    id: z.string(),
    title: z.string().optional(),
    description: z.string(),
    links: z.array(link),
  })
  .superRefine(conforming(validateCatalog));

/** Zod schema of a Collection of the profile `headwater`; also runs `validateCollection`. */
export const collectionSchema = z
  .looseObject({
    type: z.literal('Collection'),
    stac_version: z.string(),
    id: z.string(),
    title: z.string().optional(),
    description: z.string(),
    license: z.string(),
    keywords: z.array(z.string()).optional(),
    extent: z.looseObject({
      spatial: z.looseObject({ bbox: z.array(bbox) }),
      temporal: z.looseObject({ interval: z.array(z.tuple([z.string().nullable(), z.string().nullable()])) }),
    }),
    links: z.array(link),
  })
  .superRefine(conforming(validateCollection));
