import type { ZoneCover } from '@headwater/core/geo';
import { areasBy, type PlaneSize } from './terrain-descriptor.ts';

/** Greatest order that has a column in the published tables. Greater orders are added to the column of this order. */
export const GREATEST_ORDER = 11;

/** Value of a pixel with unknown order in a raster of orders. The value 0 means land without a stream. */
export const UNKNOWN_ORDER = 255;

/**
 * Orders as they are written to the raster, uint8 `[rows * cols]`. Orders above `GREATEST_ORDER` become
 * `GREATEST_ORDER`, and pixels whose order is unknown (NaN in `heights`) become `UNKNOWN_ORDER`.
 */
export function publishedOrders(orders: Uint8Array, heights: Float32Array): Uint8Array {
  return orders.map((order, at) => (Number.isNaN(heights[at]) ? UNKNOWN_ORDER : Math.min(order, GREATEST_ORDER)));
}

/**
 * Share of a zone's area in cells of each stream order, 1 to `GREATEST_ORDER`, in percent. The area includes land
 * without a stream, but no land of unknown order. All shares are 0 if this area is 0. `orders` is the result of `streamOrders`, uint8 `[rows
 * * cols]`.
 */
export function streamOrderShares(
  cover: ZoneCover,
  { orders, size }: { orders: Uint8Array; size: PlaneSize },
): readonly number[] {
  return sharesOfOrders(areasBy(cover, size, { count: 256, binOf: (at) => orders[at]! })) ?? NONE;
}

const NONE: readonly number[] = Array.from({ length: GREATEST_ORDER }, () => 0);

/**
 * Shares of stream orders in percent, computed from a zone's areas by order, `[256]` in any unit. Undefined if no
 * order in the zone is known.
 */
export function sharesOfOrders(areas: ArrayLike<number>): readonly number[] | undefined {
  let total = 0;
  for (let order = 0; order < areas.length; order += 1) if (order !== UNKNOWN_ORDER) total += areas[order]!;
  if (total <= 0) return undefined;
  return Array.from({ length: GREATEST_ORDER }, (_, index) => (100 * (areas[index + 1] ?? 0)) / total);
}

/**
 * Share of a zone's area whose order is unknown, percent; null for a zone without area. `areas`: areas by order, as in
 * `sharesOfOrders`.
 */
export function unknownShare(areas: ArrayLike<number>): number | null {
  let total = 0;
  for (let order = 0; order < areas.length; order += 1) total += areas[order]!;
  return total <= 0 ? null : (100 * (areas[UNKNOWN_ORDER] ?? 0)) / total;
}

/**
 * Greatest known order in a zone; 0 if the zone has no stream. Null if the order is unknown for more than half of the zone.
 * `areas`: areas by order, as in `sharesOfOrders`.
 */
export function greatestOrder(areas: ArrayLike<number>): number | null {
  const shares = sharesOfOrders(areas);
  if (shares === undefined || (unknownShare(areas) ?? 100) > 50) return null;
  return shares.findLastIndex((share) => share > 0) + 1;
}
