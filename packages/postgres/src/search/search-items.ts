import {
  cursorKinds,
  type CursorValue,
  idOfPath,
  isDomainError,
  type ItemForm,
  type ItemPage,
  MAX_PAGE_BYTES,
  MOST_COUNTED,
  orderName,
  readCursor,
  type SearchConditions,
  type SearchRequest,
  type SortKey,
  sortKeys,
  type StoredItemText,
  writeCursor,
} from '@headwater/core';
import type { SearchSql } from '../database.ts';
import { whereSql } from './conditions.ts';
import { itemTextColumns, type ItemTextRow, withText } from '../texts/item-text.ts';
import type { LargeSets } from './large-sets.ts';
import { type Near, nearSql } from './near.ts';
import { keyValue, orderSql } from './order-sql.ts';
import { createParameters } from './parameters.ts';

/** A row of a page, with the values of its keys; without text and content where they are more than the page may have. */
type PageRow = ItemTextRow & Readonly<Record<`k${number}`, string | null>>;

/** What pages are made with. */
export interface SearchParts {
  readonly sql: SearchSql;
  readonly large: LargeSets;
}

/** A page of Items. */
export async function searchItems(
  { sql, large }: SearchParts,
  request: SearchRequest,
  form: ItemForm,
): Promise<ItemPage> {
  const { limit, maxBytes = MAX_PAGE_BYTES } = request;
  const keys = sortKeys(request.sort);
  const after = request.cursor === undefined ? undefined : readPlace(request.cursor, keys);
  const rows = await pageRows(sql, { request, keys, after, form, limit, maxBytes });
  const page = fitting(rows.slice(0, limit), form, maxBytes);
  const last = rows[page.length - 1];
  const isLast = page.length === rows.length;
  const most = request.mostMatched ?? MOST_COUNTED;
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

interface PageQuery {
  readonly request: SearchConditions;
  readonly keys: readonly SortKey[];
  readonly after: readonly CursorValue[] | undefined;
  readonly form: ItemForm;
  readonly limit: number;
  readonly maxBytes: number;
}

/** Rows of a page in their order, one more than asked where there is one; texts beyond the bytes of a page stay in the database. */
async function pageRows(sql: SearchSql, query: PageQuery): Promise<readonly PageRow[]> {
  const parameters = createParameters();
  const { add } = parameters;
  const { orderBy, orderAgain, selected, after } = orderSql(
    query.keys,
    parameters,
    query.request.collections?.length === 1,
  );
  const later = query.after === undefined ? [] : [after(query.after)];
  const where = [whereSql(query.request, parameters), ...later].join(' and ');
  const near = nearSql(query.request, { keys: query.keys, after: later, parameters });
  const most = `${add(query.limit + 1)}::int`;
  const inOrder = (where: string): string =>
    `select i.* from headwater.items i where ${where} order by ${orderBy} limit ${most}`;
  const found =
    near === undefined
      ? inOrder(where)
      : `(${nearest(near, where, most)}) union all (${inOrder(`not (${near.isAll}) and ${where}`)})`;
  // What is told of an Item is made for the rows of the page, not for all that are put in order.
  const page = `select ${itemTextColumns(add(query.form.name))}, ${selected} from (${found}) i`;
  const summed = `select p.*, coalesce(sum(octet_length(coalesce(p.text, p.content))) over
    (order by ${orderAgain} rows between unbounded preceding and 1 preceding), 0) <= ${add(query.maxBytes)}::bigint as fits from (${page}) p`;
  const values = query.keys.map((_key, index) => `, k${index}`).join('');
  const text = `${near?.with ?? ''} select id, "collectionPath", version, "runId", updated, case when fits then text end as text,
    case when fits then content end as content${values} from (${summed}) q order by ${orderAgain}`;
  return await sql.rows<PageRow>(text, parameters.values);
}

/** Rows around a small box: in the order of what the index told of all of them, until the page is full. */
function nearest({ from }: Near, where: string, most: string): string {
  return `select i.* from ${from} cross join lateral
    (select i.* from headwater.items i where i.id = n.id and i.collection_id = n.collection_id and ${where} offset 0) i
    order by n.start_key desc, n.id desc, n.collection_id desc limit ${most}`;
}

/**
 * How many Items there are, no further than one more than is told; undefined where too many would be looked at for it. Those are counted
 * by their ids and Collections alone, which an index holds, and only up to their bound.
 */
async function count({ sql, large }: SearchParts, request: SearchRequest): Promise<number | undefined> {
  const { withMatched, mostMatched = MOST_COUNTED, mostLookedAt } = request;
  if (withMatched !== true || large.has(request)) return undefined;
  const parameters = createParameters();
  const upTo = (conditions: SearchConditions, most: number, orderBy = ''): string =>
    `(select count(*)::int from (select from headwater.items i where ${whereSql(conditions, parameters)}
      ${orderBy} limit ${parameters.add(most + 1)}::int) as found)`;
  const counted = upTo(request, mostMatched);
  const text =
    mostLookedAt === undefined
      ? `select ${counted} as n`
      : `select case when ${upTo(namedOnly(request), mostLookedAt, indexOrder(request))} <= ${parameters.add(mostLookedAt)}::int then ${counted} end as n`;
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
