import type { ZoneCover } from '@headwater/core';
import { areasBy, type PlaneSize } from './cover.ts';

/** A class of slope: from `from` percent up to below `below` percent. */
export interface SlopeBin {
  readonly from: number;
  readonly below: number;
  readonly title: string;
}

/** Slope classes of India's watershed planning: NRSA (1995), IMSD Technical Guidelines, after the All India Soil and Land Use Survey. */
export const SLOPE_BINS: readonly SlopeBin[] = [
  { from: 0, below: 1, title: 'Nearly level' },
  { from: 1, below: 3, title: 'Very gently sloping' },
  { from: 3, below: 5, title: 'Gently sloping' },
  { from: 5, below: 10, title: 'Moderately sloping' },
  { from: 10, below: 15, title: 'Strongly sloping' },
  { from: 15, below: 35, title: 'Moderately steep to steep' },
  { from: 35, below: Infinity, title: 'Very steep' },
];

/** Slope class of each pixel as a plane of codes: 1.. in the order of `bins`, 0 where the slope (percent) is NaN or in no class. */
export function slopeClasses(percent: Float32Array, bins: readonly SlopeBin[] = SLOPE_BINS): Uint8Array {
  const classes = new Uint8Array(percent.length);
  for (let at = 0; at < percent.length; at += 1) {
    const value = percent[at]!;
    classes[at] = bins.findIndex(({ from, below }) => value >= from && value < below) + 1;
  }
  return classes;
}

/** Percent of a zone's area (that with a class) in each slope class, in the order of `bins`; zeros in a zone without any. */
export function slopeShares(
  cover: ZoneCover,
  { classes, size, bins = SLOPE_BINS }: { classes: Uint8Array; size: PlaneSize; bins?: readonly SlopeBin[] },
): readonly number[] {
  const areas = areasBy(cover, size, { count: bins.length, binOf: (at) => classes[at]! - 1 });
  const total = areas.reduce((sum, area) => sum + area, 0);
  return Array.from(areas, (area) => (total > 0 ? (100 * area) / total : 0));
}
