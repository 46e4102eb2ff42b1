import { type Estimate, type Interval, wilson } from './interval.ts';

/** What one stratum adds to an estimate. */
export interface Part {
  /** Share of the area, 0-1. */
  readonly weight: number;
  /** Share of its samples, 0-1. */
  readonly share: number;
  readonly samples: number;
}

/**
 * Interval of a weighted sum of shares, from Wilson's interval of each: the distances to their ends are added as squares
 * (method of variance estimates recovery, Zou and Donner 2008, doi:10.1002/sim.3095). For sums without a variance, where
 * value -+ 1.96 standard errors would claim certainty; one stratum alone gets Wilson's interval itself.
 */
export function recoveredSum(parts: readonly Part[]): Estimate {
  const value = sumOf(parts);
  return { value, standardError: 0, ...around(parts), method: 'wilson' };
}

/** The same for the share `found` of a sum that stands in the parts that are `isOwn`. */
export function recoveredRatio(found: number, parts: readonly (Part & { readonly isOwn: boolean })[]): Estimate {
  const own = around(parts.filter(({ isOwn }) => isOwn));
  const others = around(parts.filter(({ isOwn }) => !isOwn));
  const share = (inside: number, outside: number): number =>
    inside + outside === 0 ? found : inside / (inside + outside);
  // No variance: every share is 0 or 1, and an end that lies on the estimate must not move away from it by rounding.
  const low = Math.min(found, share(own.low, others.high));
  const high = Math.max(found, share(own.high, others.low));
  return { value: found, standardError: 0, low, high, method: 'wilson' };
}

const sumOf = (parts: readonly Part[]): number => parts.reduce((sum, { weight, share }) => sum + weight * share, 0);

function around(parts: readonly Part[]): Interval {
  let [below, above] = [0, 0];
  for (const { weight, share, samples } of parts) {
    const { low, high } = wilson(share, samples);
    below += (weight * (share - low)) ** 2;
    above += (weight * (high - share)) ** 2;
  }
  const value = sumOf(parts);
  return { low: Math.max(0, value - Math.sqrt(below)), high: value + Math.sqrt(above) };
}
