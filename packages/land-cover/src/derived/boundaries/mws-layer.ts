import type { TableColumn } from '@headwater/core';
import {
  describedColumns,
  equalSteps,
  type LayerWork,
  type RunOutput,
  MWS_AREA,
  MWS_UID,
  mwsFeature,
  type PlaceParams,
  publishVector,
  zonesOf,
} from '@headwater/layer-kit';
import { villageSheet } from './village-sheet.ts';
import { boundaryPipeline, boundaryAbout } from './boundary-pipeline.ts';

/**
 * Publishes a tehsil's micro-watersheds and the sheet `mws`. If the ids of villages are known, also publishes the sheet
 * `mws_intersect_villages`.
 */
export const mwsLayerPipeline = boundaryPipeline({
  name: 'generate_mws_layer',
  listing: { title: 'Micro-watersheds', theme: 'Boundaries', sources: ['Boundaries of the place directory'] },
  summary: 'Publishes the micro-watersheds of a tehsil as a layer.',
  keywords: ['micro-watersheds'],
  data: ['mws', 'mws_intersect_villages'],
  otherInputs: async ({ place }, _, { ports }) => JSON.stringify(await ports.places.villagesOf(place.tehsil.id)),
  run: make,
});

/** Further columns of the sheet `mws` in imported workbooks. Their codes are unknown here, so all values are null. */
const BASIN_CODES = ['watershed_code', 'basin_code', 'sub_basin_code'].map((name): TableColumn => ({
  name,
  type: 'text',
  description: 'Not known to this service',
}));

const COLUMNS = describedColumns<ReturnType<typeof mwsFeature>['properties']>()({ uid: MWS_UID, area_in_ha: MWS_AREA });

async function make(work: LayerWork<PlaceParams>): Promise<RunOutput> {
  zonesOf(work);
  const villages = villageSheet(work.job.mws, await work.ports.places.villagesOf(work.job.place.tehsil.id));
  const features = work.job.mws.map(mwsFeature);
  const rows = features.map(({ properties }) => properties);
  const areas = rows.map((row) => row.area_in_ha);
  const unknown = Object.fromEntries(BASIN_CODES.map(({ name }) => [name, null]));
  return publishVector(
    {
      workspace: 'mws',
      dataset: 'MWS',
      layerName: (place) => `mws_${place}`,
      about: boundaryAbout(
        {
          layer: 'mws_vector',
          title: 'Micro-watersheds',
          description: 'One feature per micro-watershed, keyed by `uid`.',
        },
        'micro-watersheds',
      ),
      features,
      columns: COLUMNS,
      geometry: 'Boundary of the micro-watershed, MultiPolygon, longitude and latitude (EPSG:4326)',
      style: equalSteps(MWS_AREA.name, 'Area of the micro-watershed, hectares', areas),
      tables: [
        {
          name: 'mws',
          key: MWS_UID.name,
          columns: [...COLUMNS, ...BASIN_CODES],
          rows: rows.map((row) => ({ ...row, ...unknown })),
        },
        ...(villages === undefined ? [] : [villages]),
      ],
    },
    work,
  );
}
