import { type ComputedPlace, fileName, type WorkContext, type WrittenRaster } from '@headwater/core';
import {
  type LayerAbout,
  layerItemId,
  type LayerPlacement,
  type RunOutput,
  joinOutputs,
  outputOf,
  publishRaster,
  type RasterParts,
} from '@headwater/layer-kit';
import { pixelMetres } from './dem-grid.ts';
import { aboutOf, type DemRun, demRunPipeline, type DemRunSpec } from './dem-run.ts';
import type { TerrainPipeline } from './place-pipeline.ts';
import { runBlock } from './run-block.ts';

/** A written raster, the source of derived layers. */
export interface MadeRaster extends DemRun {
  readonly cog: WrittenRaster;
  /** Context of the step `publish`. */
  readonly step: WorkContext;
}

/** A raster that a block function computes from heights. */
export interface DemLayer extends Omit<DemRunSpec, 'resolve' | 'steps' | 'make'>, LayerPlacement, RasterParts {
  /** Further properties of the Item. */
  readonly extra?: LayerAbout['extra'];
  /** Publishes layers that are derived from the raster. */
  readonly also?: (made: MadeRaster) => Promise<RunOutput>;
  /** Name of the block function, which computes plane `values` from plane `heights`. */
  readonly block: string;
  readonly params?: (job: ComputedPlace) => Readonly<Record<string, unknown>>;
}

/** Creates the pipeline of a raster that a block function computes from heights. */
export const demPipeline = (layer: DemLayer): TerrainPipeline =>
  demRunPipeline({
    ...layer,
    styles: [{ workspace: layer.workspace, name: layer.about.layer, sld: layer.style(layer.about.layer).sld }],
    steps: [
      { name: 'compute', weight: 4 },
      { name: 'write_raster', weight: 3 },
      { name: 'publish', weight: 1 },
    ],
    make: (run) => make(layer, run),
  });

async function make(
  { also, block: name, params = () => ({}), extra, ...layer }: DemLayer,
  run: DemRun,
): Promise<RunOutput> {
  const { job, dem, files, ports, clock, keep } = run;
  const values = await clock.step('compute', async (step) => {
    const outputs = [{ name: 'values', ...(layer.type === undefined ? {} : { type: layer.type }) }];
    const block = await runBlock({ name, params: params(job), outputs }, run, step);
    return outputOf(block.outputs, 'values');
  });
  keep([values]);
  const target = `${fileName(layerItemId(layer.about.layer, job.slugs))}.tif`;
  const cog = await clock.step('write_raster', (step) =>
    ports.pixels.writeCog(
      { ...layer.cog, raster: values, grid: dem.published, clip: job.clip, path: files.path(target) },
      step,
    ),
  );
  return clock.step('publish', async (step) => {
    const file = await files.stat(target);
    const gsd = Math.round(pixelMetres(cog.grid) * 10) / 10;
    const draft = {
      ...layer,
      about: aboutOf(layer.about, { ...run, extra }),
      cog,
      file,
      gsd,
      content: layer.content(cog),
    };
    const raster = await publishRaster(draft, run);
    return joinOutputs([raster, ...(also === undefined ? [] : [await also({ ...run, cog, step })])]);
  });
}
