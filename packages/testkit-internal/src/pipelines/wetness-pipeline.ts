import {
  type ComputedPlace,
  type Deliverable,
  layerNamesOf,
  type LayerNeed,
  loadPlace,
  type Mws,
  outputGrid,
  type Pipeline,
  type PipelineContext,
  type PipelinePorts,
  requestOfPlace,
  sphericalAreaHa,
  versionsOfNeeds,
  type WorkContext,
} from '@headwater/core';
import { createStepClock, openFiles, type RunFiles } from '@headwater/layer-kit';
import { outlineName, OUTLINES } from './outline-pipeline.ts';
import { PLACE_PIPELINE, type PlaceParams, type PlaceRequest, SAMPLE_REQUEST } from './place-request.ts';
import { PIXEL, publishedRaster, type WrittenLayer } from './raster-layer.ts';

/** Workspace of the layer. */
export const WETNESS = 'wetness';
/** Name of the published sheet. */
export const WETNESS_TABLE = 'wetness_annual';
const WETNESS_SERIES = 'wetness_fortnight';
const LAYER = {
  workspace: WETNESS,
  title: 'Wetness',
  band: { name: 'wetness', description: 'Wetness, -1 to 1', dataType: 'float32', nodata: Number.NaN },
} as const;
const DATES = ['2021-07-01', '2021-07-15', '2021-07-29'];

/** Layer name of a place. */
export const wetnessLayer = ({ slugs }: Pick<ComputedPlace, 'slugs'>): string =>
  layerNamesOf(slugs, (place) => `wetness_${place}`).layerName;

/** An embedder's pipeline that needs another layer. Publishes a raster, a table and a series of invented numbers. */
export const wetnessPipeline: Pipeline<PlaceRequest, PlaceParams> = {
  ...PLACE_PIPELINE,
  name: 'wetness',
  route: 'generate_wetness_layer',
  summary: 'Publishes an invented wetness within the boundary of a tehsil.',
  examples: [
    { name: 'start', request: SAMPLE_REQUEST },
    { name: 'wait', request: SAMPLE_REQUEST },
  ],
  messages: { initiated: 'Wetness task initiated', finished: 'Wetness is published' },
  dependsOn: ['tehsil_outline'],
  needs: async (params, ports) => [needOf(params, await loadPlace(params.tehsilId, ports))],
  inputs: async (params, ports) => versionsOfNeeds([needOf(params, await loadPlace(params.tehsilId, ports))], ports),
  steps: [
    { name: 'raster', weight: 2 },
    { name: 'numbers', weight: 1 },
  ],
  execute,
};

function needOf({ eoAccountId }: PlaceParams, job: ComputedPlace): LayerNeed {
  const request = { ...requestOfPlace(job, eoAccountId), lineWidth: 1 };
  const layer = {
    workspace: OUTLINES,
    layerName: outlineName(job.place),
    tehsilId: job.place.tehsil.id,
  };
  return { kind: 'layer', ...layer, place: job, pipeline: 'tehsil_outline', request };
}

async function execute(params: PlaceParams, ports: PipelinePorts, context: PipelineContext): Promise<Deliverable> {
  const clock = createStepClock(ports, context);
  const job = await loadPlace(params.tehsilId, ports);
  const need = needOf(params, job);
  // The versions are read before the layer is opened. If a newer version is published in between, this run records the
  // old version. So a repeated request computes again.
  const inputs = await versionsOfNeeds([need], ports);
  const outline = await ports.published.layerFile(need.workspace, need.layerName);
  const files = await openFiles(ports, context.run);
  const written = await clock.step('raster', (work) => writeRaster(job, ports, { files, work }));
  const layer = { ...LAYER, layerName: wetnessLayer(job), lineage: `Invented within ${outline.layer.layerName}.` };
  const published = publishedRaster({ layer, written, job }, ports);
  const numbers = await clock.step('numbers', async () => numbersOf(params, job.mws));
  context.log(`computed from ${outline.layer.layerName}, published by run ${outline.runId}`);
  return {
    items: [published.item],
    layers: [published.layer],
    tables: numbers.tables.map((table) => ({ ...table, itemId: published.item.id })),
    series: numbers.series,
    timings: clock.seconds(),
    inputs,
  };
}

async function writeRaster(
  { box, clip }: ComputedPlace,
  { pixels }: PipelinePorts,
  { files, work }: { readonly files: RunFiles; readonly work: WorkContext },
): Promise<WrittenLayer> {
  const grid = outputGrid(box, PIXEL);
  const values = Float32Array.from({ length: grid.cols * grid.rows }, (_, i) => (i === 0 ? Number.NaN : Math.sin(i)));
  const raster = await pixels.fromValues({ grid, values });
  try {
    const [path, nodata] = [files.path('wetness.tif'), Number.NaN];
    const cog = await pixels.writeCog({ raster, grid, clip, path, nodata, overviews: 'average' }, work);
    return { cog, file: await files.stat('wetness.tif') };
  } finally {
    await pixels.release([raster]);
  }
}

function numbersOf({ tehsilId }: PlaceParams, mws: readonly Mws[]): Required<Pick<Deliverable, 'tables' | 'series'>> {
  const wetness = (index: number, n: number): number => Math.cos(index + n) / 3;
  const rows = mws.map(({ uid, geometry }, index) => ({
    uid,
    area_in_ha: sphericalAreaHa(geometry),
    wetness: wetness(index, 0),
    remark: index === 0 ? '=HYPERLINK("http://x.example")' : null,
    months: [7, 8],
  }));
  return {
    tables: [
      {
        name: WETNESS_TABLE,
        tehsilId,
        key: 'uid',
        columns: [
          { name: 'uid', type: 'text', description: 'Micro-watershed' },
          { name: 'area_in_ha', type: 'number', unit: 'ha', description: 'Area' },
          { name: 'wetness', type: 'number', description: 'Wetness, -1 to 1' },
          { name: 'remark', type: 'text', description: 'Remark' },
          { name: 'months', type: 'list', description: 'Wet months' },
        ],
        rows,
      },
    ],
    series: [
      {
        name: WETNESS_SERIES,
        tehsilId,
        description: 'Wetness, -1 to 1',
        dates: DATES,
        values: Object.fromEntries(
          mws.map(({ uid }, index) => [uid, DATES.map((_, n) => (n === 1 ? null : wetness(index, n)))]),
        ),
      },
    ],
  };
}
