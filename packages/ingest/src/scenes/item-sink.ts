import type { JsonObject } from './json.ts';

/** Takes what a walk over a static catalogue or a search of a STAC API finds. */
export interface ItemSink {
  readonly add: (item: unknown, itemHref: string) => void;
  readonly reject: (itemHref: string, reason: string) => void;
  /** Told of each Collection on the way, where somebody wants to know them. */
  readonly collection?: (collection: JsonObject) => void;
}
