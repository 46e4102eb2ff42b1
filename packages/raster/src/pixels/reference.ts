import type { PixelWindow } from './pixel-window.ts';

const NODATA = -32768;

/** Digital numbers (DNs) of a band, the offset that is added to each DN, and the nodata DN. Sums below 0 become 0. */
interface ReferenceBand {
  readonly samples: Uint16Array;
  readonly offset: number;
  readonly nodata: number | null;
}

/**
 * Computes (sum(plus) - sum(minus)) / (sum(plus) + sum(minus)) x 10000 in float32, rounded half to even. Pixels with
 * `mask` 0 become nodata.
 */
export function ratioReference(
  plus: readonly ReferenceBand[],
  minus: readonly ReferenceBand[],
  mask: Uint8Array,
): Int16Array {
  return Int16Array.from(mask, (clear, i) => {
    const sum = (bands: readonly ReferenceBand[]): number =>
      bands.reduce((total, band) => Math.fround(total + Math.max(Math.fround(band.samples[i]! + band.offset), 0)), 0);
    const missing = [...plus, ...minus].some(({ samples, nodata }) => samples[i] === nodata);
    const [a, b] = [sum(plus), sum(minus)];
    if (clear === 0 || missing || !(a + b > 0)) return NODATA;
    return roundHalfEven(Math.fround(Math.fround(Math.fround(a - b) / Math.fround(a + b)) * 10000));
  });
}

/**
 * Subtracts 20001 (`BRIGHT_MARK`) from each value above `above` whose DN is not nodata. The DN with the offset must be
 * at least `from`.
 */
export function markReference(
  values: Int16Array,
  { samples, offset, nodata }: ReferenceBand,
  { from, above }: { readonly from: number; readonly above: number },
): Int16Array {
  return values.map((value, i) => {
    const isBright = samples[i] !== nodata && samples[i]! + offset >= from;
    return isBright && value > above ? value - 20_001 : value;
  });
}

/** Rounds to the nearest integer; halves go to the even neighbour. */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const part = value - floor;
  if (part !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

/**
 * Median of the values with data at each pixel of planes `[plane][pixels]`. The mean of two middle values is rounded
 * down.
 */
export function medianReference(planes: readonly Int16Array[]): Int16Array {
  return Int16Array.from(planes[0] ?? [], (_, i) => {
    const values = planes.map((plane) => plane[i]!).filter((value) => value !== NODATA);
    if (values.length === 0) return NODATA;
    const sorted = Int16Array.from(values).sort();
    return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) >> 1;
  });
}

/**
 * Returns 1 for each pixel with a code in `keep` and without a code in `grow` within `dilate` rows and columns;
 * otherwise 0.
 */
export function clearReference(
  codes: Uint8Array,
  cols: number,
  rule: { keep: readonly number[]; grow: readonly number[]; dilate: number },
): Uint8Array {
  const rows = codes.length / cols;
  const spoils = (row: number, col: number): boolean =>
    row >= 0 && row < rows && col >= 0 && col < cols && rule.grow.includes(codes[row * cols + col]!);
  return Uint8Array.from(codes, (code, at) => {
    if (!rule.keep.includes(code)) return 0;
    const [row, col] = [Math.floor(at / cols), at % cols];
    for (let r = row - rule.dilate; r <= row + rule.dilate; r++) {
      for (let c = col - rule.dilate; c <= col + rule.dilate; c++) if (spoils(r, c)) return 0;
    }
    return 1;
  });
}

/**
 * Expands samples to twice the resolution: pixel (x, y) of the window gets the sample at ((col + x) >> 1, (row + y) >>
 * 1).
 */
export function expandReference(samples: Uint16Array, stride: number, window: PixelWindow): Uint16Array {
  return Uint16Array.from({ length: window.cols * window.rows }, (_, i) => {
    const [x, y] = [i % window.cols, Math.floor(i / window.cols)];
    return samples[((window.row + y) >> 1) * stride + ((window.col + x) >> 1)]!;
  });
}

/** Planes of one scene of a day, with bytes 0 and 255. A claimed pixel was observed by an earlier scene of the day. */
interface DayPlanes {
  readonly observed: Uint8Array;
  readonly mask: Uint8Array;
  readonly values: Int16Array;
  readonly claimed: Uint8Array;
}

/**
 * Returns the claimed pixels after a scene: the pixels in `claimed` and the pixels that the scene observed. Clear
 * pixels (`mask`) without a value are not added.
 */
export function claimReference({ observed, mask, values, claimed }: DayPlanes): Uint8Array {
  return claimed.map((before, i) => before | (observed[i]! & ~(values[i] === NODATA ? mask[i]! : 0)));
}

/**
 * Percentile (`share` 0 to 1) of the values with data at each pixel of planes `[plane][pixels]`. The position among
 * the sorted values has steps of 1/1024; the result is rounded half up.
 */
export function percentileReference(planes: readonly Int16Array[], share: number): Int16Array {
  return Int16Array.from(planes[0] ?? [], (_, i) => {
    const sorted = Int16Array.from(planes.map((plane) => plane[i]!).filter((value) => value !== NODATA)).sort();
    if (sorted.length === 0) return NODATA;
    const at = Math.round(1024 * share * (sorted.length - 1));
    const [low, part] = [sorted[at >> 10]!, at & 1023];
    return low + Math.floor(((sorted[(at >> 10) + 1] ?? low) - low) * (part / 1024) + 0.5);
  });
}

/**
 * Most frequent byte at each pixel, without `nodata`. If several bytes are equally frequent, takes the one that occurs
 * in the earliest plane.
 */
export function modeReference(planes: readonly Uint8Array[], nodata: number | null): Uint8Array {
  return Uint8Array.from(planes[0] ?? [], (_, i) => {
    const values = planes.map((plane) => plane[i]!).filter((value) => value !== nodata);
    const times = (value: number): number => values.filter((each) => each === value).length;
    return values.reduce((best, value) => (times(value) > times(best) ? value : best), values[0] ?? nodata ?? 0);
  });
}
