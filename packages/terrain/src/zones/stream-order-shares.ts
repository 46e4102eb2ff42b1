import type { ZoneCover } from '@headwater/core';
import { areasBy, type PlaneSize } from './cover.ts';

/** Greatest order that the published tables have a column for. */
export const GREATEST_ORDER = 11;

/**
 * Percent of a zone's area in cells of each stream order, 1 to `GREATEST_ORDER`; land that is no stream counts in the whole. Zeros in a
 * zone without area. `orders` is `streamOrders`, uint8 `[rows * cols]`.
 */
export function streamOrderShares(
  cover: ZoneCover,
  { orders, size }: { orders: Uint8Array; size: PlaneSize },
): readonly number[] {
  const areas = areasBy(cover, size, { count: 256, binOf: (at) => orders[at]! });
  const total = areas.reduce((sum, area) => sum + area, 0);
  return Array.from(areas.subarray(1, GREATEST_ORDER + 1), (area) => (total > 0 ? (100 * area) / total : 0));
}
