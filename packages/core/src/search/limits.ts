/** How many bytes of Items a page holds at most. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** Up to which number the Items of a search are counted. */
export const MOST_COUNTED = 10_000;

/** How many Items may be looked at to count those of a search on the way to its first page. */
export const MOST_LOOKED_AT = 1000;
