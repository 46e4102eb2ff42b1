import { type Cql2Geometry, isCql2Error, parseGeometry } from '@headwater/cql2';
import { foundInstead } from './filter.ts';
import { parsedJson, Refusal } from './reading.ts';

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
