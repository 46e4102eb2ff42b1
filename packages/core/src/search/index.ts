export type * from './item-search.ts';
export { MAX_PAGE_BYTES } from './limits.ts';
