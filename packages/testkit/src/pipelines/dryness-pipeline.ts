import {
  type ComputedPlace,
  createStepClock,
  type Deliverable,
  eoAccountField,
  layerNamesOf,
  type LayerNeed,
  loadPlace,
  openFiles,
  type OpenedLayer,
  outputGrid,
  type Pipeline,
  type PipelineContext,
  type PipelinePorts,
  placeFields,
  resolvePlace,
  type RunFiles,
  versionsOfNeeds,
  type WorkContext,
} from '@headwater/core';
import type { ScratchRaster } from '@headwater/core/pixel-plan';
import { z } from 'zod';
import { NO_DRYNESS } from './dryness-blocks.ts';
import { publishedRaster } from './raster-layer.ts';
import { WETNESS, wetnessLayer } from './wetness-pipeline.ts';

const request = z.object({ ...placeFields, ...eoAccountField });
const params = z.object({ tehsilId: z.int(), eoAccountId: z.int() });
type Params = Readonly<z.infer<typeof params>>;

const PLACE = { state: 'Sample State', district: 'Sample District', tehsil: 'Sample Tehsil', eoAccountId: 1 };
const PIXEL = 0.01;
/** Its two rasters: what each is called, and how its values are kept. */
const RASTERS = [
  { name: 'permille', title: 'Dryness', dataType: 'int16', nodata: NO_DRYNESS, unit: 'per mille' },
  { name: 'square', title: 'Squared wetness', dataType: 'float32', nodata: Number.NaN, unit: '1' },
] as const;

/** Two rasters, int16 and float32, of somebody else's raster of another pipeline: read, computed in a worker thread, published together. */
export const drynessPipeline: Pipeline<Readonly<z.infer<typeof request>>, Params> = {
  name: 'dryness',
  route: 'generate_dryness_layer',
  aliases: [],
  summary: 'Publishes the dryness that follows from a published wetness.',
  examples: [{ name: 'start', request: PLACE }],
  messages: { initiated: 'Dryness task initiated', finished: 'Dryness is published' },
  request,
  params,
  resolve: async (asked, ports) => {
    const { tehsil } = await resolvePlace(asked, ports);
    return { tehsilId: tehsil.id, eoAccountId: asked.eoAccountId };
  },
  dependsOn: ['wetness'],
  needs: async (asked, ports) => [needOf(asked, await loadPlace(asked.tehsilId, ports))],
  inputs: async (asked, ports) => versionsOfNeeds([needOf(asked, await loadPlace(asked.tehsilId, ports))], ports),
  steps: [{ name: 'rasters', weight: 1 }],
  fingerprint: ({ tehsilId }) => String(tehsilId),
  execute,
};

function needOf({ eoAccountId }: Params, job: ComputedPlace): LayerNeed {
  const { state, district, tehsil } = job.place;
  const names = { state: state.name, district: district.name, tehsil: tehsil.name };
  const layer = { workspace: WETNESS, layerName: wetnessLayer(job), tehsilId: tehsil.id };
  return { kind: 'layer', ...layer, pipeline: 'wetness', request: { ...names, eoAccountId } };
}

async function execute(asked: Params, ports: PipelinePorts, context: PipelineContext): Promise<Deliverable> {
  const job = await loadPlace(asked.tehsilId, ports);
  const need = needOf(asked, job);
  const inputs = await versionsOfNeeds([need], ports);
  const wetness = await ports.published.layerFile(need.workspace, need.layerName);
  const clock = createStepClock(ports, context);
  const files = await openFiles(ports, context.run);
  const scratch: ScratchRaster[] = [];
  try {
    const made = await clock.step('rasters', (work) => computed({ job, wetness, files, scratch }, ports, work));
    const [items, layers] = [made.map(({ item }) => item), made.map(({ layer }) => layer)];
    return { items, layers, timings: clock.seconds(), inputs };
  } finally {
    await ports.pixels.release(scratch);
  }
}

interface Work {
  readonly job: ComputedPlace;
  readonly wetness: OpenedLayer;
  readonly files: RunFiles;
  /** Rasters to be released, whatever happens. */
  readonly scratch: ScratchRaster[];
}

async function computed({ job, wetness, files, scratch }: Work, ports: PipelinePorts, work: WorkContext) {
  const { pixels } = ports;
  const grid = outputGrid(job.box, PIXEL);
  const nodata = Number.NaN;
  const read = await pixels.read({ path: wetness.path, grid, type: 'float32', resampling: 'nearest', nodata }, work);
  scratch.push(read);
  const block = { module: '@headwater/testkit/dryness-blocks', export: 'drynessBlock', params: {} };
  const outputs = RASTERS.map(({ name, dataType }) => ({ name, type: dataType }));
  const planes = await pixels.combine({ kind: 'combine', grid, inputs: { wetness: read }, block, outputs }, work);
  scratch.push(...Object.values(planes));
  const made = [];
  for (const { title, ...band } of RASTERS) {
    const raster = planes[band.name];
    if (raster === undefined) throw new Error(`drynessBlock gave no ${band.name}`);
    const path = files.path(`${band.name}.tif`);
    const request = { raster, grid, clip: job.clip, path, nodata: band.nodata, overviews: 'average' } as const;
    const written = { cog: await pixels.writeCog(request, work), file: await files.stat(`${band.name}.tif`) };
    const layerName = layerNamesOf(job.slugs, (place) => `dryness_${place}_${band.name}`).layerName;
    const layer = { workspace: `dryness_${band.name}`, layerName, title, lineage: 'Of a published wetness.', band };
    made.push(publishedRaster({ layer, written, job }, ports));
  }
  return made;
}
