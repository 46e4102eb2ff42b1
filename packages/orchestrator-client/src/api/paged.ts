/** A page of a list: its entries, and the total number of entries in the list. */
export interface Page<T> {
  readonly entries: readonly T[];
  readonly total: number;
}

/** Number of entries in a page. The orchestrator silently reduces larger limits to 100. */
export const PAGE_SIZE = 100;

/**
 * Reads the pages of a list in order until a page is empty or all entries are read. The next offset is the number of
 * received entries, because a server may return fewer entries than requested.
 */
export async function* pages<T>(read: (offset: number) => Promise<Page<T>>, from = 0): AsyncGenerator<Page<T>> {
  for (let offset = from; ;) {
    const page = await read(offset);
    yield page;
    offset += page.entries.length;
    if (page.entries.length === 0 || offset >= page.total) return;
  }
}

/** Reads all entries of a list, at most `most`. */
export async function allEntries<T>(read: (offset: number) => Promise<Page<T>>, most: number): Promise<T[]> {
  const entries: T[] = [];
  for await (const page of pages(read)) {
    entries.push(...page.entries);
    if (entries.length >= most) break;
  }
  return entries.slice(0, most);
}
