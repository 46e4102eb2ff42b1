import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { type LayerWork, outputOf, share, zonesOf } from '@headwater/layer-kit';
import type { LulcParams } from '../../request/request.ts';
import { BLOCKS, scenesPlan } from '../../run/plan.ts';
import { workGrid } from '../../run/work-grid.ts';
import type { YearScenes } from '../../run/year-scenes.ts';
import { NDVI } from '../../series/series.ts';
import { CROP_CODES } from '../cropping-intensity/intensity.ts';
import { stepName, fortnightsOf } from './block.ts';

/** Kinds of land with separate series. The names of layers and series end with the names of these kinds. */
export const COVERS = [
  { name: 'crop', title: 'crops', codes: CROP_CODES },
  { name: 'shrub', title: 'shrub', codes: [12] },
  { name: 'tree', title: 'trees', codes: [6] },
] as const;

/** `crop`, `shrub` or `tree`. */
export type CoverName = (typeof COVERS)[number]['name'];

/** NDVI by cover and micro-watershed: one mean per fortnight, null if no pixel of the cover was observed. */
export type CoverMeans = Readonly<Record<CoverName, Map<string, (number | null)[]>>>;

/** Factor by which planes multiply NDVI. */
const SCALE = 10_000;

/** Appends the means of a year's fortnights to `means`. Returns false if scenes are missing because their servers did not respond. */
export async function addYear(
  work: LayerWork<LulcParams>,
  { found, means, path, part }: YearOfMeans,
): Promise<boolean> {
  const { ports } = work;
  const grid = workGrid(found.scenes, work.job.box);
  const [from, to] = part;
  const middle = from + 0.9 * (to - from);
  const steps = fortnightsOf(found.year);
  const outcome = await ports.pixels.execute(
    {
      ...scenesPlan(work.job, grid, found.scenes),
      steps,
      core: [0, steps.length],
      indices: [{ name: 'ndvi', formula: NDVI, from: 0, to: steps.length }],
      block: { module: BLOCKS, export: 'ndviBlock', params: {} },
      outputs: steps.map((_, step) => ({ name: stepName(step), type: 'int16' as const })),
    },
    share(work, [from, middle]),
  );
  work.keep(Object.values(outcome.outputs));
  const rasters = steps.map((_, step) => outputOf(outcome.outputs, stepName(step)));
  const groups = Object.fromEntries(COVERS.map(({ name, codes }) => [name, codes]));
  const request = { path, zones: zonesOf(work), rasters, groups, nodata: INDEX_NODATA };
  const zones = await ports.pixels.zonalMeans(request, share(work, [middle, to]));
  for (const { name } of COVERS) {
    for (const { uid } of work.job.mws) {
      const scaled = zones[uid]?.[name] ?? steps.map(() => null);
      means[name].get(uid)?.push(...scaled.map((mean) => (mean === null ? null : mean / SCALE)));
    }
  }
  // Planes are released after each year. Otherwise the planes of all years would fill the disk.
  await ports.pixels.release(rasters);
  return (outcome.unavailable ?? []).length === 0;
}

/** Scenes and land cover of a year, and the object that receives its means. */
export interface YearOfMeans {
  readonly found: YearScenes;
  readonly means: CoverMeans;
  /** COG of the year's classes. */
  readonly path: string;
  /** Share of this year in the progress of the run's main step. */
  readonly part: readonly [number, number];
}
