import { createYearReader } from './classify.ts';
import { LULC_THRESHOLDS as T, QUALITY } from '../method/thresholds.ts';
import type { CompositeBlock } from '@headwater/core/pixel-plan';
import { cropCode, landCode } from '../rules/rules.ts';
import { voteWater } from '../water/water.ts';

export { correctYears } from '../temporal/temporal.ts';

/**
 * Classifies one block of one hydrological year. Series: `ndvi` (margins + core), `mndwi`, `ndbi`, `bsi` (core).
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
  voteWater({ pixels, mndwi, ndvi, ndviFrom: from }, labels);
  const read = createYearReader({ pixels, ndvi, ndbi, bsi, from });
  for (let i = 0; i < pixels; i++) {
    const year = (clear[i] ?? 0) < T.minClearDates ? undefined : read(i);
    if (year === undefined) {
      labels[i] = 0;
      quality[i] = QUALITY.insufficient;
      continue;
    }
    quality[i] = QUALITY.computed;
    crops[i] = cropCode(year);
    if (labels[i] === 0) labels[i] = landCode(year);
  }
};

function coreFrom(params: Readonly<Record<string, unknown>>): number {
  const { core } = params;
  const from: unknown = Array.isArray(core) ? core[0] : undefined;
  return typeof from === 'number' ? from : T.marginSteps;
}
