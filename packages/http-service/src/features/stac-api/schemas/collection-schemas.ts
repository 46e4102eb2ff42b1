import { z } from 'zod';
import { readBoxText } from './box.ts';
import { readInterval } from './datetime.ts';
import { readIds } from './ids.ts';
import { limitParameter, reading } from './reading.ts';
import { CATALOGUE_NAME, StacCollection } from './stac.ts';

/**
 * Maximum number of Collections on a page. Some clients put all ids of a page into one address, which must not become
 * too long.
 */
export const MOST_COLLECTIONS = 500;
/** Default number of Collections on a page. */
export const DEFAULT_COLLECTIONS = 200;

const text = z.string();

/** Query of `GET /collections`. */
export const CollectionsQuery = z.object({
  limit: limitParameter(MOST_COLLECTIONS)
    .optional()
    .describe(
      `Collections per page, default ${DEFAULT_COLLECTIONS}; a number above ${MOST_COLLECTIONS} counts as ${MOST_COLLECTIONS}.`,
    ),
  bbox: reading(text, readBoxText)
    .optional()
    .describe('west,south,east,north in degrees; finds Collections whose extent intersects the box.'),
  datetime: reading(text, readInterval)
    .optional()
    .describe('A time or an interval; finds Collections whose period overlaps it.'),
  ids: reading(text, readIds).optional().describe('Ids of Collections, separated by commas.'),
  q: text
    .max(200, 'Must have at most 200 characters.')
    .optional()
    .describe('Words separated by spaces; the id must contain each of them.'),
  token: text.optional().describe('Start of the page, from the link `next` of the previous page.'),
});

const id = z
  .string()
  .min(1)
  .max(500)
  .regex(CATALOGUE_NAME, 'An id has no slash or backslash; copy the id from the catalogue.');

/** Path parameter of a Collection of the API. */
export const CollectionParams = z.object({ collection_id: id.describe('Id of the Collection.') });
/** Path parameters of an Item of the API. */
export const CollectionItemParams = CollectionParams.extend({ item_id: id.describe('Id of the Item.') });

const link = z.looseObject({ rel: z.string(), href: z.url() });

/** Conformance classes of the API. */
export const ConformanceBody = z.object({ conformsTo: z.array(z.string()) }).meta({ id: 'StacConformance' });

/** A page of Collections. */
export const CollectionsBody = z
  .object({
    collections: z.array(StacCollection),
    links: z.array(link),
    numberMatched: z.int().min(0),
    numberReturned: z.int().min(0),
  })
  .meta({ id: 'StacCollections' });

/** Child Collections of a Collection or of the landing page. */
export const ChildrenBody = z
  .object({ children: z.array(StacCollection), links: z.array(link) })
  .meta({ id: 'StacChildren' });

/** A page of Items; `fields` may have removed members. */
export const ItemPageBody = z
  .object({
    type: z.literal('FeatureCollection'),
    features: z.array(z.looseObject({})),
    links: z.array(link),
    numberMatched: z
      .int()
      .min(0)
      .optional()
      .describe(
        'Number of Items on all pages; absent if more than 1,000 Items would be scanned to count them, or if the count takes too long. With `limit=1`, up to 10,000 Items are counted.',
      ),
    numberReturned: z.int().min(0),
  })
  .meta({ id: 'StacItemPage' });

/** Properties by which Items can be filtered, as a JSON Schema. */
export const QueryablesBody = z
  .looseObject({ $schema: z.string(), $id: z.url(), type: z.literal('object'), properties: z.looseObject({}) })
  .meta({ id: 'StacQueryables' });
