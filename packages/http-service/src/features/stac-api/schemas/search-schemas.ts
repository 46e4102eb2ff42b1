import type { SearchRequest } from '@headwater/core/ports';
import { type Cql2Expression, type Cql2Geometry, isCql2Error, parseGeometry } from '@headwater/cql2';
import { z } from 'zod';
import { readBox, readBoxText } from './box.ts';
import { readInterval } from './datetime.ts';
import { type FieldChoice, readFields, readFieldsText } from './fields.ts';
import { FILTER_CRS, FILTER_LANGUAGES, foundInstead, readFilter } from './filter.ts';
import { readIds } from './ids.ts';
import { DEFAULT_LIMIT, MOST_ITEMS, readLimit, readLimitText } from './reading.ts';
import { readQuery, readQueryText, wholeFilter } from './query-extension.ts';
import { parsedJson, reading, Refusal } from './reading.ts';
import { readSort, readSortText } from './sort.ts';

/** A GeoJSON geometry written as JSON. */
export function readGeometryText(text: string): Cql2Geometry | Refusal {
  const value = parsedJson(text);
  return value === undefined
    ? new Refusal('It is no JSON. Write a GeoJSON geometry, as {"type":"Point","coordinates":[85,24]}.')
    : readGeometry(value);
}

/** A GeoJSON geometry of any of the seven kinds, read as one in a filter is: what one takes the other takes. */
export function readGeometry(value: unknown): Cql2Geometry | Refusal {
  try {
    return parseGeometry(value);
  } catch (error) {
    if (!isCql2Error(error)) throw error;
    const { pointer } = error.details;
    return new Refusal(foundInstead(error.details, pointer === '' || pointer === null ? '' : `At ${pointer}:`));
  }
}

/** Conditions of a filter, which the port takes as one tree. */
type Conditions = Omit<SearchRequest, 'limit' | 'cursor'>;

/** A search as it was asked for. */
export interface AskedSearch {
  readonly conditions: Conditions;
  readonly limit: number;
  readonly token: string | undefined;
  readonly fields: FieldChoice | undefined;
}

const text = z.string();
const token = z.string().describe('Where the page begins, as the link `next` of the page before has it.');
const language = z
  .enum(FILTER_LANGUAGES, `Must be one of ${FILTER_LANGUAGES.join(', ')}.`)
  .describe('Language of `filter`; by default cql2-text in a query and cql2-json in a body.');
const crs = z
  .literal(FILTER_CRS, `Coordinates are longitude, latitude: leave it out, or give ${FILTER_CRS}.`)
  .describe('Reference system of coordinates in `filter`: longitude, latitude.');

const LIMIT_TOLD = `Items on a page, ${DEFAULT_LIMIT} by default; more than ${MOST_ITEMS} are taken as that many, and a page of 8 MiB is full.`;
const DATETIME_TOLD =
  'A time or an interval (2023-07-01T00:00:00Z/..); found is what it overlaps from start to end of the data.';
const BBOX_TOLD = 'west,south,east,north in degrees; west above east crosses the antimeridian.';
const INTERSECTS_TOLD = 'A GeoJSON geometry that Items touch.';
const SORT_TOLD = 'Fields with + (ascending) or - (descending) before them; the newest data first by default.';
const FIELDS_TOLD = 'Members that are wanted, and with - before them those that are not.';
const QUERY_TOLD = 'Conditions on properties: {"gsd":{"lte":10}}.';

/** Parameters of a GET that asks for Items of one Collection. */
const itemsShape = {
  limit: reading(text, (given) => readLimitText(given, MOST_ITEMS))
    .optional()
    .describe(LIMIT_TOLD),
  bbox: reading(text, readBoxText).optional().describe(BBOX_TOLD),
  datetime: reading(text, readInterval).optional().describe(DATETIME_TOLD),
  sortby: reading(text, readSortText).optional().describe(SORT_TOLD),
  fields: reading(text, readFieldsText).optional().describe(FIELDS_TOLD),
  filter: text.optional().describe('A filter in CQL2.'),
  'filter-lang': language.optional(),
  'filter-crs': crs.optional(),
  query: reading(text, readQueryText).optional().describe(QUERY_TOLD),
  token: token.optional(),
};

