import { INDEX_NODATA } from './pixel-plan.ts';

/** Where the year lies within a series and how far a gap may be bridged; all in steps. */
export interface GapRule {
  readonly steps: number;
  /** First core step and one past the last. */
  readonly core: readonly [number, number];
  /** Greatest distance between a filled core step and the observation it is filled from. */
  readonly reach: number;
}

/** Fills one column in place; false when a core step has no observation within reach. */
export type GapFiller = (column: Int16Array, at: number) => boolean;

/**
 * Makes a filler of int16 columns `[at .. at + steps)`: linear between the neighbours, ends held, each neighbour within `reach`.
 * A core step with no neighbour within reach makes the column unfillable (false). Margin steps hold the nearest value whatever
 * the distance: that makes no peak.
 */
export function createGapFiller(rule: GapRule): GapFiller {
  const { steps, reach } = rule;
  const [from, to] = rule.core;

  const bridge = (column: Int16Array, last: number, next: number): void => {
    const a = column[last] ?? 0;
    const b = column[next] ?? 0;
    const slope = (b - a) / (next - last);
    for (let s = last + 1; s < next; s++) {
      const nearLast = s - last <= reach;
      const nearNext = next - s <= reach;
      if (nearLast === nearNext) column[s] = Math.round(a + slope * (s - last));
      else column[s] = nearLast ? a : b;
    }
  };

  // A loop, not `fill`: a native call costs more than the few values that are held.
  const hold = (column: Int16Array, value: number, range: readonly [number, number]): void => {
    for (let s = range[0]; s < range[1]; s++) column[s] = value;
  };

  return (column, at) => {
    let last = -1;
    for (let k = 0; k < steps; k++) {
      const value = column[at + k] ?? INDEX_NODATA;
      if (value === INDEX_NODATA) continue;
      if (k - last > 1) {
        if (last < 0 ? k - from > reach : isBroken(last, k)) return false;
        if (last < 0) hold(column, value, [at, at + k]);
        else bridge(column, at + last, at + k);
      }
      last = k;
    }
    if (last < 0 || to - 1 - last > reach) return false;
    if (last + 1 < steps) hold(column, column[at + last] ?? 0, [at + last + 1, at + steps]);
    return true;
  };

  /** Some core step strictly between two observations is farther than `reach` from both. */
  function isBroken(last: number, next: number): boolean {
    return Math.max(last + reach + 1, from) <= Math.min(next - reach - 1, to - 1);
  }
}
