import type { SeriesCoverage } from './hidden-rise.ts';

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
  /** As in `Slopes`. */
  rises: number;
  falls: number;
}

/**
 * Slopes of a series from step `first` to `last`. Bit s is set if the series rises (or falls) from step s to s + 1; all
 * bits are 0 if the slopes are unknown.
 */
export interface Slopes {
  readonly first: number;
  readonly last: number;
  readonly rises: number;
  readonly falls: number;
}

/** A span that is reused for every pixel, because otherwise there would be millions of objects. */
export const blankSpan = (): Span => ({
  values: new Float64Array(),
  first: 0,
  last: 0,
  openStart: false,
  openEnd: false,
  rises: 0,
  falls: 0,
});

/** Sets the series of a span and its observed steps. The ends stay open or closed. */
export function setSeries(
  span: Span,
  values: Float64Array,
  { first, last, rises = 0, falls = 0 }: SeriesCoverage,
): void {
  span.values = values;
  span.first = first;
  span.last = last;
  span.rises = rises;
  span.falls = falls;
}

/** True if the slopes are known, and the series rises or falls at each step. */
export function hasSlopes({ first, last, rises, falls }: Slopes): boolean {
  const all = (1 << (last - first)) - 1;
  return last > first && (((rises | falls) >>> first) & all) === all;
}

const between = ({ first, last }: Slopes): number => (1 << last) - (2 << first);

/** Bits of the steps between the ends at which a series with `hasSlopes` is higher than before and after. */
export const topsOf = (slopes: Slopes): number => (slopes.rises << 1) & slopes.falls & between(slopes);

/** Bits of the steps between the ends at which a series with `hasSlopes` is lower than before and after. */
export const dipsOf = (slopes: Slopes): number => (slopes.falls << 1) & slopes.rises & between(slopes);

/** Number of the lowest bit that is set. */
export const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);

/**
 * Writes the peaks of a span into `found` and returns their number. With closed ends, finds the peaks of
 * `scipy.signal.find_peaks(x, height=, prominence=)`: strict local maxima, a plateau at its middle, no ends. An open
 * end may be a peak.
 */
export function findPeaks(span: Span, rule: PeakRule, found: Uint8Array): number {
  return hasSlopes(span) ? peaksOfSlopes(span, rule, found) : peaksOfValues(span, rule, found);
}

function peaksOfSlopes(span: Span, { height, prominence }: PeakRule, found: Uint8Array): number {
  const { values, first, last, openStart, openEnd, rises, falls } = span;
  let peaks = topsOf(span);
  if (openStart) peaks |= falls & (1 << first);
  if (openEnd) peaks |= (rises << 1) & (1 << last);
  let count = 0;
  for (; peaks !== 0 && count < found.length; peaks &= peaks - 1) {
    const peak = lowestBit(peaks);
    if (values[peak]! >= height && isProminent(span, peak, prominence)) found[count++] = peak;
  }
  return count;
}

function peaksOfValues(span: Span, { height, prominence }: PeakRule, found: Uint8Array): number {
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
