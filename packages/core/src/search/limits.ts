/** How many bytes of Items a page holds at most. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;
