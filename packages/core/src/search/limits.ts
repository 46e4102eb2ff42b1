/** Maximum size of the Items on a page, bytes. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** Maximum count of the Items that a search matches; counting stops there. */
export const MAX_COUNTED_ITEMS = 10_000;

/** Maximum number of Items that a store may scan to count the results of a search for its first page. */
export const MAX_SCANNED_ITEMS = 1000;
