import { describedColumns, villageFeature } from '@headwater/layer-kit';
import type { PlaceParams } from '../../request/request.ts';
import { AREA } from '../shared/columns.ts';
import type { Made, Work } from '../shared/derived-pipeline.ts';
import { equalSteps } from '../shared/steps.ts';
import { writeVectorLayer } from '../shared/vector-layer.ts';
import { boundaryPipeline, boundaryWords } from './boundary-pipeline.ts';

/** The villages of a tehsil as a layer; the tehsil itself where none are known. */
export const blockLayerPipeline = boundaryPipeline({
  route: 'generate_block_layer',
  summary: 'Publishes the villages of a tehsil as a layer, or the tehsil itself where no village is known.',
  keywords: ['administrative boundaries'],
  otherInputs: async ({ place }, _, { ports }) => JSON.stringify(await ports.places.villagesOf(place.tehsil.id)),
  make,
});

const COLUMNS = describedColumns<ReturnType<typeof villageFeature>['properties']>()({
  vill_ID: { type: 'integer', description: 'Id of the village; 0 = none' },
  vill_name: { type: 'text', description: 'Name of the village' },
  area_in_ha: { ...AREA, description: 'Area in hectares, on the authalic sphere' },
});

async function make(work: Work<PlaceParams>): Promise<Made> {
  const { job, ports } = work;
  const { tehsil } = job.place;
  const villages = await ports.places.villagesOf(tehsil.id);
  const { geometry } = tehsil;
  const units = villages.length > 0 || geometry === null ? villages : [{ id: 0, name: tehsil.name, geometry }];
  const features = units.map(villageFeature);
  const areas = features.map(({ properties }) => properties.area_in_ha);
  const layer = await writeVectorLayer(
    {
      spec: {
        workspace: 'panchayat_boundaries',
        layer: (name) => name,
        dataset: 'Admin Boundary',
        item: 'admin_boundaries_vector',
      },
      words: boundaryWords(
        'Administrative boundaries',
        'One feature per village (`vill_ID`, `vill_name`); where no village is known, one of the tehsil itself with `vill_ID` 0.',
        'administrative boundaries',
      ),
      features,
      columns: COLUMNS,
      geometry: 'Boundary, MultiPolygon, longitude and latitude (EPSG:4326)',
      style: equalSteps(AREA.name, 'Area, hectares', areas),
    },
    work,
  );
  return { layers: [layer] };
}
