import {
  type ComputedPlace,
  createStepClock,
  type Deliverable,
  layerNamesOf,
  type LayerNeed,
  loadPlace,
  openFiles,
  type PipelineContext,
  type PipelinePorts,
  versionsOfNeeds,
  type ZonalAreas,
} from '@headwater/core';
import { isObject } from '@headwater/stac';
import type { TerrainItem } from '../shared/item-members.ts';
import { resolveWithMws, terrainBasics, type TerrainParams, type TerrainPipeline } from '../shared/request.ts';
import { publishVector, type VectorDraft } from '../shared/vector-layer.ts';
import { TERRAIN_RASTER, TERRAIN_WORKSPACE, terrainRasterLayer } from '../terrain-raster/pipeline.ts';
import {
  clusterColor,
  clusterLegend,
  DESCRIPTOR_STYLE,
  descriptorColumns,
  descriptorLayer,
  descriptorTable,
} from './descriptor-layer.ts';

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
  resolve: resolveWithMws,
  dependsOn: [TERRAIN_RASTER],
  needs: async (params, ports) => [needOf(params, await loadPlace(params.tehsilId, ports))],
  inputs: async (params, ports) => versionsOfNeeds([needOf(params, await loadPlace(params.tehsilId, ports))], ports),
  steps: [
    { name: 'zonal', weight: 3 },
    { name: 'publish', weight: 1 },
  ],
  execute,
};

/** The landforms of the place, and the request that makes them. */
function needOf({ tehsilId, eoAccountId }: TerrainParams, { place, slugs }: ComputedPlace): LayerNeed {
  const { state, district, tehsil } = place;
  const request = { state: state.name, district: district.name, tehsil: tehsil.name, eoAccountId };
  const { layerName } = layerNamesOf(slugs, terrainRasterLayer);
  return { kind: 'layer', workspace: TERRAIN_WORKSPACE, layerName, tehsilId, pipeline: TERRAIN_RASTER, request };
}

async function execute(params: TerrainParams, ports: PipelinePorts, context: PipelineContext): Promise<Deliverable> {
  const clock = createStepClock(ports, context);
  const job = await loadPlace(params.tehsilId, ports);
  const need = needOf(params, job);
  // Before the layer is opened: a version that comes meanwhile differs from what is told.
  const inputs = await versionsOfNeeds([need], ports);
  const raster = await ports.published.layerFile(need.workspace, need.layerName);
  const zones = job.mws.map(({ uid, geometry }) => ({ id: uid, geometry }));
  const work = { signal: context.signal, progress: (share: number) => context.progress('zonal', share) };
  const areas = await clock.step('zonal', () => ports.pixels.zonal({ path: raster.path, zones }, work));
  context.log(
    `Terrain of ${zones.length} micro-watersheds from ${need.layerName}, which run ${raster.runId} published`,
  );
  const source = sourceOf(raster.item?.item);
  const files = await openFiles(ports, context.run);
  const tools = { ports, files, source, runId: context.run.id };
  const made = await clock.step('publish', () => publishVector(job, draftOf(job, areas), tools));
  return { ...made, timings: clock.seconds(), inputs };
}

/** What the Item of the landforms tells of the heights that they were made of. */
function sourceOf(item: unknown): TerrainItem['source'] {
  const properties = isObject(item) && isObject(item['properties']) ? item['properties'] : {};
  const text = (name: string, otherwise: string): string => {
    const value = properties[name];
    return typeof value === 'string' ? value : otherwise;
  };
  return {
    title: text('headwater:elevation_title', 'not named'),
    license: text('headwater:elevation_license', 'other'),
    attribution: text('attribution', 'Elevation data of the terrain raster'),
    synthetic: properties['headwater:synthetic'] === true,
  };
}

function draftOf(job: ComputedPlace, areas: ZonalAreas): VectorDraft {
  const { features } = descriptorLayer(job.mws, areas);
  return {
    item: ITEM,
    workspace: TERRAIN_WORKSPACE,
    dataset: 'Terrain Vector',
    layerName: (place) => `${place}_cluster`,
    box: job.mwsBox,
    features,
    columns: descriptorColumns,
    style: DESCRIPTOR_STYLE,
    drawing: { zones: features.map(({ geometry, properties }) => ({ geometry, color: clusterColor(properties) })) },
    preview: {
      legend: clusterLegend(),
      description: 'Each micro-watershed in the colour of its terrain cluster.',
    },
    tables: [descriptorTable(job.place.tehsil.id, features)],
  };
}
