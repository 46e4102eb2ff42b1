import { sphericalAreaHa } from '@headwater/core';
import { describedColumns, type LayerFeature, PAPER } from '@headwater/layer-kit';
import type { PlaceParams } from '../../request/request.ts';
import { AREA, UID } from '../shared/columns.ts';
import type { Made, Work } from '../shared/derived-pipeline.ts';
import { zonesOf } from '../shared/read-years.ts';
import { equalSteps } from '../shared/steps.ts';
import { writeVectorLayer } from '../shared/vector-layer.ts';
import { boundaryPipeline, boundaryWords } from './boundary-pipeline.ts';
import { centroidOf } from './centroid.ts';

/** The centres of the micro-watersheds as points. */
export const mwsCentroidPipeline = boundaryPipeline({
  route: 'generate_mws_centroid',
  summary: 'Publishes the centre of area of each micro-watershed of a tehsil.',
  keywords: ['micro-watersheds', 'centroids'],
  make,
});

type Row = {
  readonly uid: string;
  readonly area_in_ha: number;
  readonly latitude: number;
  readonly longitude: number;
};
const degrees = { type: 'number', unit: 'deg' } as const;
const COLUMNS = describedColumns<Row>()({
  uid: UID,
  area_in_ha: AREA,
  latitude: { ...degrees, description: 'Latitude of the centre, degrees north' },
  longitude: { ...degrees, description: 'Longitude of the centre, degrees east' },
});

async function make(work: Work<PlaceParams>): Promise<Made> {
  zonesOf(work);
  const { mws } = work.job;
  const features = mws.map(({ uid, geometry }): LayerFeature<Row> => {
    const [longitude, latitude] = centroidOf(geometry);
    return {
      type: 'Feature',
      properties: { uid, area_in_ha: sphericalAreaHa(geometry), latitude, longitude },
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    };
  });
  const layer = await writeVectorLayer(
    {
      spec: {
        workspace: 'mws_centroid',
        layer: (name) => `${name}_mws_centroid`,
        dataset: 'Mws Centroid',
        item: 'mws_centroid_vector',
      },
      words: boundaryWords(
        'Centres of micro-watersheds',
        'One point per micro-watershed, keyed by `uid`: its centre of area. Of a bent one it may lie outside.',
        'centroids',
      ),
      features,
      columns: COLUMNS,
      geometry: 'Centre of area of the micro-watershed, Point, longitude and latitude (EPSG:4326)',
      style: {
        ...equalSteps(
          AREA.name,
          'Area of the micro-watershed, hectares',
          mws.map(({ geometry }) => sphericalAreaHa(geometry)),
        ),
        geometry: 'point',
      },
      ground: { outlines: mws.map(({ geometry }) => geometry), color: PAPER },
    },
    work,
  );
  return { layers: [layer] };
}
