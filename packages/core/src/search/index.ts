// `@headwater/core/search`: semantics of an Item search, shared by all stores.
export {
  MAX_PAGE_BYTES,
  MAX_COUNTED_ITEMS,
  MAX_SCANNED_ITEMS,
  kindOf,
  queuedSearch,
  SEARCH_TIMEOUT_MS,
  type SearchSlots,
} from './search-queue.ts';
export { isListed, pageOfCollections, type CollectionFacts } from './collection-list.ts';
export { readCursor, writeCursor, type CursorValue } from './cursor.ts';
export { inMilliseconds, INSTANT_PATTERN, itemProperties, type PropertyKind, itemTest } from './item-test.ts';
export { comparable, cursorKinds, orderName, sortable, SORTED_LETTERS, sortKeys, tieDirection } from './order.ts';
export { placeFilters, flatBox, type FlatBox } from './search-box.ts';
export { searchClock, type SearchClock } from './time-slices.ts';
export { isTimeProperty, millisecondsOf, spanOf } from './times.ts';
