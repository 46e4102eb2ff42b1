import { expect, it } from 'vitest';
import { drainageDensity } from './drainage-density.ts';
import { sharesOfOrders, UNKNOWN_ORDER } from './stream-order-shares.ts';

it('the density is the stream length per area, plain and weighted by order', () => {
  // Streams of 3 km (order 1) and 2 km (order 11) on 2 km2.
  const metres = [3000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2000];
  const { plain, weighted, kilometres } = drainageDensity(metres, 200);
  expect(plain).toBeCloseTo(2.5, 12);
  expect(weighted).toBeCloseTo((100 * (3 * (60 / 385) + 2 * (10 / 385))) / 2, 12);
  expect(kilometres).toEqual([3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
});

it('the weights of all orders add up to 1', () => {
  expect(drainageDensity(Array<number>(11).fill(1000), 100).weighted).toBeCloseTo(100, 10);
});

it('shares of orders refer to the land with known height', () => {
  const areas = new Float64Array(256);
  areas[0] = 6;
  areas[1] = 3;
  areas[4] = 1;
  areas[UNKNOWN_ORDER] = 90;
  expect(sharesOfOrders(areas)).toEqual([30, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0]);
  areas.fill(0, 0, 11);
  expect(sharesOfOrders(areas)).toBeUndefined();
  expect(sharesOfOrders([])).toBeUndefined();
});
