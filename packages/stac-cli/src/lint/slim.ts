import { isObject, type JsonObject } from '@headwater/stac';

/** What the linter of trees looks at; it keeps every document to the end. */
const KEPT = ['type', 'id', 'title', 'bbox', 'extent', 'collection'] as const;
const TIMES = ['title', 'datetime', 'start_datetime', 'end_datetime'] as const;

/** A document without what the linter of trees does not look at. */
export function slim(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { links, properties } = value;
  return {
    ...pick(value, KEPT),
    ...(isObject(properties) ? { properties: pick(properties, TIMES) } : {}),
    // Pointers are by place in the list, so that none is left out.
    ...(Array.isArray(links)
      ? { links: links.map((link: unknown) => (isObject(link) ? pick(link, ['rel', 'href', 'title']) : link)) }
      : {}),
  };
}

function pick(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}
