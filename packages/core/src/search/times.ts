import { isObject, toUtc } from '@headwater/stac';
import { invalidField } from '../errors.ts';
import type { SearchInterval } from '../ports/item-search.ts';

/** Times of an Item, ISO 8601 UTC with milliseconds; null if absent. */
export interface ItemTimes {
  /** `start_datetime`, otherwise `datetime`. */
  readonly start_datetime: string | null;
  /** `end_datetime`, otherwise `datetime`. */
  readonly end_datetime: string | null;
  /** `datetime`: in Items of this service, the time of the computation. */
  readonly datetime: string | null;
}

/** The times of an Item. Texts that are not a time count as absent. */
export function itemTimes(item: Readonly<Record<string, unknown>>): ItemTimes {
  const properties = isObject(item['properties']) ? item['properties'] : {};
  const datetime = isoTime(properties['datetime']);
  return {
    start_datetime: isoTime(properties['start_datetime']) ?? datetime,
    end_datetime: isoTime(properties['end_datetime']) ?? datetime,
    datetime,
  };
}

/** True for the names of times, which are compared as instants. */
export function isTimeProperty(name: string): name is keyof ItemTimes {
  return name === 'start_datetime' || name === 'end_datetime' || name === 'datetime';
}

function isoTime(value: unknown): string | null {
  const time = typeof value === 'string' ? millisecondsOf(value) : NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** Pattern of texts whose time does not depend on the time zone of the process. */
const ZONED = /(?:[zZ]|GMT|UTC|[+-]\d\d:?\d\d|^\d{4}(?:-\d\d){0,2})$/;

/** Milliseconds since 1970; NaN for a text that is not a time. A text without a zone is read as UTC. */
export function millisecondsOf(text: string): number {
  return Date.parse(toUtc(text) ?? (ZONED.test(text) ? text : `${text}Z`));
}

/** Start and end of an interval in milliseconds since 1970; infinite if open. Throws `validation` for invalid times. */
export function spanOf({ start, end }: SearchInterval): readonly [from: number, to: number] {
  return [instantOf(start, -Infinity), instantOf(end, Infinity)];
}

function instantOf(text: string | null, open: number): number {
  if (text === null) return open;
  const time = millisecondsOf(text);
  if (Number.isNaN(time)) {
    throw invalidField('datetime', `${JSON.stringify(text)} is not an instant; write it like 2020-07-01T00:00:00Z`);
  }
  return time;
}
