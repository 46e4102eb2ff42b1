import { expect, it } from 'vitest';
import { greatestOrder, publishedOrders, UNKNOWN_ORDER } from '../../zones/stream-order-shares.ts';
import { ordersTo, orderStyle } from './orders.ts';

it('orders above the greatest class get the code of that class, and never the code of missing elevation', () => {
  const orders = Uint8Array.of(0, 3, 11, 12, 200, 0);
  const heights = Float32Array.of(5, 5, 5, 5, 5, Number.NaN);
  expect([...publishedOrders(orders, heights)]).toEqual([0, 3, 11, 11, 11, UNKNOWN_ORDER]);
  const { labels, limits } = orderStyle('ORDER', 'Order');
  expect(labels?.at(-1)).toBe('Order 11 and above');
  expect(limits.at(-1)).toBeGreaterThan(200);
});

it('a style lists the orders up to the greatest order of the layer, at least order 1 and at most order 11', () => {
  expect(ordersTo(3).map(({ label }) => label)).toEqual(['Order 1', 'Order 2', 'Order 3']);
  expect(ordersTo(14).map(({ value }) => value)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(ordersTo(0).map(({ value }) => value)).toEqual([1]);
  expect(orderStyle('ORDER', 'Order', ordersTo(3)).limits).toEqual([0.5, 1.5, 2.5, 3.5]);
});

it('the greatest order of a zone is the greatest order of its known part, if at least half of the zone is known', () => {
  const areas = (stream: number, unknown: number) => {
    const all = new Float64Array(256);
    all[0] = 50 - stream;
    all[3] = stream;
    all[UNKNOWN_ORDER] = unknown;
    return greatestOrder(all);
  };
  expect([areas(2, 0), areas(0, 0), areas(2, 1), areas(2, 50), areas(2, 51)]).toEqual([3, 0, 3, 3, null]);
  expect(greatestOrder(new Float64Array(256))).toBeNull();
});
