import { type ComputedPlace, fileName, type ScratchRaster, type WrittenRaster } from '@headwater/core';
import type { WriteCogRequest } from '@headwater/core/ports';
import { type MadeLayer, publishRasterLayer, type RasterLayerDraft } from '@headwater/layer-kit';
import type { OutputSpec } from '@headwater/core/pixel-plan';
import type { RasterContent } from '@headwater/stac';
import { pixelMetres } from './dem-grid.ts';
import { type DemRun, demRunPipeline, type DemRunSpec, type Published } from './dem-run.ts';
import { terrainItemId, terrainMembers, type TerrainItem } from './item-members.ts';
import type { TerrainPipeline } from './request.ts';
import { runBlock } from './run-block.ts';

/** The raster that a run wrote, for what is published beside it. */
export interface MadeRaster extends DemRun {
  readonly cog: WrittenRaster;
}

/** A raster that one block function makes of heights alone. */
export interface DemLayer
  extends
    Pick<DemRunSpec, 'name' | 'summary' | 'initiated' | 'surroundings' | 'data'>,
    Pick<RasterLayerDraft, 'workspace' | 'dataset' | 'layerName' | 'style' | 'colors' | 'shown'> {
  /** What else is published of the raster; left out: nothing. */
  readonly beside?: (made: MadeRaster) => Promise<Published>;
  /** What the Item tells; `layer` is the last part of its id. */
  readonly item: Pick<TerrainItem, 'layer' | 'title' | 'description' | 'lineage' | 'method' | 'keywords'>;
  /** Function of the block module: reads plane `heights`, writes plane `values`. */
  readonly block: string;
  readonly params: (job: ComputedPlace) => Readonly<Record<string, unknown>>;
  readonly type: OutputSpec['type'];
  readonly cog: Pick<WriteCogRequest, 'palette' | 'names' | 'nodata' | 'overviews' | 'description'>;
  readonly content: (cog: WrittenRaster) => RasterContent;
}

/** The pipeline of such a raster. */
export function demPipeline(layer: DemLayer): TerrainPipeline {
  return demRunPipeline({
    ...layer,
    steps: [
      { name: 'compute', weight: 4 },
      { name: 'write_raster', weight: 3 },
      { name: 'publish', weight: 1 },
    ],
    make: (run) => make(layer, run),
  });
}

async function make(layer: DemLayer, run: DemRun): Promise<Published> {
  const { job, dem, files, ports, clock, work, keep } = run;
  const values = await clock.step('compute', () => compute(layer, run));
  keep(values);
  const name = `${fileName(terrainItemId(layer.item.layer, job.slugs))}.tif`;
  const cog = await clock.step('write_raster', () =>
    ports.pixels.writeCog(
      { ...layer.cog, raster: values, grid: dem.published, clip: job.clip, path: files.path(name) },
      work('write_raster'),
    ),
  );
  return clock.step('publish', async () => {
    const file = await files.stat(name);
    const members = terrainMembers({ ...layer.item, source: dem.elevation }, run);
    const gsd = Math.round(pixelMetres(cog.grid) * 10) / 10;
    const raster = await publishRasterLayer({ ...layer, members, cog, file, gsd, content: layer.content(cog) }, run);
    return joined(raster, await layer.beside?.({ ...run, cog }));
  });
}

async function compute(layer: DemLayer, run: DemRun): Promise<ScratchRaster> {
  const outputs = [{ name: 'values', ...(layer.type === undefined ? {} : { type: layer.type }) }];
  const { outputs: made } = await runBlock({ name: layer.block, params: layer.params(run.job), outputs }, run);
  const { values } = made;
  if (values === undefined) throw new Error(`${layer.block} gave no plane of values`);
  return values;
}

const joined = ({ item, layer }: MadeLayer, more: Published | undefined): Published => ({
  items: [item, ...(more?.items ?? [])],
  layers: [layer, ...(more?.layers ?? [])],
  tables: more?.tables ?? [],
});
