import { isObject } from '@headwater/core/values';
import {
  type Cql2ErrorDetails,
  type Cql2Expression,
  isCql2Error,
  parseCql2Json,
  parseCql2Text,
  propertiesOf,
} from '@headwater/cql2';
import { parsedJson, Refusal } from './reading.ts';
import { propertyName } from './sort.ts';

/** The languages of filters, by their names on the wire. */
export const FILTER_LANGUAGES = ['cql2-text', 'cql2-json'] as const;
/** The only reference system of coordinates in filters: longitude, latitude. */
export const FILTER_CRS = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

const NO_JSON =
  'It is a text that is no JSON. Where it is CQL2-Text, send filter-lang: cql2-text beside it; else give CQL2-JSON.';
const NO_TEXT = 'It is no text. Where it is CQL2-JSON, send filter-lang: cql2-json beside it; else give CQL2-Text.';

type Language = (typeof FILTER_LANGUAGES)[number];

/** A filter of a query or a body: text in CQL2-Text, or CQL2-JSON, in a query as the text of it. */
export function readFilter(given: unknown, language: Language): Cql2Expression | Refusal {
  try {
    if (language === 'cql2-json') {
      const value = typeof given === 'string' ? parsedJson(given) : given;
      return value === undefined ? new Refusal(NO_JSON) : withPlainNames(parseCql2Json(value));
    }
    return typeof given === 'string' ? withPlainNames(parseCql2Text(given)) : new Refusal(NO_TEXT);
  } catch (error) {
    if (isCql2Error(error)) return new Refusal(error.message + hintOf(given, language));
    throw error;
  }
}

/** What helps where JSON came as a text of the other language, which is the usual one of a query. */
function hintOf(given: unknown, language: Language): string {
  const isJson = language === 'cql2-text' && typeof given === 'string' && given.trimStart().startsWith('{');
  return isJson ? ' This looks like CQL2-JSON, which needs filter-lang=cql2-json beside it.' : '';
}

/** The filter with `gsd` for `properties.gsd`: clients write both. */
function withPlainNames(filter: Cql2Expression): Cql2Expression {
  const isPlain = propertiesOf(filter).every((name) => propertyName(name) === name);
  return isPlain ? filter : parseCql2Json(plainNames(filter));
}

/** No deeper than a filter may be: it was read before. */
function plainNames(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(plainNames);
  if (!isObject(part)) return part;
  const { property } = part;
  if (typeof property === 'string') return { property: propertyName(property) };
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, plainNames(value)]));
}

/** What is wrong with something that is no filter by itself, as one sentence and its remedy. */
export function foundInstead({ found, expected, remedy }: Cql2ErrorDetails, before = ''): string {
  return `${before === '' ? 'F' : `${before} f`}ound ${found}, expected ${expected}. ${remedy}`;
}
