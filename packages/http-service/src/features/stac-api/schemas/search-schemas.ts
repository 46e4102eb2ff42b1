import type { SearchRequest } from '@headwater/core/ports';
import { type Cql2Expression, type Cql2Geometry, isCql2Error, parseGeometry } from '@headwater/cql2';
import { z } from 'zod';
import { readBox, readBoxText } from './box.ts';
import { readInterval } from './datetime.ts';
import { type FieldChoice, readFields, readFieldsText } from './fields.ts';
import { FILTER_CRS, FILTER_LANGUAGES, FILTER_SIZE, foundInstead, readFilter } from './filter.ts';
import { readIds } from './ids.ts';
import { DEFAULT_LIMIT, limitParameter, MOST_ITEMS, readLimit } from './reading.ts';
import { readQuery, readQueryText, wholeFilter } from './query-extension.ts';
import { parsedJson, reading, Refusal } from './reading.ts';
import { readSort, readSortText } from './sort.ts';
import { numberInDocument } from '../../../wire/text.ts';

/** Reads a GeoJSON geometry from a JSON text. */
export function readGeometryText(text: string): Cql2Geometry | Refusal {
  const value = parsedJson(text);
  return value === undefined
    ? new Refusal('This is not JSON. Write a GeoJSON geometry, for example {"type":"Point","coordinates":[85,24]}.')
    : readGeometry(value);
}

/** Reads a GeoJSON geometry by the rules of filters. */
export function readGeometry(value: unknown): Cql2Geometry | Refusal {
  try {
    return parseGeometry(value);
  } catch (error) {
    if (!isCql2Error(error)) throw error;
    const { pointer } = error.details;
    return new Refusal(foundInstead(error.details, pointer === '' || pointer === null ? '' : `At ${pointer}:`));
  }
}

type Conditions = Omit<SearchRequest, 'limit' | 'cursor'>;

/** A parsed search for Items. */
export interface ItemSearch {
  readonly conditions: Conditions;
  readonly limit: number;
  readonly token: string | undefined;
  readonly fields: FieldChoice | undefined;
}

const text = z.string();
const token = z.string().describe('Start of the page, from the link `next` of the previous page.');
const language = z
  .enum(FILTER_LANGUAGES, `Must be one of ${FILTER_LANGUAGES.join(', ')}.`)
  .describe('Language of `filter`; default: cql2-text in a query, cql2-json in a body.');
const crs = z
  .literal(FILTER_CRS, `Coordinates are longitude, latitude: leave out this parameter, or send ${FILTER_CRS}.`)
  .describe('Reference system of coordinates in `filter`: longitude, latitude.');

const LIMIT_TEXT = `Items per page, default ${DEFAULT_LIMIT}; a number above ${MOST_ITEMS} counts as ${MOST_ITEMS}, and a page ends at 8 MiB.`;
const DATETIME_TEXT =
  'A time or an interval (2023-07-01T00:00:00Z/..); finds Items whose data overlap it, from start to end.';
const BBOX_TEXT = 'west,south,east,north in degrees; if west is greater than east, the box crosses the antimeridian.';
const INTERSECTS_TEXT = 'A GeoJSON geometry; finds Items that intersect it.';
const SORT_TEXT = 'Names of fields, with + (ascending) or - (descending) before each; default: the newest data first.';
const SORT_OBJECTS = 'Fields to sort by, each with its direction; default: the newest data first.';
const FIELDS_TEXT = 'Names of the members to send; a - before a name leaves the member out.';
const FIELDS_OBJECT = 'Names of the members to send (`include`) and of the members to leave out (`exclude`).';
const QUERY_TEXT =
  'Conditions on properties: {"gsd":{"lte":10}}; the limits of a filter apply to `query` and `filter` together.';
const FILTER_TEXT = `A filter in CQL2. ${FILTER_SIZE}`;

const itemsShape = {
  limit: limitParameter(MOST_ITEMS).optional().describe(LIMIT_TEXT),
  bbox: reading(text, readBoxText).optional().describe(BBOX_TEXT),
  datetime: reading(text, readInterval).optional().describe(DATETIME_TEXT),
  sortby: reading(text, readSortText).optional().describe(SORT_TEXT),
  fields: reading(text, readFieldsText).optional().describe(FIELDS_TEXT),
  filter: text.optional().describe(FILTER_TEXT),
  'filter-lang': language.optional(),
  'filter-crs': crs.optional(),
  query: reading(text, readQueryText).optional().describe(QUERY_TEXT),
  token: token.optional(),
};

const searchShape = {
  ...itemsShape,
  intersects: reading(text, readGeometryText).optional().describe(INTERSECTS_TEXT),
  ids: reading(text, readIds).optional().describe('Ids of Items, separated by commas; an empty text is no condition.'),
  collections: reading(text, readIds)
    .optional()
    .describe('Ids of Collections, separated by commas; an empty text is no condition.'),
};

