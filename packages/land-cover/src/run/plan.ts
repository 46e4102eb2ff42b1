import type { Scene } from '@headwater/core';
import { multiCoordinates } from '@headwater/core/geo';
import type { CombinePlan, PixelGrid, PixelPlan, PlanScene, ScratchRaster } from '@headwater/core/pixel-plan';
import { NEIGHBOUR_ROWS } from '../confidence/pixel-agreement.ts';
import { LULC_BANDS, lulcSeries } from '../series/series.ts';
import { LULC_METHOD_VERSION, LULC_THRESHOLDS as T } from '../method/thresholds.ts';
import type { LulcJob } from './scenes.ts';
import { byPrecedence } from './precedence.ts';
import type { YearScenes } from './year-scenes.ts';

/** Module of the block functions, which worker threads import. */
export const BLOCKS = '@headwater/land-cover/blocks';

/** SCL values that mean no observation: no data (0), and saturated or defective (1). */
const SCL_MISSING = [0, 1];

/** The scratch rasters of a year. */
export interface YearRasters {
  readonly labels: ScratchRaster;
  readonly crops: ScratchRaster;
  readonly quality: ScratchRaster;
  readonly confidence: ScratchRaster;
}

/** Plan of the composites and classes of one year. */
export function yearPlan(job: LulcJob, grid: PixelGrid, { year, scenes }: YearScenes): PixelPlan {
  const { steps, core, indices } = lulcSeries(year);
  return {
    ...scenesPlan(job, grid, scenes),
    steps,
    core,
    indices,
    block: {
      module: BLOCKS,
      export: 'classifyBlock',
      params: { core, method: LULC_METHOD_VERSION },
    },
    outputs: [{ name: 'labels' }, { name: 'crops' }, { name: 'quality' }, { name: 'confidence' }],
  };
}

/** Members of all plans with the same scenes: grid, area, scenes, cloud mask, allowed share of missing scenes. */
export const scenesPlan = (
  { clip }: Pick<LulcJob, 'clip'>,
  grid: PixelGrid,
  scenes: readonly Scene[],
): Pick<PixelPlan, 'kind' | 'grid' | 'area' | 'scenes' | 'mask' | 'mayMiss'> => ({
  kind: 'composite',
  grid,
  area: multiCoordinates(clip),
  scenes: scenes.toSorted(byPrecedence(grid.crs)).map(planScene),
  mask: { band: 'scl', keep: T.sclKeep, missing: SCL_MISSING, grow: T.sclGrow, dilate: T.sclDilate },
  mayMiss: T.maxMissingShare,
});

function planScene({ id, datetime, bands }: Scene): PlanScene {
  const wanted = LULC_BANDS.flatMap((name) => {
    const band = bands[name];
    return band === undefined ? [] : [[name, band] as const];
  });
  return { id, datetime, bands: Object.fromEntries(wanted) };
}

/** Plan that adjusts the confidence of a year by neighbouring classes. */
export const pixelAgreementPlan = (grid: PixelGrid, { labels, confidence }: YearRasters): CombinePlan => ({
  kind: 'combine',
  grid,
  inputs: { labels, confidence },
  block: { module: BLOCKS, export: 'pixelAgreementBlock', params: { method: LULC_METHOD_VERSION } },
  outputs: [{ name: 'confidence' }],
  halo: NEIGHBOUR_ROWS,
});

/** Plan of the temporal correction over all years. */
export function correctionPlan(grid: PixelGrid, rasters: ReadonlyMap<number, YearRasters>): CombinePlan {
  const years = [...rasters.keys()];
  const inputs = [...rasters].flatMap(([year, r]) => [
    [`labels_${year}`, r.labels] as const,
    [`crops_${year}`, r.crops] as const,
    [`quality_${year}`, r.quality] as const,
    [`confidence_${year}`, r.confidence] as const,
  ]);
  return {
    kind: 'combine',
    grid,
    inputs: Object.fromEntries(inputs),
    block: { module: BLOCKS, export: 'correctYears', params: { years, method: LULC_METHOD_VERSION } },
    outputs: years.flatMap((year) => [
      { name: `labels_${year}` },
      { name: `quality_${year}` },
      { name: `confidence_${year}` },
    ]),
  };
}
