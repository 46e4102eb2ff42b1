import type { CompositeBlock, CompositeBlockInput, CombineBlock } from '@headwater/core/pixel-plan';
import { findWinters } from '../cycles/dormancy.ts';
import { confidenceOf, evidenceOf, type Measured } from '../confidence/evidence.ts';
import type { YearSeries } from '../confidence/series-evidence.ts';
import { createYearReader } from './classify.ts';
import { LULC_THRESHOLDS as T, QUALITY } from '../method/thresholds.ts';
import { cropCode, landCode } from '../rules/rules.ts';
import { removeSnow } from '../water/snow.ts';
import { voteWater } from '../water/water.ts';
import { CROP_CODES } from '../derived/cropping-intensity/intensity.ts';

export { correctYears } from '../temporal/temporal.ts';
export { pixelAgreementBlock } from '../confidence/pixel-agreement.ts';
export { changeBlock } from '../derived/change-detection/block.ts';
export { waterBlock } from '../derived/water-bodies/block.ts';
export { ndviBlock } from '../derived/ndvi-series/block.ts';

/**
 * Classifies a block of one hydrological year. Core steps are in the year; margins are the steps before and after it.
 * Series: `ndvi` (all steps), `mndwi`, `ndbi`, `bsi` (core steps). Params: `core: [first, one past last]`, `latitude`
 * (degrees north; default: `latitudeOf` each pixel; if unknown, no winter is assumed). Outputs: `labels` (0..12),
 * `crops` (8..11: the crop class that the pixel would have as cropland, also if `labels` has another class; 0 = too few
 * clear observations), `quality` (1 computed, 2 too few clear observations). Optional outputs: `confidence`
 * (percent, 0 = no class), `evidence` (byte, see `confidence/evidence.ts`).
 */
export const classifyBlock: CompositeBlock = (input) => {
  const { pixels, series, outputs } = input;
  const { ndvi, mndwi, ndbi, bsi } = series;
  const { labels, crops, quality, confidence, evidence } = outputs;
  if (!ndvi || !mndwi || !ndbi || !bsi || !labels || !crops || !quality) {
    throw new TypeError('classifyBlock: needs series ndvi, mndwi, ndbi, bsi, and needs outputs labels, crops, quality');
  }
  const from = coreFrom(input.params);
  const water = { pixels, mndwi, ndvi, ndviFrom: from };
  const white = voteWater(water, labels);
  const planes = { pixels, mndwi, ndvi, ndbi, bsi, from };
  for (let i = 0; i < pixels; i++) if (white[i] === 1 && labels[i] === 0) white[i] = removeSnow(planes, i) ? 1 : 0;
  const latitudeOf = latitudesOf(input);
  const winters = latitudeOf === undefined ? false : findWinters(planes, latitudeOf);
  const last: YearSeries = { smooth: new Float64Array(), coverage: undefined };
  const read = createYearReader({ ...planes, winters }, last);
  // Reused for every pixel, because otherwise there would be millions of objects.
  const measured: Measured = { year: undefined, series: last, water, pixel: 0 };
  const isJudged = confidence !== undefined || evidence !== undefined;
  for (let i = 0; i < pixels; i++) {
    const year = read(i);
    if (year === undefined) {
      // Water classes depend only on wet months, so a water pixel counts as computed even with too few clear steps.
      quality[i] = labels[i] === 0 ? QUALITY.insufficient : QUALITY.computed;
    } else {
      quality[i] = QUALITY.computed;
      crops[i] = cropCode(year);
      year.white = white[i] === 1;
      if (labels[i] === 0) labels[i] = landCode(year);
    }
    if (!isJudged || labels[i] === 0) continue;
    measured.year = year;
    measured.pixel = i;
    const basis = evidenceOf(labels[i]!, measured);
    if (evidence) evidence[i] = basis;
    if (confidence) confidence[i] = confidenceOf(labels[i]!, basis);
  }
};

function latitudesOf({
  latitudeOf,
  params: { latitude },
}: CompositeBlockInput): ((pixel: number) => number) | undefined {
  return typeof latitude === 'number' ? () => latitude : latitudeOf;
}

function coreFrom(params: Readonly<Record<string, unknown>>): number {
  const { core } = params;
  const from: unknown = Array.isArray(core) ? core[0] : undefined;
  return typeof from === 'number' ? from : T.marginSteps;
}

/** Writes 1 to `ever` if any yearly class is a crop, otherwise 0. */
export const everCroppedBlock: CombineBlock = ({ pixels, inputs, outputs }) => {
  const { ever } = outputs;
  if (ever === undefined) throw new TypeError('everCroppedBlock: needs the output ever');
  const isCrop = new Uint8Array(256);
  for (const code of CROP_CODES) isCrop[code] = 1;
  for (const labels of Object.values(inputs)) for (let i = 0; i < pixels; i++) ever[i]! |= isCrop[labels[i]!]!;
};
