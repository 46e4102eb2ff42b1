import type { DocumentTree } from '../tree/walk.ts';

/** A reading that is one document ahead of whoever asks, or several. */
export interface ReadAhead {
  readonly read: DocumentTree['read'];
  /** Says in which order these will be asked for. */
  expect(hrefs: readonly string[]): void;
}

/** How far ahead is read. */
export interface AheadLimits {
  /** Documents under way, or read and not asked for yet. */
  readonly atOnce: number;
  /** Documents that are begun at most without being asked for. */
  readonly mostDocuments: number;
}

/**
 * Reads documents before they are asked for: the linter of trees wants one after the other, and a server far away answers many in the
 * time of one.
 */
export function createReadAhead(
  { read }: Pick<DocumentTree, 'read'>,
  { atOnce, mostDocuments }: AheadLimits,
): ReadAhead {
  const coming = new Map<string, Promise<unknown>>();
  /** What follows an address: the list that it is in, and its place there. */
  const places = new Map<string, readonly [list: readonly string[], index: number]>();
  let begun = 0;
  const begin = (href: string): Promise<unknown> => {
    begun += 1;
    const document = read(href);
    // Whoever asks hears of it, and who never asks does not: it must not end the process.
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
        // Servers lead from an address to the same with a slash at its end: what lies there is not begun twice.
        const plain = href.replace(/\/$/, '');
        if (!seen.has(plain) && !places.has(href)) places.set(href, [hrefs, index]);
        seen.add(plain);
      }
    },
  };
}
