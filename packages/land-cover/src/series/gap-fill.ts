import { INDEX_NODATA } from '@headwater/core/pixel-plan';

/** Where the year lies within a series and how far a gap may be bridged; all in steps. */
export interface GapRule {
  readonly steps: number;
  /** First core step and one past the last. */
  readonly core: readonly [number, number];
  /** Greatest distance between a filled core step and the observation it is filled from. */
  readonly reach: number;
}

/**
 * Fills one column in place; false when a core step has no observation within reach. `same` says that the column has its gaps where
 * the column of the call before had them: neighbours under one cloud do, and their gaps need not be looked for again.
 */
export type GapFiller = (column: Int16Array, at: number, same?: boolean) => boolean;

/**
 * Makes a filler of int16 columns `[at .. at + steps)`: linear between the neighbours, ends held, each neighbour within `reach`.
 * A core step with no neighbour within reach makes the column unfillable (false). Margin steps hold the nearest value whatever
 * the distance: that makes no peak.
 */
export function createGapFiller(rule: GapRule): GapFiller {
  const { steps, reach } = rule;
  const [from, to] = rule.core;
  /** Steps around each inner gap, `[last, next]` after each other. */
  const gaps = new Uint16Array(2 * steps);
  let count = 0;
  let first = -1;
  let last = -1;
  let fillable = false;

  /** Finds the gaps; false when one cannot be filled. */
  const scan = (column: Int16Array, at: number): boolean => {
    count = 0;
    first = -1;
    last = -1;
    for (let k = 0; k < steps; k++) {
      if (column[at + k] === INDEX_NODATA) continue;
      if (last < 0) {
        if (k - from > reach) return false;
        first = k;
      } else if (k - last > 1) {
        if (isBroken(last, k)) return false;
        gaps[2 * count] = last;
        gaps[2 * count + 1] = k;
        count++;
      }
      last = k;
    }
    return last >= 0 && to - 1 - last <= reach;
  };

  const bridge = (column: Int16Array, before: number, next: number): void => {
    const a = column[before] ?? 0;
    const b = column[next] ?? 0;
    const slope = (b - a) / (next - before);
    for (let s = before + 1; s < next; s++) {
      const nearLast = s - before <= reach;
      const nearNext = next - s <= reach;
      if (nearLast === nearNext) column[s] = Math.round(a + slope * (s - before));
      else column[s] = nearLast ? a : b;
    }
  };

  return (column, at, same = false) => {
    if (!same) fillable = scan(column, at);
    if (!fillable) return false;
    for (let g = 0; g < count; g++) bridge(column, at + (gaps[2 * g] ?? 0), at + (gaps[2 * g + 1] ?? 0));
    // Loops, not `fill`: a native call costs more than the few values that are held.
    const head = column[at + first] ?? 0;
    for (let s = at; s < at + first; s++) column[s] = head;
    const tail = column[at + last] ?? 0;
    for (let s = at + last + 1; s < at + steps; s++) column[s] = tail;
    return true;
  };

  /** Some core step strictly between two observations is farther than `reach` from both. */
  function isBroken(before: number, next: number): boolean {
    return Math.max(before + reach + 1, from) <= Math.min(next - reach - 1, to - 1);
  }
}
