import { z } from 'zod';
import { readBoxText } from './box.ts';
import { readInterval } from './datetime.ts';
import { readIds } from './ids.ts';
import { readLimitText } from './reading.ts';
import { reading } from './reading.ts';
import { StacCollection } from './stac.ts';

/** Some clients put the ids of a whole page into one address. */
export const MOST_COLLECTIONS = 500;
/** Collections on a page where nothing is said. */
export const DEFAULT_COLLECTIONS = 200;

const text = z.string();

/** Query of `GET /collections`. */
export const CollectionsQuery = z.object({
  limit: reading(text, (given) => readLimitText(given, MOST_COLLECTIONS))
    .optional()
    .describe(
      `Collections on a page, ${DEFAULT_COLLECTIONS} by default; more than ${MOST_COLLECTIONS} are taken as that many.`,
    ),
  bbox: reading(text, readBoxText)
    .optional()
    .describe('west,south,east,north in degrees; found are Collections whose extent touches it.'),
  datetime: reading(text, readInterval)
    .optional()
    .describe('A time or an interval; found are Collections whose extent in time overlaps it.'),
  ids: reading(text, readIds).optional().describe('Ids of Collections, with commas between them.'),
  q: text
    .max(200, 'Give 200 characters at most.')
    .optional()
    .describe('Words each of which the id contains, with blanks between them.'),
  token: text.optional().describe('Where the page begins, as the link `next` of the page before has it.'),
});

const id = z
  .string()
  .min(1)
  .max(500)
  // oxlint-disable-next-line no-control-regex -- `\0` is refused by generators in Rust
  .regex(/^[^\x00/\\]+$/, 'Not an id of the catalogue.');

/** A Collection of the API. */
export const CollectionParams = z.object({ collection_id: id.describe('Id of the Collection.') });
/** An Item of the API. */
export const CollectionItemParams = CollectionParams.extend({ item_id: id.describe('Id of the Item.') });

const link = z.looseObject({ rel: z.string(), href: z.url() });

/** What the API promises. */
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

/** Collections right below another or below the landing page. */
export const ChildrenBody = z
  .object({ children: z.array(StacCollection), links: z.array(link) })
  .meta({ id: 'StacChildren' });

/** A page of Items, of which `fields` may have left parts out. */
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
        'How many Items there are on all pages; absent where counting them would cost more than the page: ask for a page of one Item then, which counts up to 10,000.',
      ),
    numberReturned: z.int().min(0),
  })
  .meta({ id: 'StacItemPage' });

/** What can be filtered by, as a JSON Schema. */
export const QueryablesBody = z
  .looseObject({ $schema: z.string(), $id: z.url(), type: z.literal('object'), properties: z.looseObject({}) })
  .meta({ id: 'StacQueryables' });
