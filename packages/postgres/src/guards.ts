import { createHash } from 'node:crypto';
import { invalidField } from '@headwater/core';
import { isStorable } from '@headwater/core/values';

const INT4_MAX = 2_147_483_647;

/** True for an integer that an `integer` column can hold. */
export function isInt4(value: number): boolean {
  return Number.isInteger(value) && value >= -INT4_MAX - 1 && value <= INT4_MAX;
}

/** Returns a text for a column; throws `validation` with the field if PostgreSQL cannot store it. */
export function storable(field: string, text: string): string {
  if (isStorable(text)) return text;
  throw invalidField(field, 'contains a NUL or half a surrogate pair: remove that character', 'not_text');
}

/** Returns an integer for a column; throws `validation` with the field if it does not fit 32 bits. */
export function int4(field: string, value: number): number {
  if (isInt4(value)) return value;
  throw invalidField(field, `${value} is not a whole number from -2147483648 to 2147483647`, 'not_integer');
}

/** Returns the hex SHA-256 of a text in UTF-16, also for a text that PostgreSQL cannot store. */
export function textKey(text: string): string {
  return createHash('sha256').update(Buffer.from(text, 'utf16le')).digest('hex');
}

/** SQL of a timestamptz column as ISO 8601 UTC text with milliseconds. */
export function iso(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
