import { isObject } from '@headwater/core/values';
import {
  CQL2_LIMITS,
  type Cql2ErrorDetails,
  type Cql2Expression,
  isCql2Error,
  parseCql2Json,
  parseCql2Text,
  propertiesOf,
} from '@headwater/cql2';
import { parsedJson, Refusal } from './reading.ts';
import { propertyName } from './sort.ts';

/** Names of the filter languages in requests. */
export const FILTER_LANGUAGES = ['cql2-text', 'cql2-json'] as const;
/** The only coordinate reference system in filters: longitude, latitude. */
export const FILTER_CRS = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

/** Sentence about the maximum size of a filter, for descriptions of parameters. */
export const FILTER_SIZE = `A filter has at most ${CQL2_LIMITS.nodes} nodes, of which ${CQL2_LIMITS.costly} may be text, spatial or temporal operators: each operator, property, geometry, interval and list counts as a node, and ten texts, numbers, booleans or instants count as one.`;

const NO_JSON =
  'The filter is a text that is not JSON. If it is CQL2-Text, also send filter-lang: cql2-text; otherwise send CQL2-JSON.';
const NO_TEXT =
  'The filter is not a text. If it is CQL2-JSON, also send filter-lang: cql2-json; otherwise send CQL2-Text.';

type Language = (typeof FILTER_LANGUAGES)[number];

/** Reads a filter in CQL2-Text or CQL2-JSON. CQL2-JSON may be an object or its JSON text. */
export function readFilter(sent: unknown, language: Language): Cql2Expression | Refusal {
  try {
    if (language === 'cql2-json') {
      const value = typeof sent === 'string' ? parsedJson(sent) : sent;
      return value === undefined ? new Refusal(NO_JSON) : withPlainNames(parseCql2Json(value));
    }
    return typeof sent === 'string' ? withPlainNames(parseCql2Text(sent)) : new Refusal(NO_TEXT);
  } catch (error) {
    if (isCql2Error(error)) return new Refusal(error.message + hintOf(sent, language));
    throw error;
  }
}

/** Hint for a query with CQL2-JSON but without `filter-lang`. The default of a query is CQL2-Text. */
function hintOf(sent: unknown, language: Language): string {
  const isJson = language === 'cql2-text' && typeof sent === 'string' && sent.trimStart().startsWith('{');
  return isJson ? ' This looks like CQL2-JSON, which also needs filter-lang=cql2-json.' : '';
}

/** Replaces `properties.gsd` by `gsd`. Clients send both forms. */
function withPlainNames(filter: Cql2Expression): Cql2Expression {
  const isPlain = propertiesOf(filter).every((name) => propertyName(name) === name);
  return isPlain ? filter : parseCql2Json(plainNames(filter));
}

/** Shortens all property names in a filter. The parser has limited the filter's depth, and so this recursion. */
function plainNames(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(plainNames);
  if (!isObject(part)) return part;
  const { property } = part;
  if (typeof property === 'string') return { property: propertyName(property) };
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, plainNames(value)]));
}

/** Text of a CQL2 error: the place (`before`), the cause and the remedy. */
export function foundInstead({ found, expected, remedy }: Cql2ErrorDetails, before = ''): string {
  return `${before === '' ? 'F' : `${before} f`}ound ${found}, expected ${expected}. ${remedy}`;
}
