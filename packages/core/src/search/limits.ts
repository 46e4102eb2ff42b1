/** How many bytes of Items a page holds at most. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** Up to which number the Items of a search are counted. */
export const MAX_COUNTED_ITEMS = 10_000;

/** How many Items may be looked at to count those of a search on the way to its first page. */
export const MAX_SCANNED_ITEMS = 1000;
