import { agreementOf, CONFIDENCE_OF_OTHER_YEARS, withNeighbours } from '../confidence/agreement.ts';
import { LULC_THRESHOLDS, QUALITY } from '../method/thresholds.ts';
import type { CombineBlock, CombineBlockInput } from '@headwater/core/pixel-plan';

/** Consecutive years of one pixel, ascending. `correctFlips` changes the labels. */
export interface PixelYears {
  readonly labels: Uint8Array;
  /** Cropping frequency 8..11 of each year, 0 = unknown. */
  readonly crops: Uint8Array;
}

const isCrop = (v: number): boolean => v >= 8 && v <= 11;
const isGreen = (v: number): boolean => v === 6 || isCrop(v);
const isWater = (v: number): boolean => v >= 2 && v <= 4;

/**
 * Number 1..11 of the published pattern (before-middle-after) of three years; 0 if none matches. 1 shrub-green-shrub, 2
 * water-tree-water, 3 tree-shrub-tree, 4 crop-shrub-crop, 5 crop-barren-crop, 6 tree-crop-tree, 7 crop-tree-crop, 8
 * built-tree-built, 9 tree-built-tree, 10 built-crop-built, 11 barren-green-barren. The published pattern
 * water-crop-water is left out, because crops grow in the beds of dry tanks (decision 226).
 */
export function flipPattern(before: number, middle: number, after: number): number {
  if (isCrop(before) && isCrop(after)) return middle === 12 ? 4 : middle === 7 ? 5 : middle === 6 ? 7 : 0;
  if (isWater(before) && isWater(after)) return middle === 6 ? 2 : 0;
  if (before !== after) return 0;
  if (before === 12) return isGreen(middle) ? 1 : 0;
  if (before === 6) return middle === 12 ? 3 : isCrop(middle) ? 6 : middle === 1 ? 9 : 0;
  if (before === 1) return middle === 6 ? 8 : isCrop(middle) ? 10 : 0;
  return before === 7 && isGreen(middle) ? 11 : 0;
}

/**
 * Fills background (class 0) from a neighbouring year. A year between two years with a class gets the class of the
 * year before. Exception: the second year gets the class of the third year. Then the first and the last year
 * get the class of their only neighbour.
 */
export function fillBackground(labels: Uint8Array): void {
  const last = labels.length - 1;
  for (let i = 1; i < last; i++) {
    const before = labels[i - 1] ?? 0;
    const after = labels[i + 1] ?? 0;
    if (labels[i] === 0 && before >= 1 && after >= 1) labels[i] = i === 1 ? after : before;
  }
  if (labels[0] === 0) labels[0] = labels[1] ?? 0;
  if (labels[last] === 0) labels[last] = labels[last - 1] ?? 0;
}

/**
 * Corrects unlikely changes of class (flips) of one pixel by the published rules for tehsils. One pass for 1 flip, two
 * passes for 2..(n - 4) flips of n years, no pass for more flips. The first year is always corrected, after the passes.
 * In the third year only pattern 8 is applied, as published.
 */
export function correctFlips(years: PixelYears): void {
  const n = years.labels.length;
  let flips = 0;
  for (let i = 1; i < n - 1; i++) if (patternAt(years.labels, i) !== 0) flips++;
  if (flips === 1) correctPass(years, n - 2);
  else if (flips >= 2 && flips <= n - 4) {
    correctPass(years, n - 3);
    correctPass(years, n - 2);
  }
  correctFirstYear(years);
}

const patternAt = (labels: Uint8Array, i: number): number =>
  flipPattern(labels[i - 1] ?? 0, labels[i] ?? 0, labels[i + 1] ?? 0);

function correctPass(years: PixelYears, lastIndex: number): void {
  for (let i = 1; i <= lastIndex; i++) correctAt(years, i);
}

function correctAt({ labels, crops }: PixelYears, i: number): void {
  const pattern = patternAt(labels, i);
  if (pattern === 0 || (i === 2 && pattern !== 8)) return;
  if (pattern === 8) {
    if (labels[i - 2] === 1 && labels[i + 2] === 1) labels[i] = 1;
  } else if (pattern === 10) {
    const own = crops[i] ?? 0;
    for (let k = i - 1; k <= i + 1; k++) labels[k] = frequency(crops, k, own);
  } else if (pattern === 4 || pattern === 5 || pattern === 7) labels[i] = frequency(crops, i, labels[i - 1] ?? 0);
  else labels[i] = SETTLED[pattern] ?? labels[i] ?? 0;
}

/** New class of the middle year, by pattern, as published (pattern 2 gives barren). */
const SETTLED: Readonly<Record<number, number>> = { 1: 12, 2: 7, 3: 6, 6: 6, 9: 6, 11: 7 };

const frequency = (crops: Uint8Array, year: number, otherwise: number): number => {
  const own = crops[year] ?? 0;
  return isCrop(own) ? own : otherwise;
};

