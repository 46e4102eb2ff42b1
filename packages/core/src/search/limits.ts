/** Maximum bytes of Items in a page. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** Highest number to which the Items of a search are counted. */
export const MAX_COUNTED_ITEMS = 10_000;

/** Maximum number of Items that may be scanned to count the results of a search before its first page. */
export const MAX_SCANNED_ITEMS = 1000;
