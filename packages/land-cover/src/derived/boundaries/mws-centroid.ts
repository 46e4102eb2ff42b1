import { sphericalAreaHa } from '@headwater/core';
import {
  describedColumns,
  equalSteps,
  type LayerFeature,
  type LayerWork,
  type RunOutput,
  MWS_AREA,
  MWS_UID,
  PAPER,
  type PlaceParams,
  publishVector,
  zonesOf,
} from '@headwater/layer-kit';
import { boundaryPipeline, boundaryAbout } from './boundary-pipeline.ts';
import { centroidOf } from './centroid.ts';

/** Publishes the centres of the micro-watersheds as points. */
export const mwsCentroidPipeline = boundaryPipeline({
  name: 'generate_mws_centroid',
  listing: {
    title: 'Centres of micro-watersheds',
    theme: 'Boundaries',
    sources: ['Boundaries of the place directory'],
  },
  summary: 'Publishes the centre of area of each micro-watershed of a tehsil.',
  keywords: ['micro-watersheds', 'centroids'],
  run: make,
});

type Row = {
  readonly uid: string;
  readonly area_in_ha: number;
  readonly latitude: number;
  readonly longitude: number;
};
const degrees = { type: 'number', unit: 'deg' } as const;
const COLUMNS = describedColumns<Row>()({
  uid: MWS_UID,
  area_in_ha: MWS_AREA,
  latitude: { ...degrees, description: 'Latitude of the centre, degrees north' },
  longitude: { ...degrees, description: 'Longitude of the centre, degrees east' },
});

async function make(work: LayerWork<PlaceParams>): Promise<RunOutput> {
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
  return publishVector(
    {
      workspace: 'mws_centroid',
      dataset: 'Mws Centroid',
      layerName: (place) => `${place}_mws_centroid`,
      about: boundaryAbout(
        {
          layer: 'mws_centroid_vector',
          title: 'Centres of micro-watersheds',
          description:
            'One point per micro-watershed, keyed by `uid`: its centre of area, which may be outside of a concave micro-watershed.',
        },
        'centroids',
      ),
      features,
      columns: COLUMNS,
      geometry: 'Centre of area of the micro-watershed, Point, longitude and latitude (EPSG:4326)',
      style: {
        ...equalSteps(
          MWS_AREA.name,
          'Area of the micro-watershed, hectares',
          mws.map(({ geometry }) => sphericalAreaHa(geometry)),
        ),
        geometry: 'point',
      },
      ground: { outlines: mws.map(({ geometry }) => geometry), color: PAPER },
    },
    work,
  );
}
