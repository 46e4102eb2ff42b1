import { createHash } from 'node:crypto';
import { type FlatBox, flatBox, orderName, sortKeys } from '@headwater/core/search';
import type { SearchConditions } from '@headwater/core/ports';
import type { SearchSql, Statement, Values } from '../database.ts';
import { whereSql } from './conditions.ts';
import { type PageQuery, type PageRow, pageSql } from './page-rows.ts';
import type { Parameters } from './conditions.ts';

/** Maximum side of a small box, degrees. A larger box usually has too many Items. */
const LARGEST_SIDE = 2;
/** Maximum number of Items near a box. Their entries in the index are only a few pages of the database. */
const MOST_NEAR = 500;
const LATEST_FIRST = orderName(sortKeys(undefined));

/**
 * Returns a page of a search of a small box from the index `items_bounds`. Returns undefined for a search without such
 * a box (`smallBox`) or in another order than latest first, and if too many Items are near the box.
 */
export async function rowsNear(sql: SearchSql, query: PageQuery): Promise<readonly PageRow[] | undefined> {
  const near = nearSql(query);
  if (near === undefined) return undefined;
  const rows = await sql.rows<NearRow>(near.statement, near.values);
  if (rows.some(({ tooMany }) => tooMany)) return undefined;
  return rows.filter(({ isNone }) => !isNone);
}

/** `isNone` marks a row without an Item, because the statement returns at least one row. */
type NearRow = PageRow & { readonly tooMany: boolean; readonly isNone: boolean };

interface NearSql {
  readonly statement: Statement;
  readonly values: Values;
}

function nearSql(query: PageQuery): NearSql | undefined {
  const { request, keys } = query;
  const box = smallBox(request);
  if (box === undefined || orderName(keys) !== LATEST_FIRST) return undefined;
  const { parameters, order, later, most, columns, page } = pageSql(query);
  const { collections, interval } = request;
  const ofIndex = {
    ...(collections === undefined ? {} : { collections }),
    ...(interval === undefined ? {} : { interval }),
  };
  const around = [`i.bounds && ${boxSql(box, parameters)}`, whereSql(ofIndex, parameters), ...later].join(' and ');
  const found = `select i.* from
    (select near.* from near where not (select many from counted) order by start_key desc, id desc, collection_id desc) n
    cross join lateral (select i.* from headwater.items i
      where i.id = n.id and i.collection_id = n.collection_id and ${whereSql(request, parameters)} offset 0) i
    order by n.start_key desc, n.id desc, n.collection_id desc limit ${most}`;
  const text = `with near as materialized (select i.start_key, i.id, i.collection_id from headwater.items i
      where ${around} limit ${MOST_NEAR + 1}),
    counted as materialized (select count(*) > ${MOST_NEAR} as many from near)
    select many as "tooMany", id is null as "isNone", ${columns} from counted left join (${page(found)}) q on true order by ${order.orderAgain}`;
  return { statement: { name: nameOf(text), text }, values: parameters.values };
}

/**
 * Returns the box of a search of a small box without ids, filter or shape. Other searches are excluded, because a
 * connection can cache only few prepared statements.
 */
function smallBox({ bbox, ids, filter, intersects }: SearchConditions): FlatBox | undefined {
  if (bbox === undefined || [ids, filter, intersects].some((each) => each !== undefined)) return undefined;
  const box = flatBox(bbox);
  const [west, south, east, north] = box;
  // A box across the antimeridian, whose west edge is greater than its east edge, is not small.
  const isSmall = west <= east && east - west <= LARGEST_SIDE && north - south <= LARGEST_SIDE;
  return isSmall ? box : undefined;
}

/** The box as SQL. It is compared with the bounds of shapes: if a shape touches the box, its bounds touch the box. */
function boxSql([west, south, east, north]: FlatBox, { add }: Parameters): string {
  const corner = (x: number, y: number): string => `point(${add(x)}::float8, ${add(y)}::float8)`;
  return `box(${corner(west, south)}, ${corner(east, north)})`;
}

function nameOf(text: string): string {
  return `headwater_near_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}
