import {
  cursorKinds,
  type CursorValue,
  inMilliseconds,
  MAX_PAGE_BYTES,
  MAX_COUNTED_ITEMS,
  orderName,
  readCursor,
  sortKeys,
  writeCursor,
} from '@headwater/core/search';
import { idOfPath } from '@headwater/core/runs';
import { isDomainError } from '@headwater/core';
import type {
  ItemForm,
  ItemPage,
  SearchConditions,
  SearchRequest,
  SortKey,
  StoredItemText,
} from '@headwater/core/ports';
import type { SearchSql } from '../database.ts';
import { whereSql } from './conditions.ts';
import { withText } from '../texts/item-text.ts';
import type { LargeSets } from './large-sets.ts';
import { rowsNear } from './near.ts';
import { keyValue } from './order-sql.ts';
import { type PageQuery, type PageRow, rowsInOrder } from './page-rows.ts';
import { createParameters } from './conditions.ts';

/** Dependencies of a search. */
export interface SearchParts {
  readonly sql: SearchSql;
  readonly large: LargeSets;
}

type KeyedRow = Pick<PageRow, 'id' | 'collectionPath' | `k${number}`>;

/** Returns a page of Items. */
export async function searchItems(
  { sql, large }: SearchParts,
  search: SearchRequest,
  form: ItemForm,
): Promise<ItemPage> {
  const { filter } = search;
  const request = filter === undefined ? search : { ...search, filter: inMilliseconds(filter) };
  return await pageOfRows(request, form, {
    rows: async (query) => (await rowsNear(sql, query)) ?? (await rowsInOrder(sql, query)),
    count: async () => await count({ sql, large }, request),
  });
}

/** Source of the rows of a search. */
export interface RowSource {
  /** Returns the rows of a page, and one further row if another page follows. */
  readonly rows: (query: PageQuery) => Promise<readonly PageRow[]>;
  /** Counts the Items on all pages; undefined if counting would cost too much. */
  readonly count: () => Promise<number | undefined>;
}

/** Returns a page of a search from its rows. */
export async function pageOfRows(request: SearchRequest, form: ItemForm, source: RowSource): Promise<ItemPage> {
  const { limit, maxBytes = MAX_PAGE_BYTES } = request;
  const keys = sortKeys(request.sort);
  const after = request.cursor === undefined ? undefined : readPlace(request.cursor, keys);
  const rows = await source.rows({ request, keys, after, form, limit, maxBytes });
  const page = fitting(rows.slice(0, limit), form, maxBytes);
  const last = rows[page.length - 1];
  const isLast = page.length === rows.length;
  const most = request.mostMatched ?? MAX_COUNTED_ITEMS;
  // No count is needed: the page has the maximum number of counted Items, and more Items follow.
  const isMore = !isLast && page.length >= most;
  const known = isLast && after === undefined ? page.length : undefined;
  const matched = isMore ? undefined : (known ?? (await source.count()));
  return {
    items: page,
    ...(last === undefined || isLast ? {} : { next: writeCursor(orderName(keys), placeOf(last, keys)) }),
    ...(request.withMatched === true && matched !== undefined && matched <= most ? { matched } : {}),
  };
}

/**
 * Counts the matches, up to one more than the maximum. Returns undefined if no count was requested, if it took too
 * long, or if the ids and Collections select more than `maxScannedItems` Items.
 */
async function count({ sql, large }: SearchParts, request: SearchRequest): Promise<number | undefined> {
  const { withMatched, mostMatched = MAX_COUNTED_ITEMS, maxScannedItems } = request;
  if (withMatched !== true || large.has(request)) return undefined;
  const parameters = createParameters();
  const upTo = (conditions: SearchConditions, most: number, orderBy = ''): string =>
    `(select count(*)::int from (select from headwater.items i where ${whereSql(conditions, parameters)}
      ${orderBy} limit ${parameters.add(most + 1)}::int) as found)`;
  const counted = upTo(request, mostMatched);
  const text =
    maxScannedItems === undefined
      ? `select ${counted} as n`
      : `select case when ${upTo(namedOnly(request), maxScannedItems, indexOrder(request))} <= ${parameters.add(maxScannedItems)}::int then ${counted} end as n`;
  const row = await sql.first<{ n: number | null }>(text, parameters.values).catch(unlessTooLong);
  if (row?.n === null) large.note(request);
  return row?.n ?? undefined;
}

/** Ignores a timeout of the count, because the page is complete; throws any other error again. */
export function unlessTooLong(error: unknown): undefined {
  if (!isDomainError(error) || error.code !== 'took_too_long') throw error;
  return undefined;
}

/** Order of the index for counting. Without it, the planner may scan the whole table. */
function indexOrder({ collections, ids }: SearchConditions): string {
  return ids === undefined && (collections?.length ?? 1) === 1 ? 'order by i.start_key desc, i.id desc' : '';
}

/** Returns only the conditions on ids and Collections. */
export function namedOnly({ collections, ids }: SearchConditions): SearchConditions {
  return { ...(collections === undefined ? {} : { collections }), ...(ids === undefined ? {} : { ids }) };
}

/** Returns the Items whose texts fit into the page, but at least one Item. */
function fitting(rows: readonly PageRow[], form: ItemForm, maxBytes: number): readonly StoredItemText[] {
  const page: StoredItemText[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (row.text === null && row.content === null) break;
    const item = withText(row, form);
    bytes += Buffer.byteLength(item.text);
    if (bytes > maxBytes && page.length > 0) break;
    page.push(item);
  }
  return page;
}

/** Position of a row in an order. */
export function placeOf(row: KeyedRow, keys: readonly SortKey[]): readonly CursorValue[] {
  const values = keys.map(({ property }, index) => keyValue(property, row[`k${index}`]));
  return [...values, row.id, idOfPath(row.collectionPath)];
}

function readPlace(cursor: string, keys: readonly SortKey[]): readonly CursorValue[] {
  return readCursor(cursor, { order: orderName(keys), kinds: cursorKinds(keys) });
}