const idList = reading(z.union([text, z.array(text)], 'A list of texts is required.'), readIds);
const sortKey = z.object(
  {
    field: z.string(),
    direction: z.preprocess(
      (value) => (typeof value === 'string' ? value.toLowerCase() : value),
      z.enum(['asc', 'desc'], 'Must be asc or desc.').default('asc'),
    ),
  },
  'Send an object such as {"field":"start_datetime","direction":"desc"}.',
);
const names = z.array(z.string()).nullish();
/**
 * Passes an object on unchanged, because zod's object schemas drop `__proto__`, and the search would then lose a
 * condition.
 */
const anyObject = z.unknown().meta({ type: 'object', additionalProperties: {} });

const bodyShape = {
  limit: numberInDocument(
    reading(z.number(), (limit) => readLimit(limit, MOST_ITEMS)),
    { type: 'integer', minimum: 1 },
  )
    .optional()
    .describe(LIMIT_TEXT),
  bbox: reading(z.array(z.number()), readBox).optional().describe(BBOX_TEXT),
  datetime: searchShape.datetime,
  intersects: reading(z.looseObject({ type: z.string() }), readGeometry)
    .optional()
    .describe(INTERSECTS_TEXT),
  ids: idList
    .optional()
    .describe(
      'Ids of Items as a list, or as one text separated by commas; an empty list finds nothing, an empty text is no condition.',
    ),
  collections: idList
    .optional()
    .describe(
      'Ids of Collections as a list, or as one text separated by commas; an empty list finds nothing, an empty text is no condition.',
    ),
  sortby: reading(z.array(sortKey), readSort).optional().describe(SORT_OBJECTS),
  fields: reading(
    z.object({ include: names, exclude: names }, 'Send an object such as {"include":["id"]}.'),
    readFields,
  )
    .optional()
    .describe(FIELDS_OBJECT),
  filter: z.unknown().optional().describe(FILTER_TEXT),
  'filter-lang': language.optional(),
  'filter-crs': crs.optional(),
  query: reading(anyObject, readQuery).optional().describe(QUERY_TEXT),
  token: token.optional(),
};

/** Members of a body that a search reads. The link to the next page has these members. */
export function searchMembers(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(bodyShape, name)));
}

interface ParsedSearch extends Partial<Omit<Conditions, 'interval' | 'sort' | 'filter'>> {
  readonly limit?: number | undefined;
  readonly datetime?: Conditions['interval'] | undefined;
  readonly sortby?: Conditions['sort'] | undefined;
  readonly fields?: FieldChoice | undefined;
  readonly query?: Cql2Expression | undefined;
  readonly token?: string | undefined;
  readonly filter?: unknown;
  readonly 'filter-lang'?: (typeof FILTER_LANGUAGES)[number] | undefined;
}

type SearchMembers = { readonly [K in keyof ParsedSearch]: ParsedSearch[K] | undefined };

function searchOf(defaultLanguage: (typeof FILTER_LANGUAGES)[number]) {
  return (members: SearchMembers, context: z.core.$RefinementCtx): ItemSearch => {
    const { bbox, intersects, datetime, sortby, query, fields, limit = DEFAULT_LIMIT, ids, collections } = members;
    if (bbox !== undefined && intersects !== undefined)
      refuse(context, 'bbox', 'A search may have bbox or intersects, but not both: leave out one of them.');
    const filter =
      members.filter === undefined ? undefined : readFilter(members.filter, members['filter-lang'] ?? defaultLanguage);
    if (filter instanceof Refusal) {
      refuse(context, 'filter', filter.sentence);
      return z.NEVER;
    }
    const all = query === undefined ? filter : wholeFilter(filter, query);
    if (all instanceof Refusal) {
      refuse(context, 'query', all.sentence);
      return z.NEVER;
    }
    const conditions: Conditions = {
      ...(bbox === undefined ? {} : { bbox }),
      ...(intersects === undefined ? {} : { intersects }),
      ...(ids === undefined ? {} : { ids }),
      ...(collections === undefined ? {} : { collections }),
      ...(datetime === undefined ? {} : { interval: datetime }),
      ...(sortby === undefined ? {} : { sort: sortby }),
      ...(all === undefined ? {} : { filter: all }),
    };
    return { conditions, limit, token: members.token, fields };
  };
}

function refuse(context: z.core.$RefinementCtx, name: string, message: string): void {
  context.addIssue({ code: 'custom', path: [name], message });
}

/** Query of `GET /search`. */
export const SearchQuery = z.object(searchShape).transform(searchOf('cql2-text'));
/** Query of `GET /collections/{id}/items`. */
export const ItemsQuery = z.object(itemsShape).transform(searchOf('cql2-text'));
/** Body of `POST /search`. */
export const SearchBody = z.object(bodyShape).transform(searchOf('cql2-json'));
