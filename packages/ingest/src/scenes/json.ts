import { isObject } from '@headwater/core/values';

/** JSON object with unchecked members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Value if it is a JSON object, otherwise undefined. */
export const asObject = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined);

/** Value if it is a non-empty text, otherwise undefined. */
export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Value if it is a finite number, otherwise undefined. */
export const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** Value if it is a list, otherwise an empty list. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Own member of an object; undefined for inherited ones, such as `__proto__`. */
export const own = (object: JsonObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);

/** Receives the results of a walk over a catalogue or a search. */
export interface ItemSink {
  readonly add: (item: unknown, itemHref: string) => void;
  readonly reject: (itemHref: string, reason: string) => void;
  readonly collection?: (collection: JsonObject) => void;
}
