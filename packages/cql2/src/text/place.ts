import { Cql2Error } from '../model/error.ts';
import type { Place } from '../model/place.ts';

/** A place in a text, counted in UTF-16 units from its start. */
export function placeAt(position: number): Place {
  return { error: ({ code = 'syntax', ...fault }) => new Cql2Error({ code, ...fault, position, pointer: null }) };
}
