import { expect, it } from 'vitest';
import { roughSurface, rowsOf, utmGrid } from '../dem/surfaces.fixture.ts';
import { accumulatedCells } from './accumulate.ts';
import { dropTests, smallestConstantDrop } from './drop-analysis.ts';
import { stepsByCode } from './directions.ts';
import { flowOf } from './flow.ts';
import { streamOrders } from './stream-network.ts';

it('measures the drop of each Strahler stream, from its first cell to the cell in which it ends', () => {
  // Two streams of order 1 begin at the cells of 19 m, and join at the cell of 17 m. The stream of order 2 leaves the
  // DEM, so it has no drop.
  const dem = rowsOf([
    [90, 90, 90, 90, 90, 90, 90],
    [90, 19, 90, 90, 90, 19, 90],
    [90, 90, 18, 90, 18, 90, 90],
    [90, 90, 90, 17, 90, 90, 90],
    [90, 90, 90, 14, 90, 90, 90],
    [90, 90, 90, 11, 90, 90, 90],
  ]);
  const flow = flowOf(dem);
  const cells = accumulatedCells(flow).map((count, at) => (dem.heights[at]! < 50 ? count : 0));
  const [test] = dropTests(flow, cells, { thresholds: [1] });
  expect(test).toMatchObject({ threshold: 1, first: { count: 2, mean: 2 }, higher: { count: 0 } });
  expect(test?.t).toBeNaN();
  const [inner] = dropTests(flow, cells, { thresholds: [1], isWhole: (at) => at % 7 < 3 });
  expect(inner?.first).toEqual({ count: 1, mean: 2 });
});

it('compares the means of the drops with the t of Student', () => {
  const flow = flowOf(roughSurface(utmGrid(150, 150), { seed: 3 }));
  const cells = accumulatedCells(flow);
  const orders = streamOrders(flow, cells, 15);
  const steps = stepsByCode(150);
  const into = (at: number): number => at + steps[flow.directions[at]!]!;
  const drops: [first: number[], higher: number[]] = [[], []];
  const continued = new Set<number>();
  for (const at of flow.order) if (orders[at] === orders[into(at)] && into(at) !== at) continued.add(into(at));
  for (const start of flow.order) {
    if (orders[start] === 0 || continued.has(start)) continue;
    let end = start;
    while (into(end) !== end && orders[into(end)] === orders[start]) end = into(end);
    if (into(end) !== end) drops[orders[start] === 1 ? 0 : 1].push(flow.filled[start]! - flow.filled[into(end)]!);
  }
  const mean = (list: readonly number[]): number => list.reduce((sum, drop) => sum + drop, 0) / list.length;
  const squares = (list: readonly number[]): number => list.reduce((sum, drop) => sum + (drop - mean(list)) ** 2, 0);
  const [first, higher] = drops;
  const variance = (squares(first) + squares(higher)) / (first.length + higher.length - 2);
  const t = (mean(first) - mean(higher)) / Math.sqrt(variance * (1 / first.length + 1 / higher.length));
  const [test] = dropTests(flow, cells, { thresholds: [15] });
  expect([test?.first.count, test?.higher.count]).toEqual([first.length, higher.length]);
  expect(test?.t).toBeCloseTo(t, 8);
  expect(higher.length).toBeGreaterThan(10);
});

it('chooses the smallest threshold at which streams of the first order drop as far as streams of higher orders', () => {
  const of = (threshold: number, t: number) => ({
    threshold,
    first: { count: 9, mean: 1 },
    higher: { count: 9, mean: 1 },
    t,
  });
  expect(smallestConstantDrop([of(40, 0.3), of(10, -4.1), of(20, -1.9), of(15, 2.2)])).toBe(20);
  expect(smallestConstantDrop([of(10, -4.1), of(20, Number.NaN)])).toBeUndefined();
});
