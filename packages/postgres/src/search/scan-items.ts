import { DomainError } from '@headwater/core';
import type { ItemForm, ItemPage, PublishedItem, SearchRequest } from '@headwater/core/ports';
import {
  type CursorValue,
  itemTest,
  MAX_COUNTED_ITEMS,
  placeFilters,
  type SearchClock,
  searchClock,
  sortKeys,
} from '@headwater/core/search';
import { propertiesOf } from '@headwater/cql2';
import type { SearchSql } from '../database.ts';
import { createParameters, whereSql } from './conditions.ts';
import { orderSql } from './order-sql.ts';
import { type PageRow, rowsInOrder } from './page-rows.ts';
import { namedOnly, pageOfRows, placeOf, unlessTooLong } from './search-items.ts';

/**
 * Number of Items of the first statement, and maximum for any statement. Each statement reads twice as many Items as
 * the one before.
 */
const FIRST_CHUNK = 32;
const LARGEST_CHUNK = 256;

/** Dependencies of a search that tests Items in this process. */
export interface ScanParts {
  readonly sql: SearchSql;
  readonly timeoutMs: number;
}

type ScannedRow = Pick<PageRow, 'id' | 'collectionPath' | 'version' | 'runId' | `k${number}`> & {
  readonly properties: object;
  readonly geometry: object | null;
};

/**
 * Returns a page of Items. This process, not the database, applies `filter` and `intersects`; other requests run
 * between slices of a few milliseconds. Throws `took_too_long` after the time limit.
 */
export async function scanItems(parts: ScanParts, request: SearchRequest, form: ItemForm): Promise<ItemPage> {
  const { cursor, limit, withMatched, mostMatched = MAX_COUNTED_ITEMS } = request;
  const clock = searchClock(parts.timeoutMs);
  const found: ScannedRow[] = [];
  return await pageOfRows(request, form, {
    rows: async (query) => {
      for await (const row of matchingRows(parts.sql, request, { clock, after: query.after })) {
        found.push(row);
        if (found.length > limit) break;
      }
      if (found.length === 0) return [];
      const only = found.map(({ collectionPath, id }) => ({ collectionPath, id }));
      const page = await rowsInOrder(parts.sql, { ...query, request: testedRest(request), only });
      // If an Item was removed meanwhile, the page is too short and would look like the last page.
      if (page.length < only.length) throw changedMeanwhile();
      return page;
    },
    count: async () => {
      if (withMatched !== true || !(await isCountable(parts.sql, request))) return undefined;
      const isWhole = cursor === undefined && found.length <= limit;
      return isWhole
        ? found.length
        : await countRows(matchingRows(parts.sql, request, { clock, after: undefined }), mostMatched + 1).catch(
            unlessTooLong,
          );
    },
  });
}

function changedMeanwhile(): DomainError {
  const details = { retryAfterSeconds: 1 };
  return new DomainError('unavailable', 'Items were removed during the search; retry it.', { details });
}

function testedRest({ filter: _filter, intersects: _intersects, ...rest }: SearchRequest): SearchRequest {
  return rest;
}

interface Scan {
  readonly clock: SearchClock;
  readonly after: readonly CursorValue[] | undefined;
}

async function* matchingRows(
  sql: SearchSql,
  request: SearchRequest,
  { clock, after }: Scan,
): AsyncGenerator<ScannedRow> {
  const { filter, intersects } = request;
  const filters = [
    ...(intersects === undefined ? [] : placeFilters({ intersects })),
    ...(filter === undefined ? [] : [filter]),
  ];
  const tests = filters.map(itemTest);
  const needsGeometry = filters.some((each) => propertiesOf(each).includes('geometry'));
  const keys = sortKeys(request.sort);
  let last = after;
  for (let chunk = FIRST_CHUNK; ; chunk = Math.min(2 * chunk, LARGEST_CHUNK)) {
    const parameters = createParameters();
    const order = orderSql(keys, parameters, request.collections?.length === 1);
    const where = [whereSql(testedRest(request), parameters), ...(last === undefined ? [] : [order.after(last)])];
    const rows = await sql.rows<ScannedRow>(
      `select i.id, i.collection_path as "collectionPath", i.version, i.run_id as "runId", i.properties,
        ${needsGeometry ? `i.content::json -> 'geometry'` : 'null::json'} as geometry, ${order.selected}
      from headwater.items i where ${where.join(' and ')} order by ${order.orderBy} limit ${parameters.add(chunk)}::int`,
      parameters.values,
    );
    for (const row of rows) {
      await clock.tick();
      const item = publishedItem(row);
      if (tests.every((holds) => holds(item))) yield row;
    }
    const end = rows.at(-1);
    if (end === undefined || rows.length < chunk) return;
    last = placeOf(end, keys);
  }
}

function publishedItem({ id, collectionPath, version, runId, properties, geometry }: ScannedRow): PublishedItem {
  return { id, collectionPath, version, runId, item: { properties, geometry } };
}

async function countRows(rows: AsyncGenerator<unknown>, most: number): Promise<number> {
  let count = 0;
  while (count < most && (await rows.next()).done !== true) count += 1;
  return count;
}

/** True if ids and Collections select at most as many Items as a count may read. */
async function isCountable(sql: SearchSql, request: SearchRequest): Promise<boolean> {
  const { maxScannedItems } = request;
  if (maxScannedItems === undefined) return true;
  const parameters = createParameters();
  const found = await sql.first<{ n: number }>(
    `select count(*)::int as n from (select from headwater.items i where ${whereSql(namedOnly(request), parameters)}
      limit ${parameters.add(maxScannedItems + 1)}::int) as found`,
    parameters.values,
  );
  return (found?.n ?? 0) <= maxScannedItems;
}
