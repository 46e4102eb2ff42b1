import type { DocumentTree } from '../tree/walk.ts';

/** A reader that prefetches (requests in advance) the documents that will probably be read next. */
export interface ReadAhead {
  readonly read: DocumentTree['read'];
  /** Announces the order of the next reads. */
  expect(hrefs: readonly string[]): void;
}

/** Limits of the prefetching. */
export interface AheadLimits {
  /**
   * Maximum number of concurrent reads. A prefetched document counts until the caller reads it, even if its prefetch is
   * finished.
   */
  readonly atOnce: number;
  /** Total number of documents, prefetched or not, after which no further document is prefetched. */
  readonly mostDocuments: number;
}

/**
 * Creates a reader that prefetches documents. The tree linter requests documents one after the other, but a distant
 * server can respond to several requests at the same time.
 */
export function createReadAhead(
  { read }: Pick<DocumentTree, 'read'>,
  { atOnce, mostDocuments }: AheadLimits,
): ReadAhead {
  const coming = new Map<string, Promise<unknown>>();
  /** The list that contains an address, and its index in the list. */
  const places = new Map<string, readonly [list: readonly string[], index: number]>();
  let begun = 0;
  const begin = (href: string): Promise<unknown> => {
    begun += 1;
    const document = read(href);
    // The caller of `read` handles a failure. This handler is for a prefetched document that is never read: an
    // unhandled failure would end the process.
    document.catch(() => {});
    return document;
  };
  const beginNext = (href: string): void => {
    const [list, index] = places.get(href) ?? [[], 0];
    places.delete(href);
    for (const next of list.slice(index + 1, index + atOnce)) {
      const isFree = coming.size < atOnce - 1 && begun < mostDocuments;
      if (isFree && places.has(next) && !coming.has(next)) coming.set(next, begin(next));
    }
  };
  return {
    read(href) {
      const document = coming.get(href) ?? begin(href);
      coming.delete(href);
      beginNext(href);
      return document;
    },
    expect(hrefs) {
      const seen = new Set<string>();
      for (const [index, href] of hrefs.entries()) {
        // Servers redirect an address to the same address with a slash at its end. So only one of these two addresses
        // is prefetched.
        const plain = href.replace(/\/$/, '');
        if (!seen.has(plain) && !places.has(href)) places.set(href, [hrefs, index]);
        seen.add(plain);
      }
    },
  };
}
