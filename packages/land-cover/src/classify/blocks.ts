import { createYearReader } from './classify.ts';
import { LULC_THRESHOLDS as T, QUALITY } from '../method/thresholds.ts';
import type { CompositeBlock } from '@headwater/core/pixel-plan';
import { cropCode, landCode } from '../rules/rules.ts';
import { seeThroughSnow } from '../water/snow.ts';
import { voteWater } from '../water/water.ts';

export { correctYears } from '../temporal/temporal.ts';
export { changeBlock } from '../derived/change-detection/block.ts';
export { waterBlock } from '../derived/water-bodies/block.ts';
export { ndviBlock } from '../derived/ndvi-series/block.ts';
export { everCroppedBlock } from '../derived/cropping-intensity/block.ts';

/**
 * Classifies one block of one hydrological year. Series: `ndvi` (margins + core), `mndwi` (marked where bright), `ndbi`, `bsi` (core).
 * Params: `core: [first, one past last]`. Outputs: `labels` (0..12), `crops` (8..11: what the pixel would be as cropland, 0 = unknown),
 * `quality` (1 computed, 2 too few clear observations).
 */
export const classifyBlock: CompositeBlock = (input) => {
  const { pixels, series, outputs, clear } = input;
  const { ndvi, mndwi, ndbi, bsi } = series;
  const { labels, crops, quality } = outputs;
  if (!ndvi || !mndwi || !ndbi || !bsi || !labels || !crops || !quality) {
    throw new TypeError('classifyBlock: needs series ndvi, mndwi, ndbi, bsi and outputs labels, crops, quality');
  }
  const from = coreFrom(input.params);
  const white = voteWater({ pixels, mndwi, ndvi, ndviFrom: from }, labels);
  const planes = { pixels, mndwi, ndvi, ndbi, bsi, from };
  for (let i = 0; i < pixels; i++) if (white[i] === 1 && labels[i] === 0) white[i] = seeThroughSnow(planes, i) ? 1 : 0;
  const read = createYearReader(planes);
  for (let i = 0; i < pixels; i++) {
    const year = (clear[i] ?? 0) < T.minClearDates ? undefined : read(i);
    if (year === undefined) {
      labels[i] = 0;
      quality[i] = QUALITY.insufficient;
      continue;
    }
    quality[i] = QUALITY.computed;
    crops[i] = cropCode(year);
    year.white = white[i] === 1;
    if (labels[i] === 0) labels[i] = landCode(year);
  }
};

function coreFrom(params: Readonly<Record<string, unknown>>): number {
  const { core } = params;
  const from: unknown = Array.isArray(core) ? core[0] : undefined;
  return typeof from === 'number' ? from : T.marginSteps;
}
