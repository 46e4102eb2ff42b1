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
import { type PageRow, rowsInOrder } from './page-rows.ts';
import { createParameters } from './conditions.ts';

/** What pages are made with. */
export interface SearchParts {
  readonly sql: SearchSql;
  readonly large: LargeSets;
}

/** A page of Items. */
export async function searchItems(
  { sql, large }: SearchParts,
  given: SearchRequest,
  form: ItemForm,
): Promise<ItemPage> {
  const { filter, limit, maxBytes = MAX_PAGE_BYTES } = given;
  const request = filter === undefined ? given : { ...given, filter: inMilliseconds(filter) };
  const keys = sortKeys(request.sort);
  const after = request.cursor === undefined ? undefined : readPlace(request.cursor, keys);
  const asked = { request, keys, after, form, limit, maxBytes };
  const rows = (await rowsNear(sql, asked)) ?? (await rowsInOrder(sql, asked));
  const page = fitting(rows.slice(0, limit), form, maxBytes);
  const last = rows[page.length - 1];
  const isLast = page.length === rows.length;
  const most = request.mostMatched ?? MAX_COUNTED_ITEMS;
  // A page that holds as many as are told, with one more after it, needs no count.
  const isMore = !isLast && page.length >= most;
  const known = isLast && after === undefined ? page.length : undefined;
  const matched = isMore ? undefined : (known ?? (await count({ sql, large }, request)));
  return {
    items: page,
    ...(last === undefined || isLast ? {} : { next: writeCursor(orderName(keys), placeOf(last, keys)) }),
    ...(request.withMatched === true && matched !== undefined && matched <= most ? { matched } : {}),
  };
}

/**
 * How many Items there are, no further than one more than is told; undefined where too many would be looked at for it. Those are counted
 * by their ids and Collections alone, which an index holds, and only up to their bound.
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

/** The page is there: what takes too long to be counted is not counted. */
function unlessTooLong(error: unknown): undefined {
  if (!isDomainError(error) || error.code !== 'took_too_long') throw error;
  return undefined;
}

/** The order in which one index has the Items of a Collection, or all: without it the planner may read the table for them, and to its end. */
function indexOrder({ collections, ids }: SearchConditions): string {
  return ids === undefined && (collections?.length ?? 1) === 1 ? 'order by i.start_key desc, i.id desc' : '';
}

function namedOnly({ collections, ids }: SearchConditions): SearchConditions {
  return { ...(collections === undefined ? {} : { collections }), ...(ids === undefined ? {} : { ids }) };
}

/** The rows whose texts fit, one at least. */
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

function placeOf(row: PageRow, keys: readonly SortKey[]): readonly CursorValue[] {
  const values = keys.map(({ property }, index) => keyValue(property, row[`k${index}`]));
  return [...values, row.id, idOfPath(row.collectionPath)];
}

function readPlace(cursor: string, keys: readonly SortKey[]): readonly CursorValue[] {
  return readCursor(cursor, { order: orderName(keys), kinds: cursorKinds(keys) });
}
