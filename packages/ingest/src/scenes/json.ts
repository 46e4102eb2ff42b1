import { isObject } from '@headwater/core/values';

/** A JSON object whose members are not checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns the value if it is a JSON object (not null, not an array), otherwise undefined. */
export const asObject = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined);

/** Returns the value if it is a non-empty text, otherwise undefined. */
export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Returns the value if it is a finite number, otherwise undefined. */
export const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** Returns the value if it is a list, otherwise an empty list. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Own member of an object; undefined for an inherited member, such as `__proto__`. */
export const own = (object: JsonObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);

/** Callbacks for the results of a walk over a static catalogue or of a search of a STAC API. */
export interface ItemSink {
  readonly add: (item: unknown, itemHref: string) => void;
  readonly reject: (itemHref: string, reason: string) => void;
  /** Called with each Collection that the walk finds. */
  readonly collection?: (collection: JsonObject) => void;
}
