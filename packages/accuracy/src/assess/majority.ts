import { type Label, type LegendSide, NODATA, UNMAPPED } from '../legend/legend.ts';

/** Returns a value of a map as a label; null for no data (NaN). */
export const mappedLabel = (value: number): Label | null => (Number.isNaN(value) ? null : value);

/**
 * Returns the first value of the most frequent class. Of equally frequent classes, the class that occurs first in
 * `values` counts. Null without values, or if NaN (no data) is most frequent.
 */
export function majorityLabel(values: Float64Array, side: LegendSide): Label | null {
  const groups = new Map<number | string, { readonly label: Label | null; count: number }>();
  for (const value of values) {
    const label = mappedLabel(value);
    const place = label === null ? NODATA : side.placeOf(label);
    // Each value without a class is counted separately, because the report names the most frequent of them.
    const key = place === UNMAPPED ? `value ${value}` : place;
    const group = groups.get(key) ?? { label, count: 0 };
    group.count += 1;
    groups.set(key, group);
  }
  return [...groups.values()].toSorted((a, b) => b.count - a.count)[0]?.label ?? null;
}
