/** When a peak counts: the two conditions of `scipy.signal.find_peaks`, in the units of the series. */
export interface PeakRule {
  readonly height: number;
  readonly prominence: number;
}

/** The steps `first .. last` of a series that were seen. Beyond an open end the series is taken to fall; beyond a closed one nothing is known. */
export interface Span {
  readonly values: Float64Array;
  readonly first: number;
  readonly last: number;
  readonly openStart: boolean;
  readonly openEnd: boolean;
}

/**
 * Peaks within a span; with closed ends equal to `scipy.signal.find_peaks(x, height=, prominence=)`: strict local maxima, a plateau counts once at its
 * middle (rounded down), ends never count. An open end may be a peak itself. Writes steps into `found` and returns how many (at most `found.length`).
 */
export function findPeaks(span: Span, { height, prominence }: PeakRule, found: Uint8Array): number {
  const { values, first, last, openStart, openEnd } = span;
  let count = 0;
  let rises = openStart;
  for (let start = first; start <= last && count < found.length;) {
    const v = values[start] ?? 0;
    let end = start;
    while (end < last && values[end + 1] === v) end++;
    const falls = end === last ? openEnd : (values[end + 1] ?? 0) < v;
    if (rises && falls && v >= height) {
      const peak = (start + end) >> 1;
      if (standsOut(span, peak, prominence)) found[count++] = peak;
    }
    rises = end < last && (values[end + 1] ?? 0) > v;
    start = end + 1;
  }
  return count;
}

/**
 * True where the prominence of a peak is at least `wanted`. The prominence is its height above the higher of the two lowest points between
 * it and higher ground (or a closed end) on either side; a scan may stop at the first point that is low enough, and does so beyond an open end.
 */
function standsOut({ values, first, last, openStart, openEnd }: Span, peak: number, wanted: number): boolean {
  const height = values[peak] ?? 0;
  let i = peak - 1;
  while (i >= first && height - (values[i] ?? 0) < wanted) if ((values[i--] ?? 0) > height) return false;
  if (i < first && !openStart) return false;
  i = peak + 1;
  while (i <= last && height - (values[i] ?? 0) < wanted) if ((values[i++] ?? 0) > height) return false;
  return i <= last || openEnd;
}
