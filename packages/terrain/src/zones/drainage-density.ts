import { GREATEST_ORDER } from './stream-order-shares.ts';

/** Weights as in core-stack-backend (`drainage_density`): 60, 55, .. 10 parts of 385. */
const WEIGHTS: readonly number[] = Array.from({ length: GREATEST_ORDER }, (_, index) => (60 - 5 * index) / 385);
const HA_PER_KM2 = 100;

/** Drainage density of a zone. */
export interface DrainageDensity {
  /** Stream km per km2. */
  readonly plain: number;
  /** Sum of density times weight over the orders, times 100 as in core-stack-backend. */
  readonly weighted: number;
  /** Stream km by order, 1 to `GREATEST_ORDER`. */
  readonly kilometres: readonly number[];
}

/** Drainage density of a zone, from the lengths of streams by order (m) and the area (hectares). */
export function drainageDensity(metres: ArrayLike<number>, hectares: number): DrainageDensity {
  const kilometres = Array.from({ length: GREATEST_ORDER }, (_, index) => (metres[index] ?? 0) / 1000);
  const km2 = hectares / HA_PER_KM2;
  const sum = (weightOf: (index: number) => number): number =>
    kilometres.reduce((total, km, index) => total + weightOf(index) * km, 0);
  return { plain: sum(() => 1) / km2, weighted: (100 * sum((index) => WEIGHTS[index] ?? 0)) / km2, kilometres };
}
