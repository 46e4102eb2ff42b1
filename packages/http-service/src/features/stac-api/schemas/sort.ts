import type { SortKey } from '@headwater/core/ports';
import { Refusal } from './reading.ts';

/** More than any client sends; each is a column of the comparison. */
const MOST_KEYS = 8;
const LONGEST_NAME = 200;
const FORM = 'Write fields with commas between them, each with + or - before it: -datetime,+id.';

/** `+properties.datetime,-id` -> keys. A plus that nobody encoded arrives as a blank. */
export function readSortText(text: string): readonly SortKey[] | undefined | Refusal {
  if (text.trim() === '') return undefined;
  return readSort(
    text.split(',').map((part) => ({
      field: part.replace(/^[+ -]/, '').trim(),
      direction: part.startsWith('-') ? 'desc' : 'asc',
    })),
  );
}

/** Keys of a body. Fields that no Item has are keys like others: all Items are equal by them. */
export function readSort(
  given: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[],
): readonly SortKey[] | undefined | Refusal {
  if (given.length > MOST_KEYS) return new Refusal(`More than ${MOST_KEYS} fields; sort by fewer.`);
  const wrong = given.find(({ field }) => field === '' || field.length > LONGEST_NAME);
  if (wrong !== undefined) return new Refusal(`A field has no name, or a longer one than any field has. ${FORM}`);
  const keys = given.map(({ field, direction }) => ({ property: propertyName(field), direction }));
  return keys.length === 0 ? undefined : keys;
}

/** `properties.gsd` and `gsd` are the same field. */
export function propertyName(field: string): string {
  return field.startsWith('properties.') ? field.slice('properties.'.length) : field;
}
