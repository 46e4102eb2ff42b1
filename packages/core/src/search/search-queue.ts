import { DomainError } from '../errors.ts';
import type { ItemSearch, SearchRequest } from '../ports/item-search.ts';
import { createKeyedLimiter, type KeyedLimiter } from '../timing/keyed-limiter.ts';
import { systemTimers } from '../timing/timers.ts';
import { filterCost } from './filter-cost.ts';
import { isTimeProperty } from './times.ts';

/** Default time limit of a search, ms: a hundred times the usual duration. */
export const SEARCH_TIMEOUT_MS = 5000;
const WAIT_FACTOR = 2;
/** Maximum length of a queue of searches that may be slow. Each waiting search keeps a client's connection open. */
const MAX_WAITING = 50;
const MAX_WAITING_PLAIN = 500;
/** Maximum cost of a search that is not of the kind `costly`: about fifteen conditions. */
const SMALL_COST = 40;
const FEW_IDS = 100;

/** Maximum number of concurrent searches of each kind. */
export interface SearchSlots {
  /** Searches by ids, Collections, box and time, which use an index. */
  readonly plain: number;
  /** Searches that may read every Item at a small cost. Default: they share the slots of plain searches. */
  readonly scanning?: number;
  readonly costly: number;
}

/** Kind of a search by its estimated cost. */
export type SearchKind = keyof SearchSlots;

/** Estimates the kind of a search. */
export function kindOf(request: SearchRequest): SearchKind {
  const { filter, ids, intersects, sort = [], withMatched, maxScannedItems } = request;
  const cost = costOf(request);
  if (cost > SMALL_COST) return 'costly';
  if (ids !== undefined && ids.length <= FEW_IDS) return 'plain';
  const isCounting = withMatched === true && maxScannedItems === undefined;
  const isOrdered = sort.every(({ property }) => property === 'id' || isTimeProperty(property));
  return filter === undefined && intersects === undefined && isOrdered && !isCounting ? 'plain' : 'scanning';
}

function costOf({ filter, intersects }: SearchRequest): number {
  const area =
    intersects === undefined ? 0 : filterCost({ op: 's_intersects', args: [{ property: 'geometry' }, intersects] });
  return area + (filter === undefined ? 0 : filterCost(filter));
}

/**
 * Limits concurrent searches of each kind. Cheap searches run first. If too many searches wait, the most costly search
 * is refused (`unavailable`). A search that waits too long is refused too.
 */
export function queuedSearch(
  search: ItemSearch['search'],
  slots: SearchSlots,
  timeoutMs: number,
): ItemSearch['search'] {
  const waitMs = WAIT_FACTOR * timeoutMs;
  const limiter = (concurrency: number, maxWaiting: number, random?: () => number): KeyedLimiter =>
    createKeyedLimiter({
      concurrency,
      maxWaiting,
      refuse: () => tooMany(waitMs),
      maxWait: { ms: waitMs, timers: systemTimers },
      ...(random === undefined ? {} : { random }),
    });
  const plain = limiter(slots.plain, MAX_WAITING_PLAIN);
  const queues: Readonly<Record<SearchKind, KeyedLimiter>> = {
    plain,
    scanning: slots.scanning === undefined ? plain : limiter(slots.scanning, MAX_WAITING),
    // Searches of equal cost run in random order, so that a client with many searches does not delay all others.
    costly: limiter(slots.costly, MAX_WAITING, Math.random),
  };
  return async (request, form) => {
    const kind = kindOf(request);
    const rank = kind === 'plain' ? 0 : 1 + Math.ceil(Math.log2(1 + costOf(request)));
    return await queues[kind].run('', () => search(request, form), rank);
  };
}

function tooMany(waitMs: number): DomainError {
  const message =
    'Too many searches are running. Retry later, or narrow the search: searches by ids, collections, bbox and datetime run first, if they ' +
    'have no filter, query or sortby; then searches with few conditions.';
  return new DomainError('unavailable', message, { details: { retryAfterSeconds: Math.ceil(waitMs / 1000) } });
}

/** Maximum size of the Items on a page, bytes. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** Default maximum of the count of matches. A search with more matches returns no count. */
export const MAX_COUNTED_ITEMS = 10_000;

/** Maximum number of Items that a store scans to count the results of a search. */
export const MAX_SCANNED_ITEMS = 1000;
