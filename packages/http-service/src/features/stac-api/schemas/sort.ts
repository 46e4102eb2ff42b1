import type { SortKey } from '@headwater/core/ports';
import { Refusal } from './reading.ts';

/** Maximum number of sort keys. The database compares Items by all keys. */
const MOST_KEYS = 8;
const LONGEST_NAME = 200;
const FORM =
  'Write for example sortby=-datetime,+id in an address, or {"field": "datetime", "direction": "desc"} in a body.';

/** Reads a text such as `+properties.datetime,-id`. A space counts as a plus that was not encoded. */
export function readSortText(text: string): readonly SortKey[] | undefined | Refusal {
  if (text.trim() === '') return undefined;
  return readSort(
    text.split(',').map((part) => ({
      field: part.replace(/^[+ -]/, '').trim(),
      direction: part.startsWith('-') ? 'desc' : 'asc',
    })),
  );
}

/** Reads the sort keys of a body. A field that no Item has does not change the order. */
export function readSort(
  sent: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[],
): readonly SortKey[] | undefined | Refusal {
  if (sent.length > MOST_KEYS) return new Refusal(`More than ${MOST_KEYS} fields; sort by fewer.`);
  const wrong = sent.find(({ field }) => field === '' || field.length > LONGEST_NAME);
  if (wrong !== undefined)
    return new Refusal(`The name of a field is empty or longer than ${LONGEST_NAME} characters. ${FORM}`);
  const keys = sent.map(({ field, direction }) => ({ property: propertyName(field), direction }));
  return keys.length === 0 ? undefined : keys;
}

/** Name of a property without `properties.`. */
export function propertyName(field: string): string {
  return field.startsWith('properties.') ? field.slice('properties.'.length) : field;
}
