import { outputGrid, type WorkContext, workGrid } from '@headwater/core';
import { INDEX_NODATA, type PixelGrid, type ScratchRaster } from '@headwater/core/pixel-plan';
import type { LulcParams } from '../../request/request.ts';
import { BLOCKS, scenesPlan } from '../../run/plan.ts';
import type { YearScenes } from '../../run/year-scenes.ts';
import { NDVI } from '../../series/series.ts';
import type { Work } from '../shared/derived-pipeline.ts';
import { outputOf, share, zonesOf } from '../shared/read-years.ts';
import { stepName } from './block.ts';
import { type CoverName, COVERS } from './covers.ts';
import { fortnightsOf } from './fortnights.ts';

/** NDVI by cover and micro-watershed: one mean for each fortnight, null where no pixel of the cover was seen. */
export type CoverMeans = Readonly<Record<CoverName, Map<string, (number | null)[]>>>;

/** NDVI x 10000 in planes. */
const SCALE = 10_000;

/** Means of a year's fortnights, appended to `means`. False where scenes are missing because their servers did not answer. */
export async function addYear(work: Work<LulcParams>, { found, means, path, part }: YearOfMeans): Promise<boolean> {
  const { ports } = work;
  const grid = workGrid(found.scenes, work.job.box);
  const [from, to] = part;
  const middle = from + 0.6 * (to - from);
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
  const rest = share(work, [middle, to]);
  const request = { path, grid, type: 'uint8', resampling: 'nearest', nodata: 0 } as const;
  const labels = await ports.pixels.read(request, rest);
  work.keep([labels]);
  for (const step of steps.keys()) {
    await addStep(work, { ndvi: outputOf(outcome.outputs, stepName(step)), labels, grid, means, context: rest });
  }
  // Hundreds of planes of all years at once would fill the disk.
  await ports.pixels.release([labels, ...Object.values(outcome.outputs)]);
  return (outcome.unavailable ?? []).length === 0;
}

/** A year, its land cover, and where its means go. */
export interface YearOfMeans {
  readonly found: YearScenes;
  readonly means: CoverMeans;
  /** COG of the year's classes. */
  readonly path: string;
  /** Its share of the run's main step. */
  readonly part: readonly [number, number];
}

interface Step {
  readonly ndvi: ScratchRaster;
  readonly labels: ScratchRaster;
  readonly grid: PixelGrid;
  readonly means: CoverMeans;
  readonly context: WorkContext;
}

async function addStep(work: Work<LulcParams>, { ndvi, labels, grid, means, context }: Step): Promise<void> {
  const { job, ports, files } = work;
  const made = await ports.pixels.combine(
    {
      kind: 'combine',
      grid,
      inputs: { labels, ndvi },
      block: { module: BLOCKS, export: 'coverNdviBlock', params: {} },
      outputs: COVERS.map(({ name }) => ({ name, type: 'int16' as const })),
    },
    context,
  );
  work.keep(Object.values(made));
  for (const { name } of COVERS) {
    // One name for every fortnight: the file is read at once and not published.
    const path = files.path(`ndvi_${name}.tif`);
    await ports.pixels.writeCog(
      {
        raster: outputOf(made, name),
        grid: outputGrid(job.box),
        clip: job.clip,
        nodata: INDEX_NODATA,
        overviews: 'nearest',
        path,
      },
      context,
    );
    const zones = await ports.pixels.zonalValues({ path, zones: zonesOf(work) }, context);
    for (const { uid } of job.mws) {
      const mean = zones[uid]?.mean ?? null;
      means[name].get(uid)?.push(mean === null ? null : mean / SCALE);
    }
  }
  await ports.pixels.release(Object.values(made));
}
