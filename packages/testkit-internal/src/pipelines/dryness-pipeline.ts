import {
  type ComputedPlace,
  type Deliverable,
  layerNamesOf,
  type LayerNeed,
  loadPlace,
  type OpenedLayer,
  outputGrid,
  type Pipeline,
  type PipelineContext,
  type PipelinePorts,
  requestOfPlace,
  versionsOfNeeds,
  type WorkContext,
} from '@headwater/core';
import type { ScratchRaster } from '@headwater/core/pixel-plan';
import { createStepClock, openFiles, type RunFiles } from '@headwater/layer-kit';
import { NO_DRYNESS } from './dryness-blocks.ts';
import { PLACE_PIPELINE, type PlaceParams, type PlaceRequest, SAMPLE_REQUEST } from './place-request.ts';
import { PIXEL, publishedRaster } from './raster-layer.ts';
import { WETNESS, wetnessLayer } from './wetness-pipeline.ts';

const RASTERS = [
  { name: 'permille', title: 'Dryness', dataType: 'int16', nodata: NO_DRYNESS, unit: 'per mille' },
  { name: 'square', title: 'Squared wetness', dataType: 'float32', nodata: Number.NaN, unit: '1' },
] as const;

/** An embedder's pipeline with two rasters (int16, float32), computed from the raster of another pipeline. */
export const drynessPipeline: Pipeline<PlaceRequest, PlaceParams> = {
  ...PLACE_PIPELINE,
  name: 'dryness',
  route: 'generate_dryness_layer',
  summary: 'Publishes the dryness computed from a published wetness.',
  examples: [{ name: 'start', request: SAMPLE_REQUEST }],
  messages: { initiated: 'Dryness task initiated', finished: 'Dryness is published' },
  dependsOn: ['wetness'],
  needs: async (params, ports) => [needOf(params, await loadPlace(params.tehsilId, ports))],
  inputs: async (params, ports) => versionsOfNeeds([needOf(params, await loadPlace(params.tehsilId, ports))], ports),
  steps: [{ name: 'rasters', weight: 1 }],
  execute,
};

function needOf({ eoAccountId }: PlaceParams, job: ComputedPlace): LayerNeed {
  const layer = { workspace: WETNESS, layerName: wetnessLayer(job), tehsilId: job.place.tehsil.id };
  return { kind: 'layer', ...layer, pipeline: 'wetness', request: requestOfPlace(job, eoAccountId) };
}

async function execute(params: PlaceParams, ports: PipelinePorts, context: PipelineContext): Promise<Deliverable> {
  const job = await loadPlace(params.tehsilId, ports);
  const need = needOf(params, job);
  const inputs = await versionsOfNeeds([need], ports);
  const wetness = await ports.published.layerFile(need.workspace, need.layerName);
  const clock = createStepClock(ports, context);
  const files = await openFiles(ports, context.run);
  const scratch: ScratchRaster[] = [];
  try {
    const rasters = await clock.step('rasters', (work) => computed({ job, wetness, files, scratch }, ports, work));
    const [items, layers] = [rasters.map(({ item }) => item), rasters.map(({ layer }) => layer)];
    return { items, layers, timings: clock.seconds(), inputs };
  } finally {
    await ports.pixels.release(scratch);
  }
}

interface Work {
  readonly job: ComputedPlace;
  readonly wetness: OpenedLayer;
  readonly files: RunFiles;
  /** Rasters that are released at the end, also after an error. */
  readonly scratch: ScratchRaster[];
}

async function computed({ job, wetness, files, scratch }: Work, ports: PipelinePorts, work: WorkContext) {
  const { pixels } = ports;
  const grid = outputGrid(job.box, PIXEL);
  const nodata = Number.NaN;
  const read = await pixels.read({ path: wetness.path, grid, type: 'float32', resampling: 'nearest', nodata }, work);
  scratch.push(read);
  const block = { module: '@headwater/testkit-internal/dryness-blocks', export: 'drynessBlock', params: {} };
  const outputs = RASTERS.map(({ name, dataType }) => ({ name, type: dataType }));
  const planes = await pixels.combine({ kind: 'combine', grid, inputs: { wetness: read }, block, outputs }, work);
  scratch.push(...Object.values(planes));
  const rasters = [];
  for (const { title, ...band } of RASTERS) {
    const raster = planes[band.name];
    if (raster === undefined) throw new Error(`drynessBlock returned no plane ${band.name}`);
    const path = files.path(`${band.name}.tif`);
    const request = { raster, grid, clip: job.clip, path, nodata: band.nodata, overviews: 'average' } as const;
    const written = { cog: await pixels.writeCog(request, work), file: await files.stat(`${band.name}.tif`) };
    const layerName = layerNamesOf(job.slugs, (place) => `dryness_${place}_${band.name}`).layerName;
    const layer = {
      workspace: `dryness_${band.name}`,
      layerName,
      title,
      lineage: 'Computed from a published wetness.',
      band,
    };
    rasters.push(publishedRaster({ layer, written, job }, ports));
  }
  return rasters;
}
