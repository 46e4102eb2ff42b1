import type { Flow } from './flow.ts';
import { stepsByCode } from './directions.ts';
import { streamOrders } from './stream-network.ts';

/** Mean drops (m) of the streams in a network, and Student's t of the difference. */
export interface DropTest {
  /** Minimum number of cells that drain through a stream cell, itself included. */
  readonly threshold: number;
  /** `first`: streams of order 1; `higher`: streams of all higher orders. */
  readonly first: DropMean;
  readonly higher: DropMean;
  /** Student's t with pooled variance; NaN if a group has fewer than two streams. */
  readonly t: number;
}

/** Number of streams and their mean drop, m. */
export interface DropMean {
  readonly count: number;
  readonly mean: number;
}

/** Limit of |t|. The means differ if |t| is greater (Tarboton et al. 1991). */
const MOST_T = 2;

/**
 * Constant drop analysis for each threshold (Broscoe 1959; Tarboton et al. 1991, Hydrological Processes 5:81). Measures
 * only streams that end within the DEM and whose last cell passes `isWhole`.
 */
export function dropTests(
  flow: Flow,
  cells: Uint32Array,
  {
    thresholds,
    isWhole = () => true,
  }: { readonly thresholds: readonly number[]; readonly isWhole?: (cell: number) => boolean },
): readonly DropTest[] {
  return thresholds.map((threshold) => {
    const { first, higher } = drops(flow, streamOrders(flow, cells, threshold), isWhole);
    const pooled = (first.squares + higher.squares) / (first.count + higher.count - 2);
    const isKnown = first.count > 1 && higher.count > 1;
    const error = Math.sqrt(pooled * (1 / first.count + 1 / higher.count));
    return {
      threshold,
      first: { count: first.count, mean: first.mean },
      higher: { count: higher.count, mean: higher.mean },
      t: isKnown ? (first.mean - higher.mean) / error : Number.NaN,
    };
  });
}

/** Smallest threshold at which the mean drops do not differ; undefined if there is none. */
export const smallestConstantDrop = (tests: readonly DropTest[]): number | undefined =>
  tests.toSorted((a, b) => a.threshold - b.threshold).find(({ t }) => Math.abs(t) <= MOST_T)?.threshold;

/** Running mean and sum of squared differences (Welford 1962). */
class Spread {
  count = 0;
  mean = 0;
  squares = 0;

  add(value: number): void {
    this.count += 1;
    const before = value - this.mean;
    this.mean += before / this.count;
    this.squares += before * (value - this.mean);
  }
}

function drops(
  { grid, filled, directions, order }: Flow,
  orders: Uint8Array,
  isWhole: (cell: number) => boolean,
): { readonly first: Spread; readonly higher: Spread } {
  const steps = stepsByCode(grid.cols);
  // Height (m) of the top of the stream through each cell. A stream of order 2 or more begins where two streams join.
  const top = new Float32Array(orders.length).fill(Number.NaN);
  const spreads = { first: new Spread(), higher: new Spread() };
  for (let k = order.length - 1; k >= 0; k -= 1) {
    const at = order[k]!;
    const own = orders[at]!;
    if (own === 0) continue;
    if (Number.isNaN(top[at]!)) top[at] = filled[at]!;
    const step = steps[directions[at]!]!;
    const isEnd = step === 0 || orders[at + step] !== own;
    if (!isEnd) top[at + step] = top[at]!;
    else if (isWhole(at) && step !== 0) (own === 1 ? spreads.first : spreads.higher).add(top[at]! - filled[at + step]!);
  }
  return spreads;
}
