/** A page of a list: its entries and how many there are in all. */
export interface Page<T> {
  readonly entries: readonly T[];
  readonly total: number;
}

/** Entries of a page; the orchestrator lowers larger limits to 100 in silence. */
export const PAGE_SIZE = 100;

/**
 * Pages of a list, one after the other, until one is empty or all are read. A server that lowers the limit further still is
 * followed: the next offset is what was really received.
 */
export async function* pages<T>(read: (offset: number) => Promise<Page<T>>, from = 0): AsyncGenerator<Page<T>> {
  for (let offset = from; ;) {
    const page = await read(offset);
    yield page;
    offset += page.entries.length;
    if (page.entries.length === 0 || offset >= page.total) return;
  }
}

/** All entries of a list, at most `most`. */
export async function allEntries<T>(read: (offset: number) => Promise<Page<T>>, most: number): Promise<T[]> {
  const entries: T[] = [];
  for await (const page of pages(read)) {
    entries.push(...page.entries);
    if (entries.length >= most) break;
  }
  return entries.slice(0, most);
}
