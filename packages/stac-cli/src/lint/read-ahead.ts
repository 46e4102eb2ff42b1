import type { DocumentTree } from '../tree/walk.ts';

/** A reader that prefetches the documents that will probably be read next. */
export interface ReadAhead {
  readonly read: DocumentTree['read'];
  /** Announces the order of the next reads. */
  expect(hrefs: readonly string[]): void;
}

/** Limits of the prefetching. */
export interface AheadLimits {
  /** Limit of concurrent reads. A prefetched document counts until `read` is called with its address. */
  readonly atOnce: number;
  /** Total number of documents after which prefetching stops. */
  readonly mostDocuments: number;
}

/** Creates a reader that prefetches. The linter reads documents one by one, which is slow over a network. */
export function createReadAhead(
  { read }: Pick<DocumentTree, 'read'>,
  { atOnce, mostDocuments }: AheadLimits,
): ReadAhead {
  const coming = new Map<string, Promise<unknown>>();
  /** List that contains an address, and the address's index in the list. */
  const places = new Map<string, readonly [list: readonly string[], index: number]>();
  let begun = 0;
  const begin = (href: string): Promise<unknown> => {
    begun += 1;
    const document = read(href);
    // Without this handler, a failed prefetch of an unread document would end the process.
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
        // Servers redirect an address without a final slash to the address with the slash. So only one of the two is
        // prefetched.
        const plain = href.replace(/\/$/, '');
        if (!seen.has(plain) && !places.has(href)) places.set(href, [hrefs, index]);
        seen.add(plain);
      }
    },
  };
}
