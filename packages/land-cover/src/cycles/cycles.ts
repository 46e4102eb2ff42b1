/** When a peak counts: the two conditions of `scipy.signal.find_peaks`, in the units of the series. */
export interface PeakRule {
  readonly height: number;
  readonly prominence: number;
}

/** A column of a larger array: `values[at .. at + steps)`. */
export interface Column {
  readonly values: Float64Array;
  readonly at: number;
  readonly steps: number;
}

/**
 * Peaks of a column, equal to `scipy.signal.find_peaks(x, height=, prominence=)`: strict local maxima, a plateau counts once at its
 * middle (rounded down), ends never count. Writes step numbers into `found` and returns how many (at most `found.length`).
 */
export function findPeaks(column: Column, rule: PeakRule, found: Uint8Array): number {
  const { values, at, steps } = column;
  const { height } = rule;
  const last = at + steps - 1;
  let count = 0;
  let i = at + 1;
  let before = values[at] ?? 0;
  while (i < last && count < found.length) {
    const v = values[i] ?? 0;
    if (v < height || before >= v) {
      before = v;
      i++;
      continue;
    }
    let ahead = i + 1;
    while (ahead < last && values[ahead] === v) ahead++;
    if ((values[ahead] ?? 0) < v) {
      const peak = ((i + ahead - 1) >> 1) - at;
      if (standsOut(column, peak, rule.prominence)) found[count++] = peak;
    }
    before = values[ahead - 1] ?? 0;
    i = ahead;
  }
  return count;
}

/**
 * True where the prominence of a peak is at least `wanted`. The prominence is its height above the higher of the two lowest points between
 * it and higher ground (or the end) on either side; a scan may stop at the first point that is low enough.
 */
function standsOut({ values, at, steps }: Column, peak: number, wanted: number): boolean {
  const height = values[at + peak] ?? 0;
  let i = at + peak - 1;
  while (i >= at && height - (values[i] ?? 0) < wanted) if ((values[i--] ?? 0) > height) return false;
  if (i < at) return false;
  const end = at + steps;
  i = at + peak + 1;
  while (i < end && height - (values[i] ?? 0) < wanted) if ((values[i++] ?? 0) > height) return false;
  return i < end;
}
