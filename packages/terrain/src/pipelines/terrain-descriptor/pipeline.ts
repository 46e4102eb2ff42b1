import {
  collectionOf,
  type ComputedPlace,
  createStepClock,
  type Deliverable,
  DomainError,
  fileName,
  invalidField,
  layerNamesOf,
  type LayerNeed,
  loadPlace,
  openFiles,
  type PipelineContext,
  type PipelinePorts,
  rgb,
  type RunFiles,
  vectorQml,
  vectorSld,
  versionsOfNeeds,
  type ZonalAreas,
} from '@headwater/core';
import { assertValid, checkColumns, describeFinding, isObject, vectorItem } from '@headwater/stac';
import { fileAsset, sideAssets, type SideFiles, sideFiles, THUMBNAIL_SIZE } from '../shared/assets.ts';
import { terrainItemId, terrainMembers, type TerrainItem } from '../shared/item-members.ts';
import { terrainBasics, type TerrainParams, type TerrainPipeline } from '../shared/request.ts';
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
const OUTLINE = [35, 35, 35, 255] as const;
const ITEM = {
  layer: 'terrain_vector',
  title: 'Terrain per micro-watershed',
  description:
    'Shares of five groups of landforms in each micro-watershed, and the published terrain cluster whose shares are nearest.',
  lineage: 'Areas of landforms, edge pixels weighted by covered fraction',
  method: 'terrain-descriptor-1',
  keywords: ['landforms', 'micro-watersheds'],
} as const;
const basics = terrainBasics(NAME, ITEM.method);

/** Shares of landforms and the terrain cluster of each micro-watershed, as a vector layer and as sheet `terrain`. */
export const terrainDescriptorPipeline: TerrainPipeline = {
  ...basics,
  summary: 'Computes the shares of landforms and the terrain cluster of each micro-watershed from the terrain raster.',
  messages: { initiated: `${NAME} task initiated`, finished: `${NAME} finished` },
  resolve: async (request, ports) => {
    const params = await basics.resolve(request, ports);
    const mws = await ports.places.mwsOf(params.tehsilId);
    if (mws.length > 0) return params;
    throw invalidField('tehsil', `${request.tehsil} has no micro-watersheds; ${ports.remedies.placeData}`);
  },
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
  const made = await clock.step('publish', () => publication(job, areas, tools));
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

interface Tools {
  readonly ports: PipelinePorts;
  readonly files: RunFiles;
  readonly source: TerrainItem['source'];
  readonly runId: string;
}

async function publication(
  job: ComputedPlace,
  areas: ZonalAreas,
  tools: Tools,
): Promise<Pick<Deliverable, 'items' | 'layers' | 'tables'>> {
  const { ports, files } = tools;
  const layer = descriptorLayer(job.mws, areas);
  const id = terrainItemId(ITEM.layer, job.slugs);
  const name = fileName(id);
  const names = layerNamesOf(job.slugs, (place) => `${place}_cluster`);
  const geojson = await files.write(`${name}.geojson`, JSON.stringify(layer));
  const zones = layer.features.map(({ geometry, properties }) => ({
    geometry,
    fill: [...rgb(clusterColor(properties)), 255] as const,
  }));
  await ports.pixels.zoneThumbnail({
    zones,
    outline: OUTLINE,
    size: THUMBNAIL_SIZE,
    target: files.path(`${name}.png`),
  });
  const style = { qml: vectorQml(DESCRIPTOR_STYLE), sld: vectorSld(names.layerName, DESCRIPTOR_STYLE) };
  const sides = await sideFiles(name, style, files);
  const item = itemOf(job, { ...tools, layerName: names.layerName, geojson, sides });
  assertValid({ ...item });
  const faults = checkColumns(item, layer.features);
  if (faults.length > 0) throw new DomainError('internal', `table:columns: ${faults.map(describeFinding).join('; ')}`);
  const tehsilId = job.place.tehsil.id;
  const record = {
    workspace: TERRAIN_WORKSPACE,
    ...names,
    datasetName: 'Terrain Vector',
    layerType: 'vector',
  } as const;
  return {
    items: [{ id, collectionPath: collectionOf(job.slugs), item: { ...item } }],
    layers: [{ ...record, tehsilId, itemId: id, assetKey: geojson.key, styleKey: sides.qml.key }],
    tables: [{ ...descriptorTable(tehsilId, layer), itemId: id }],
  };
}

function itemOf(
  job: ComputedPlace,
  given: Omit<Tools, 'files'> & {
    readonly layerName: string;
    readonly geojson: SideFiles['png'];
    readonly sides: SideFiles;
  },
): ReturnType<typeof vectorItem> {
  const { ports, source, runId, geojson, sides, layerName } = given;
  return vectorItem({
    ...terrainMembers({ ...ITEM, job, ports, runId, source, box: job.mwsBox }),
    columns: descriptorColumns,
    primaryGeometry: 'geometry',
    rowCount: job.mws.length,
    assets: {
      data: { href: ports.addresses.features(TERRAIN_WORKSPACE, layerName), title: 'Vector Layer' },
      geojson: fileAsset(ports, geojson, 'GeoJSON'),
      ...sideAssets(ports, sides, {
        legend: clusterLegend(),
        description: 'Each micro-watershed in the colour of its terrain cluster.',
      }),
    },
  });
}
