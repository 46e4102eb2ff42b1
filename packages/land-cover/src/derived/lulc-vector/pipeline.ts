import {
  type LayerAbout,
  type LayerWork,
  type RunOutput,
  MWS_AREA,
  MWS_UID,
  publishVector,
} from '@headwater/layer-kit';
import { LULC_SHEET, lulcSheet } from '../../items/lulc-sheet.ts';
import { classColumns } from '../../items/mws-layer.ts';
import { mwsVector } from '../../items/mws-preview.ts';
import type { LulcParams } from '../../request/request.ts';
import { yearsOf } from '../../run/scenes.ts';
import { RASTER_WORKSPACE, VECTOR_DATASET, VECTOR_WORKSPACE, vectorLayerName } from '../../run/names.ts';
import { yearlyAreas } from '../years/yearly-areas.ts';
import { yearsPipeline } from '../years/years-pipeline.ts';

/**
 * Publishes hectares of each land-cover class per micro-watershed from published rasters, and the sheet `lulc_vector`.
 */
export const lulcVectorPipeline = yearsPipeline({
  name: 'lulc_vector',
  messages: { initiated: 'lulc_vector task initiated' },
  listing: { title: 'Land-cover areas by micro-watershed', theme: 'Land cover' },
  summary: 'Computes the area of each land-cover class per micro-watershed from the published yearly rasters.',
  keywords: ['land use', 'land cover'],
  data: [LULC_SHEET],
  method: '2',
  run: make,
});

async function make(work: LayerWork<LulcParams>): Promise<RunOutput> {
  const areas = await yearlyAreas(work, [0, 0.9]);
  const { job, params } = work;
  const sameContentAs = await soleSourceRun(work);
  return publishVector(
    {
      workspace: VECTOR_WORKSPACE,
      dataset: VECTOR_DATASET,
      layerName: vectorLayerName,
      about: aboutOf(params),
      ...mwsVector(job.mws, areas, params.endYear),
      columns: [MWS_UID, MWS_AREA, ...classColumns(yearsOf(params))],
      tables: [lulcSheet(job.mws, areas)],
      ...(sameContentAs === undefined ? {} : { sameContentAs }),
    },
    work,
  );
}

/** Id of the run that computed all rasters and published exactly these years; undefined if there is no such run. */
async function soleSourceRun({ sources, ports, job }: LayerWork<LulcParams>): Promise<string | undefined> {
  const [source, ...others] = new Set(sources.map(({ runId }) => runId));
  if (source === undefined || others.length > 0) return undefined;
  const layers = await ports.published.layersOf(job.place.tehsil.id);
  const ofSource = layers.filter(
    ({ workspace, assetKey }) => workspace === RASTER_WORKSPACE && assetKey.startsWith(`${source}/`),
  );
  return ofSource.length === sources.length ? source : undefined;
}

const aboutOf = ({ startYear, endYear }: LulcParams): LayerAbout => ({
  layer: 'land_use_land_cover_vector',
  title: 'Land use and land cover per micro-watershed',
  description: `Hectares of each land-cover class per micro-watershed (\`uid\`), hydrological years ${startYear} to ${endYear}. \`cropland_area_*\` is always 0: cropland is split by cropping frequency. \`unseen_area_*\` is land that was not seen, so it has no class; the classes of a year are null if less than half of the micro-watershed was seen.`,
  procedure:
    'sums of WGS84 ellipsoidal pixel areas of the published yearly rasters, pixels on the boundary weighted by the covered fraction; ' +
    '`area_in_ha` is the spherical area of the polygon, which differs by up to about 0.3 %.',
  lineage: 'Zonal sums over the published yearly land-cover rasters',
  keywords: ['land use', 'land cover'],
  years: [startYear, endYear],
});
