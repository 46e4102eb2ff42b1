import { mwsZones, type OpenedLayer } from '@headwater/core';
import { propertiesOfItem } from '@headwater/core/pipelines';
import {
  isGridAround,
  layerPipeline,
  type LayerWork,
  type RunOutput,
  type PlaceParams,
  publishMws,
} from '@headwater/layer-kit';
import { demVersions } from '../dem/dem-run.ts';
import { elevationAbout, type ElevationSource } from '../dem/elevation-about.ts';
import { resolveWithMws, terrainBasics } from '../dem/place-pipeline.ts';
import { landformsNeed } from '../terrain-raster/pipeline.ts';
import { TERRAIN_RASTER, TERRAIN_WORKSPACE } from '../terrain-raster/pipeline.ts';
import { elevationSheet } from './elevation-sheet.ts';
import { DESCRIPTOR_COLUMNS, DESCRIPTOR_STYLE, descriptorRows } from './descriptor-layer.ts';

/** Facts about the elevations behind published landforms, from their Item. */
export function sourceElevation({ item }: Pick<OpenedLayer, 'item'>): ElevationSource {
  const properties = propertiesOfItem(item?.item);
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

const ABOUT = {
  layer: 'terrain_vector',
  title: 'Terrain per micro-watershed',
  description:
    'Shares of five groups of landforms in each micro-watershed, and the published terrain cluster that has the most similar shares.',
  lineage: 'Areas of landforms, edge pixels weighted by covered fraction',
  keywords: ['landforms', 'micro-watersheds'],
} as const;

/** Pipeline of landform shares and terrain clusters, as a vector layer and as sheets `terrain` and `dem`. */
export const terrainDescriptorPipeline = layerPipeline({
  ...terrainBasics('generate_terrain_descriptor', 'terrain-descriptor-2'),
  listing: { title: 'Landforms by micro-watershed', theme: 'Terrain' },
  summary:
    'Computes the shares of landforms and the terrain cluster of each micro-watershed from the terrain raster, and its elevations from the digital elevation model.',
  data: ['terrain', 'dem'],
  resolve: resolveWithMws,
  dependsOn: [TERRAIN_RASTER],
  needs: (job, { eoAccountId }) => [landformsNeed(job, eoAccountId)],
  otherInputs: ({ box }, _, tools) => demVersions(box, tools),
  gridOf: () => isGridAround,
  steps: [
    { name: 'zonal', weight: 3 },
    { name: 'read_elevation', weight: 4 },
    { name: 'publish', weight: 1 },
  ],
  run,
});

async function run(work: LayerWork<PlaceParams>): Promise<RunOutput> {
  const { clock, context, job, method, ports } = work;
  const [raster] = work.sources;
  if (raster === undefined) throw new RangeError('the landforms layer was not opened');
  const zones = mwsZones(job);
  const areas = await clock.step('zonal', (step) => ports.pixels.zonal({ path: raster.path, zones }, step));
  context.log(
    `Terrain of ${zones.length} micro-watersheds from ${raster.layer.layerName}, published by run ${raster.runId}`,
  );
  const source = sourceElevation(raster);
  const elevations = await clock.step('read_elevation', (step) => elevationSheet(work, source, step));
  const rows = descriptorRows(job, areas);
  const draft = {
    workspace: TERRAIN_WORKSPACE,
    dataset: 'Terrain Vector',
    layerName: (place: string) => `${place}_cluster`,
    about: elevationAbout(ABOUT, { source, method }),
    columns: DESCRIPTOR_COLUMNS,
    rows,
    style: DESCRIPTOR_STYLE,
    preview: 'Each micro-watershed in the colour of its terrain cluster.',
    tables: [
      { name: 'terrain', key: 'uid', columns: DESCRIPTOR_COLUMNS, rows },
      ...(elevations === undefined ? [] : [elevations]),
    ],
  };
  return clock.step('publish', () => publishMws(draft, work));
}
