/** Conditions of a peak as in `scipy.signal.find_peaks`, in the units of the series. */
export interface PeakRule {
  height: number;
  prominence: number;
}

/**
 * Observed steps `first .. last`. Beyond an open end the series is assumed to fall; beyond a closed end the series is
 * unknown.
 */
export interface Span {
  values: Float64Array;
  first: number;
  last: number;
  openStart: boolean;
  openEnd: boolean;
}

/**
 * Writes the peaks of a span into `found` and returns their number. With closed ends, finds the peaks of
 * `scipy.signal.find_peaks(x, height=, prominence=)`: strict local maxima, a plateau at its middle, no ends. An open
 * end may be a peak.
 */
export function findPeaks(span: Span, { height, prominence }: PeakRule, found: Uint8Array): number {
  const { values, first, last, openStart, openEnd } = span;
  let count = 0;
  let start = first;
  let rises = openStart;
  while (start <= last && count < found.length) {
    const v = values[start]!;
    if (v < height || !rises) {
      rises = start < last && values[start + 1]! > v;
      start++;
      continue;
    }
    let end = start;
    while (end < last && values[end + 1] === v) end++;
    const ahead = end < last ? values[end + 1]! : v;
    if (end < last ? ahead < v : openEnd) {
      const peak = (start + end) >> 1;
      if (isProminent(span, peak, prominence)) found[count++] = peak;
    }
    rises = ahead > v;
    start = end + 1;
  }
  return count;
}

/**
 * True if a peak has the wanted prominence: on each side, going away from the peak, a value at least `wanted` below the
 * peak comes before any value above the peak. If neither comes before the end of the span, an open end is enough.
 */
function isProminent({ values, first, last, openStart, openEnd }: Span, peak: number, wanted: number): boolean {
  const height = values[peak]!;
  let i = peak - 1;
  while (i >= first && height - values[i]! < wanted) if (values[i--]! > height) return false;
  if (i < first && !openStart) return false;
  i = peak + 1;
  while (i <= last && height - values[i]! < wanted) if (values[i++]! > height) return false;
  return i <= last || openEnd;
}
