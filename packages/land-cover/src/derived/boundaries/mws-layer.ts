import type { TableColumn } from '@headwater/core';
import { describedColumns, mwsFeature } from '@headwater/layer-kit';
import type { PlaceParams } from '../../request/request.ts';
import { AREA, UID } from '../shared/columns.ts';
import type { Made, Work } from '../shared/derived-pipeline.ts';
import { zonesOf } from '../shared/read-years.ts';
import { equalSteps } from '../shared/steps.ts';
import { writeVectorLayer } from '../shared/vector-layer.ts';
import { boundaryPipeline, boundaryWords } from './boundary-pipeline.ts';

/** The micro-watersheds of a tehsil as a layer, and the sheet `mws`. */
export const mwsLayerPipeline = boundaryPipeline({
  route: 'generate_mws_layer',
  summary: 'Publishes the micro-watersheds of a tehsil as a layer.',
  keywords: ['micro-watersheds'],
  data: ['mws'],
  make,
});

/** Codes of larger units, which this service does not know: null, so that readers of the sheet find their columns. */
const BASIN_CODES = ['watershed_code', 'basin_code', 'sub_basin_code'].map((name): TableColumn => ({
  name,
  type: 'text',
  description: 'Not known to this service',
}));

const COLUMNS = describedColumns<ReturnType<typeof mwsFeature>['properties']>()({ uid: UID, area_in_ha: AREA });

async function make(work: Work<PlaceParams>): Promise<Made> {
  zonesOf(work);
  const { mws, place } = work.job;
  const features = mws.map(mwsFeature);
  const rows = features.map(({ properties }) => properties);
  const areas = rows.map((row) => row.area_in_ha);
  const layer = await writeVectorLayer(
    {
      spec: { workspace: 'mws', layer: (name) => `mws_${name}`, dataset: 'MWS', item: 'mws_vector' },
      words: boundaryWords('Micro-watersheds', 'One feature per micro-watershed, keyed by `uid`.', 'micro-watersheds'),
      features,
      columns: COLUMNS,
      geometry: 'Boundary of the micro-watershed, MultiPolygon, longitude and latitude (EPSG:4326)',
      style: equalSteps(AREA.name, 'Area of the micro-watershed, hectares', areas),
    },
    work,
  );
  const unknown = Object.fromEntries(BASIN_CODES.map(({ name }) => [name, null]));
  const table = {
    name: 'mws',
    tehsilId: place.tehsil.id,
    key: UID.name,
    columns: [...COLUMNS, ...BASIN_CODES],
    rows: rows.map((row) => ({ ...row, ...unknown })),
    itemId: layer.item.id,
  };
  return { layers: [layer], tables: [table] };
}
