import type { Sight } from './hidden-rise.ts';

/**
 * Replaces the values held before the first observation by a rise from the column's lowest value: what came before is unknown, and
 * a held value would hide the peak of a crop that is first seen near its height. Lowers no minimum, raises no maximum.
 */
export function openStart(column: Int16Array, at: number, sight: Sight): void {
  const { first } = sight;
  const low = lowest(column, at, sight);
  for (let s = 0; s < first - 1; s++) column[at + s] = low;
  column[at + first - 1] = (low + (column[at + first] ?? low)) >> 1;
}

/**
 * The same at the end: a fall to the column's lowest value after the last observation, so that a crop which still stands then has its peak.
 * That fall was not seen: no harvest may be measured on it.
 */
export function openEnd(column: Int16Array, at: number, sight: Sight): void {
  const { last, steps } = sight;
  const low = lowest(column, at, sight);
  column[at + last + 1] = (low + (column[at + last] ?? low)) >> 1;
  for (let s = last + 2; s < steps; s++) column[at + s] = low;
}

/** Lowest value between the first and the last observation. */
function lowest(column: Int16Array, at: number, { first, last }: Sight): number {
  let low = column[at + first] ?? 0;
  for (let s = first + 1; s <= last; s++) low = Math.min(low, column[at + s] ?? low);
  return low;
}
