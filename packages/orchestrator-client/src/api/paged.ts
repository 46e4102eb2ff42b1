/** Entries of a page, and the total number. */
export interface Page<T> {
  readonly entries: readonly T[];
  readonly total: number;
}

/** Entries in a page. The orchestrator reduces larger limits to 100. */
export const PAGE_SIZE = 100;

/** Reads pages until one is empty or all entries are read. A server may return fewer entries than requested. */
export async function* pages<T>(read: (offset: number) => Promise<Page<T>>, from = 0): AsyncGenerator<Page<T>> {
  for (let offset = from; ;) {
    const page = await read(offset);
    yield page;
    offset += page.entries.length;
    if (page.entries.length === 0 || offset >= page.total) return;
  }
}

/** Reads at most `most` entries. */
export async function allEntries<T>(read: (offset: number) => Promise<Page<T>>, most: number): Promise<T[]> {
  const entries: T[] = [];
  for await (const page of pages(read)) {
    entries.push(...page.entries);
    if (entries.length >= most) break;
  }
  return entries.slice(0, most);
}
