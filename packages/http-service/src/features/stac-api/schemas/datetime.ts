import type { SearchInterval } from '@headwater/core/ports';
import { compareInstants, toUtc } from '@headwater/stac';
import { Refusal } from './reading.ts';

const FORMS =
  'Write an RFC 3339 time with its offset (2024-07-01T00:00:00Z), or two times separated by a slash; one of them may be .. for an open end.';
const OPEN: readonly string[] = ['', '..'];

/**
 * Reads a time or an interval in the form of OGC API Features. A time becomes an interval that starts and ends at this
 * time.
 */
export function readInterval(text: string): SearchInterval | Refusal {
  // A plus that the client did not encode arrives as a space.
  const [first = '', second, ...others] = text.replaceAll(/ (?=\d\d:\d\d(?:$|\/))/g, '+').split('/');
  if (others.length > 0) return new Refusal(`More than two times. ${FORMS}`);
  const start = readEnd(first);
  if (second === undefined) return start === undefined || start === null ? notATime(first) : { start, end: start };
  const end = readEnd(second);
  if (start === undefined) return notATime(first);
  if (end === undefined) return notATime(second);
  if (start === null && end === null) return new Refusal(`Both ends are open: leave out the parameter. ${FORMS}`);
  if (start !== null && end !== null && compareInstants(start, end) > 0)
    return new Refusal('The interval ends before it begins: swap its start and end.');
  return { start, end };
}

function notATime(text: string): Refusal {
  return new Refusal(`${JSON.stringify(text.slice(0, 60))} is not a time. ${FORMS}`);
}

/** Reads one end of an interval. Null for an open end, undefined for a text that is not a time. */
function readEnd(text: string): string | null | undefined {
  return OPEN.includes(text) ? null : toUtc(text);
}
