import { type Deliverable, loadPlace, mwsZones, type PipelineContext, type PipelinePorts } from '@headwater/core';
import { checkBoundary, createStepClock, inputsOfNeeds, isGridAround, openFiles } from '@headwater/layer-kit';
import { landformsNeed } from '../terrain-raster/landforms-need.ts';
import { publishMws } from '../shared/mws-layer.ts';
import { resolveWithMws, terrainBasics, type TerrainParams, type TerrainPipeline } from '../shared/request.ts';
import { toldElevation } from '../shared/told-elevation.ts';
import { TERRAIN_RASTER, TERRAIN_WORKSPACE } from '../terrain-raster/pipeline.ts';
import { DESCRIPTOR_COLUMNS, DESCRIPTOR_STYLE, descriptorRows } from './descriptor-layer.ts';

const NAME = 'generate_terrain_descriptor';
const ITEM = {
  layer: 'terrain_vector',
  title: 'Terrain per micro-watershed',
  description:
    'Shares of five groups of landforms in each micro-watershed, and the published terrain cluster whose shares are nearest.',
  lineage: 'Areas of landforms, edge pixels weighted by covered fraction',
  method: 'terrain-descriptor-1',
  keywords: ['landforms', 'micro-watersheds'],
} as const;

/** Shares of landforms and the terrain cluster of each micro-watershed, as a vector layer and as sheet `terrain`. */
export const terrainDescriptorPipeline: TerrainPipeline = {
  ...terrainBasics(NAME, ITEM.method),
  summary: 'Computes the shares of landforms and the terrain cluster of each micro-watershed from the terrain raster.',
  messages: { initiated: `${NAME} task initiated`, finished: `${NAME} finished` },
  data: ['terrain'],
  resolve: resolveWithMws,
  dependsOn: [TERRAIN_RASTER],
  needs: async ({ tehsilId, eoAccountId }, ports) => [landformsNeed(await loadPlace(tehsilId, ports), eoAccountId)],
  inputs: async ({ tehsilId, eoAccountId }, ports) => {
    const job = await loadPlace(tehsilId, ports);
    return inputsOfNeeds(job, [landformsNeed(job, eoAccountId)], ports);
  },
  steps: [
    { name: 'zonal', weight: 3 },
    { name: 'publish', weight: 1 },
  ],
  execute,
};

async function execute(params: TerrainParams, ports: PipelinePorts, context: PipelineContext): Promise<Deliverable> {
  const clock = createStepClock(ports, context);
  const job = await loadPlace(params.tehsilId, ports);
  const need = landformsNeed(job, params.eoAccountId);
  // Before the layer is opened: a version that comes meanwhile differs from what is told.
  const inputs = await inputsOfNeeds(job, [need], ports);
  const raster = await ports.published.layerFile(need.workspace, need.layerName);
  await checkBoundary(job, { need, source: raster, isGridOf: isGridAround }, ports.pixels);
  const zones = mwsZones(job);
  const work = { signal: context.signal, progress: (share: number) => context.progress('zonal', share) };
  const areas = await clock.step('zonal', () => ports.pixels.zonal({ path: raster.path, zones }, work));
  context.log(
    `Terrain of ${zones.length} micro-watersheds from ${need.layerName}, which run ${raster.runId} published`,
  );
  const rows = descriptorRows(job, areas);
  const draft = {
    workspace: TERRAIN_WORKSPACE,
    dataset: 'Terrain Vector',
    layerName: (place: string) => `${place}_cluster`,
    item: { ...ITEM, source: toldElevation(raster), sources: [raster] },
    columns: DESCRIPTOR_COLUMNS,
    rows,
    style: DESCRIPTOR_STYLE,
    preview: 'Each micro-watershed in the colour of its terrain cluster.',
    sheet: { name: 'terrain', columns: DESCRIPTOR_COLUMNS, rows },
  };
  const files = await openFiles(ports, context.run);
  const tools = { job, ports, files, runId: context.run.id };
  const made = await clock.step('publish', () => publishMws(draft, tools));
  return { ...made, timings: clock.seconds(), inputs };
}
