import { flatBox, orderName, type SearchConditions, type SortKey, sortKeys } from '@headwater/core';
import { whereSql } from './conditions.ts';
import type { Parameters } from './parameters.ts';

/** Degrees. Of a larger box there are mostly too many Items for it to pay. */
const LARGEST_SIDE = 2;
/** So many Items around a box are put in order by the index alone. An index entry is some hundred bytes: they are a few pages. */
const MOST_NEAR = 500;
const LATEST_FIRST = orderName(sortKeys(undefined));

/** The Items around a small box, of which the index `items_bounds` tells what orders them. */
export interface Near {
  /** The statement begins with it. */
  readonly with: string;
  /** True where they are few enough to have been read all. */
  readonly isAll: string;
  /** Their order, ids and Collections: `n`, the latest first. */
  readonly from: string;
}

/** What is near a search's place; undefined where the index does not tell the order that is asked, or the place is large. */
export function nearSql(
  { collections, ids, interval, bbox }: SearchConditions,
  { keys, after, parameters }: { keys: readonly SortKey[]; after: readonly string[]; parameters: Parameters },
): Near | undefined {
  if (bbox === undefined || orderName(keys) !== LATEST_FIRST) return undefined;
  const [west, south, east, north] = flatBox(bbox);
  // A box over the antimeridian has its west in the east.
  if (west > east || east - west > LARGEST_SIDE || north - south > LARGEST_SIDE) return undefined;
  const { add } = parameters;
  const corner = (x: number, y: number): string => `point(${add(x)}::float8, ${add(y)}::float8)`;
  const named = {
    ...(collections === undefined ? {} : { collections }),
    ...(ids === undefined ? {} : { ids }),
    ...(interval === undefined ? {} : { interval }),
  };
  const where = [
    // What touches the box has bounds that touch it.
    `i.bounds && box(${corner(west, south)}, ${corner(east, north)})`,
    whereSql(named, parameters),
    ...after,
  ];
  return {
    with: `with near as materialized (select i.start_key, i.id, i.collection_id from headwater.items i
      where ${where.join(' and ')} limit ${MOST_NEAR + 1})`,
    isAll: `(select count(*) from near) <= ${MOST_NEAR}`,
    from: `(select * from near where (select count(*) from near) <= ${MOST_NEAR}
      order by start_key desc, id desc, collection_id desc) n`,
  };
}