/** Parameters of a GET that searches. */
const searchShape = {
  ...itemsShape,
  intersects: reading(text, readGeometryText).optional().describe(INTERSECTS_TOLD),
  ids: reading(text, readIds)
    .optional()
    .describe('Ids of Items, with commas between them; an empty text is no condition.'),
  collections: reading(text, readIds)
    .optional()
    .describe('Ids of Collections, with commas between them; an empty text is no condition.'),
};

const idList = reading(z.union([text, z.array(text)], 'A list of texts is required.'), readIds);
const sortKey = z.object(
  {
    field: z.string(),
    direction: z.preprocess(
      (value) => (typeof value === 'string' ? value.toLowerCase() : value),
      z.enum(['asc', 'desc'], 'Give asc or desc.').default('asc'),
    ),
  },
  'Give an object such as {"field":"start_datetime","direction":"desc"}.',
);
const names = z.array(z.string()).nullish();
/** Handed on as it is: zod's own objects drop the name `__proto__`, and a condition that is dropped is one that everything meets. */
const anyObject = z.unknown().meta({ type: 'object', additionalProperties: {} });

/** Members of a POST that searches. */
const bodyShape = {
  limit: reading(z.number(), (given) => readLimit(given, MOST_ITEMS))
    .optional()
    .describe(LIMIT_TOLD),
  bbox: reading(z.array(z.number()), readBox).optional().describe(BBOX_TOLD),
  datetime: searchShape.datetime,
  intersects: reading(z.looseObject({ type: z.string() }), readGeometry)
    .optional()
    .describe(INTERSECTS_TOLD),
  ids: idList
    .optional()
    .describe('Ids of Items, or one text of them; an empty list finds nothing, an empty text is no condition.'),
  collections: idList
    .optional()
    .describe('Ids of Collections, or one text of them; an empty list finds nothing, an empty text is no condition.'),
  sortby: reading(z.array(sortKey), readSort).optional().describe(SORT_TOLD),
  fields: reading(
    z.object({ include: names, exclude: names }, 'Give an object such as {"include":["id"]}.'),
    readFields,
  )
    .optional()
    .describe(FIELDS_TOLD),
  filter: z.unknown().optional().describe('A filter in CQL2.'),
  'filter-lang': language.optional(),
  'filter-crs': crs.optional(),
  query: reading(anyObject, readQuery).optional().describe(QUERY_TOLD),
  token: token.optional(),
};

/** The members of a body that a search reads: what others mean is nobody's to repeat. */
export function searchMembers(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(bodyShape, name)));
}

/** What both ways of asking have after their members were read. */
interface Read extends Partial<Omit<Conditions, 'interval' | 'sort' | 'filter'>> {
  readonly limit?: number | undefined;
  readonly datetime?: Conditions['interval'] | undefined;
  readonly sortby?: Conditions['sort'] | undefined;
  readonly fields?: FieldChoice | undefined;
  readonly query?: Cql2Expression | undefined;
  readonly token?: string | undefined;
  readonly filter?: unknown;
  readonly 'filter-lang'?: (typeof FILTER_LANGUAGES)[number] | undefined;
}

type Given = { readonly [K in keyof Read]: Read[K] | undefined };

function asked(usual: (typeof FILTER_LANGUAGES)[number]) {
  return (given: Given, context: z.core.$RefinementCtx): AskedSearch => {
    const { bbox, intersects, datetime, sortby, query, fields, limit = DEFAULT_LIMIT, ids, collections } = given;
    if (bbox !== undefined && intersects !== undefined)
      refuse(context, 'bbox', 'A search has bbox or intersects, never both: leave one of them out.');
    const filter = given.filter === undefined ? undefined : readFilter(given.filter, given['filter-lang'] ?? usual);
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
    return { conditions, limit, token: given.token, fields };
  };
}

function refuse(context: z.core.$RefinementCtx, name: string, message: string): void {
  context.addIssue({ code: 'custom', path: [name], message });
}

/** Query of `GET /search`. */
export const SearchQuery = z.object(searchShape).transform(asked('cql2-text'));
/** Query of `GET /collections/{id}/items`. */
export const ItemsQuery = z.object(itemsShape).transform(asked('cql2-text'));
/** Body of `POST /search`, read; what is documented of it. */
export const SearchBody = z.object(bodyShape).transform(asked('cql2-json'));
