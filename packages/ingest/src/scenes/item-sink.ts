import type { JsonObject } from './json.ts';

/** Receives the results of a walk over a static catalogue or a search of a STAC API. */
export interface ItemSink {
  readonly add: (item: unknown, itemHref: string) => void;
  readonly reject: (itemHref: string, reason: string) => void;
  /** Called with each Collection that the walk meets. */
  readonly collection?: (collection: JsonObject) => void;
}
