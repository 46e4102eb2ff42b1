import type { ZoneCover } from '@headwater/core/geo';
import { areasBy, type PlaneSize } from './terrain-descriptor.ts';

/** Greatest order with a column in published tables; greater orders are added to this column. */
export const GREATEST_ORDER = 11;

/** Pixel value of an unknown order. The value 0 means no stream. */
export const UNKNOWN_ORDER = 255;

/**
 * Orders of the published raster, uint8 `[rows * cols]`, at most `GREATEST_ORDER`. Pixels without a height become
 * `UNKNOWN_ORDER`.
 */
export function publishedOrders(orders: Uint8Array, heights: Float32Array): Uint8Array {
  return orders.map((order, at) => (Number.isNaN(heights[at]) ? UNKNOWN_ORDER : Math.min(order, GREATEST_ORDER)));
}

/** Shares of stream orders (1 to `GREATEST_ORDER`) in a zone, percent of land of known order; 0 if none is known. */
export function streamOrderShares(
  cover: ZoneCover,
  { orders, size }: { orders: Uint8Array; size: PlaneSize },
): readonly number[] {
  return sharesOfOrders(areasBy(cover, size, { count: 256, binOf: (at) => orders[at]! })) ?? NONE;
}

const NONE: readonly number[] = Array.from({ length: GREATEST_ORDER }, () => 0);

/** Shares of stream orders in percent, from areas by order, `[256]`. Undefined if no order is known. */
export function sharesOfOrders(areas: ArrayLike<number>): readonly number[] | undefined {
  let total = 0;
  for (let order = 0; order < areas.length; order += 1) if (order !== UNKNOWN_ORDER) total += areas[order]!;
  if (total <= 0) return undefined;
  return Array.from({ length: GREATEST_ORDER }, (_, index) => (100 * (areas[index + 1] ?? 0)) / total);
}

/** Share of a zone with unknown order, percent; null without area. */
export function unknownShare(areas: ArrayLike<number>): number | null {
  let total = 0;
  for (let order = 0; order < areas.length; order += 1) total += areas[order]!;
  return total <= 0 ? null : (100 * (areas[UNKNOWN_ORDER] ?? 0)) / total;
}

/** Greatest order of a zone; 0 without streams, null if the order of more than half of the area is unknown. */
export function greatestOrder(areas: ArrayLike<number>): number | null {
  const shares = sharesOfOrders(areas);
  if (shares === undefined || (unknownShare(areas) ?? 100) > 50) return null;
  return shares.findLastIndex((share) => share > 0) + 1;
}
