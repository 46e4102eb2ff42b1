import {
  describedColumns,
  equalSteps,
  type LayerWork,
  type RunOutput,
  MWS_AREA,
  type PlaceParams,
  publishVector,
  villageFeature,
} from '@headwater/layer-kit';
import { boundaryPipeline, boundaryAbout } from './boundary-pipeline.ts';

/** Publishes a tehsil's villages, or the tehsil itself if there are none. */
export const blockLayerPipeline = boundaryPipeline({
  name: 'generate_block_layer',
  listing: { title: 'Village boundaries', theme: 'Boundaries', sources: ['Boundaries of the place directory'] },
  summary: 'Publishes the villages of a tehsil as a layer, or the tehsil itself if no village is known.',
  keywords: ['administrative boundaries'],
  otherInputs: async ({ place }, _, { ports }) => JSON.stringify(await ports.places.villagesOf(place.tehsil.id)),
  run: make,
});

const COLUMNS = describedColumns<ReturnType<typeof villageFeature>['properties']>()({
  vill_ID: { type: 'integer', description: 'Id of the village; 0 = none' },
  vill_name: { type: 'text', description: 'Name of the village' },
  area_in_ha: { ...MWS_AREA, description: 'Area in hectares, on the authalic sphere' },
});

async function make(work: LayerWork<PlaceParams>): Promise<RunOutput> {
  const { job, ports } = work;
  const { tehsil } = job.place;
  const villages = await ports.places.villagesOf(tehsil.id);
  const { geometry } = tehsil;
  const units = villages.length > 0 || geometry === null ? villages : [{ id: 0, name: tehsil.name, geometry }];
  const features = units.map(villageFeature);
  const areas = features.map(({ properties }) => properties.area_in_ha);
  return publishVector(
    {
      workspace: 'panchayat_boundaries',
      dataset: 'Admin Boundary',
      layerName: (place) => place,
      about: boundaryAbout(
        {
          layer: 'admin_boundaries_vector',
          title: 'Administrative boundaries',
          description:
            'One feature per village (`vill_ID`, `vill_name`); if no village is known, one feature for the tehsil itself with `vill_ID` 0.',
        },
        'administrative boundaries',
      ),
      features,
      columns: COLUMNS,
      geometry: 'Boundary, MultiPolygon, longitude and latitude (EPSG:4326)',
      style: equalSteps(MWS_AREA.name, 'Area, hectares', areas),
    },
    work,
  );
}
