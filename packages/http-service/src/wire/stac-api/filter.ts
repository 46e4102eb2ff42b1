import { type Cql2Expression, isCql2Error, parseCql2Json, parseCql2Text } from '@headwater/cql2';
import { parsedJson, Refusal } from './reading.ts';

/** The languages of filters, by their names on the wire. */
export const FILTER_LANGUAGES = ['cql2-text', 'cql2-json'] as const;
/** The only reference system of coordinates in filters: longitude, latitude. */
export const FILTER_CRS = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

const NO_JSON = 'It is no JSON; with filter-lang cql2-text it may be text.';

type Language = (typeof FILTER_LANGUAGES)[number];

/** A filter of a query or a body: text in CQL2-Text, or CQL2-JSON, in a query as the text of it. */
export function readFilter(given: unknown, language: Language): Cql2Expression | Refusal {
  try {
    if (language === 'cql2-json') {
      const value = typeof given === 'string' ? parsedJson(given) : given;
      return value === undefined ? new Refusal(NO_JSON) : parseCql2Json(value);
    }
    if (typeof given !== 'string') return new Refusal('It is no text; with filter-lang cql2-json it may be an object.');
    return parseCql2Text(given);
  } catch (error) {
    if (isCql2Error(error)) return new Refusal(error.message);
    throw error;
  }
}