/** Corrects a first year of built-up: it gets the class of two following years of crop or trees. */
function correctFirstYear({ labels, crops }: PixelYears): void {
  const second = labels[1] ?? 0;
  const third = labels[2] ?? 0;
  if (labels[0] !== 1) return;
  if (isCrop(second) && isCrop(third)) labels[0] = frequency(crops, 0, second);
  else if (second === 6 && third === 6) labels[0] = 6;
}

/**
 * Temporal correction of a block over >= 3 consecutive years. Params: `years: [2019, 2020, ...]`. Inputs per year:
 * `labels_Y`, `crops_Y`, `quality_Y`; outputs per year: `labels_Y`, `quality_Y`. Inputs and outputs may have
 * `confidence_Y`. Pixels without a quality are outside of the area and are not changed.
 */
export const correctYears: CombineBlock = (input) => {
  const planes = planesOf(input);
  for (const { labels, quality, labelsOut, qualityOut } of planes) {
    labelsOut.set(labels.subarray(0, input.pixels));
    qualityOut.set(quality.subarray(0, input.pixels));
  }
  judgeNeighbours(planes, input.pixels);
  const n = planes.length;
  const labels = new Uint8Array(n);
  const crops = new Uint8Array(n);
  const years: PixelYears = { labels, crops };
  for (let i = 0; i < input.pixels; i++) {
    if (isConstant(planes, i)) continue;
    for (let y = 0; y < n; y++) {
      labels[y] = planes[y]?.labels[i] ?? 0;
      crops[y] = planes[y]?.crops[i] ?? 0;
    }
    fillBackground(labels);
    correctFlips(years);
    for (let y = 0; y < n; y++) store(planes[y], i, labels[y] ?? 0);
  }
};

/** Adjusts the confidence of every year by the original classes of the years before and after. */
function judgeNeighbours(planes: readonly YearPlane[], pixels: number): void {
  for (const [y, { labels, confidence, confidenceOut }] of planes.entries()) {
    if (!confidence || !confidenceOut) continue;
    const [before, after] = [planes[y - 1]?.labels, planes[y + 1]?.labels];
    for (let i = 0; i < pixels; i++) {
      const label = labels[i]!;
      const one = before ? agreementOf(label, before[i]!) : 0;
      const other = after ? agreementOf(label, after[i]!) : 0;
      confidenceOut[i] = withNeighbours(confidence[i]!, one, other);
    }
  }
}

/** True if the label of a pixel never changes. No rule applies to such a pixel. */
function isConstant(planes: readonly YearPlane[], i: number): boolean {
  const first = planes[0]?.labels[i];
  for (let y = 1; y < planes.length; y++) if (planes[y]?.labels[i] !== first) return false;
  return true;
}

interface YearPlane {
  readonly labels: Uint8Array;
  readonly crops: Uint8Array;
  readonly quality: Uint8Array;
  readonly labelsOut: Uint8Array;
  readonly qualityOut: Uint8Array;
  readonly confidence: Uint8Array | undefined;
  readonly confidenceOut: Uint8Array | undefined;
}

/**
 * Writes the label of a year and its quality. A label that was filled and then corrected stays `filled`, so that filled
 * pixels are counted completely.
 */
function store(plane: YearPlane | undefined, i: number, label: number): void {
  if (plane === undefined || plane.quality[i] === QUALITY.outside) return;
  const before = plane.labels[i] ?? 0;
  if (before === label) return;
  plane.labelsOut[i] = label;
  plane.qualityOut[i] = before === 0 ? QUALITY.filled : QUALITY.corrected;
  if (plane.confidenceOut) plane.confidenceOut[i] = CONFIDENCE_OF_OTHER_YEARS;
}

function planesOf(input: CombineBlockInput): readonly YearPlane[] {
  const { years } = input.params;
  if (!Array.isArray(years) || years.length < MIN_YEARS) {
    throw new TypeError(`correctYears: params.years must list at least ${MIN_YEARS} years`);
  }
  return years.map((year) => {
    const labels = input.inputs[`labels_${year}`];
    const crops = input.inputs[`crops_${year}`];
    const quality = input.inputs[`quality_${year}`];
    const labelsOut = input.outputs[`labels_${year}`];
    const qualityOut = input.outputs[`quality_${year}`];
    if (!labels || !crops || !quality || !labelsOut || !qualityOut) {
      throw new TypeError(`correctYears: planes labels_, crops_ and quality_ of ${year} are needed`);
    }
    const [confidence, confidenceOut] = [input.inputs[`confidence_${year}`], input.outputs[`confidence_${year}`]];
    return { labels, crops, quality, labelsOut, qualityOut, confidence, confidenceOut };
  });
}

const MIN_YEARS = LULC_THRESHOLDS.temporalMinYears;
