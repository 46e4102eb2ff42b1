import { type PlaceParams, placeParams, type PlaceRequest, placeRequest } from '../../request/request.ts';
import { resolvePlaceParams } from '../../request/resolve.ts';
import { derivedPipeline, type DerivedLayer } from '../shared/derived-pipeline.ts';
import type { Words } from '../shared/described.ts';
import { EXAMPLE_PLACE } from '../shared/example-place.ts';

type BoundaryLayer = Pick<
  DerivedLayer<PlaceRequest, PlaceParams>,
  'route' | 'summary' | 'keywords' | 'make' | 'otherInputs' | 'data'
>;

/** Pipeline of a layer that is made of the place directory alone. */
export const boundaryPipeline = (layer: BoundaryLayer) =>
  derivedPipeline<PlaceRequest, PlaceParams>({
    ...layer,
    initiated: 'Successfully initiated',
    method: '1',
    request: placeRequest,
    params: placeParams,
    resolve: resolvePlaceParams,
    examples: [
      { name: 'start', request: EXAMPLE_PLACE },
      { name: 'wait', request: EXAMPLE_PLACE },
    ],
    needs: () => [],
  });

/** What such a layer says of itself. */
export const boundaryWords = (title: string, intro: string, keyword: string): Words => ({
  title,
  intro,
  method:
    "the polygons of the service's place directory, as its operator gave them, rings wound as RFC 7946 wants them; " +
    '`area_in_ha` is the spherical area (radius 6,371,007.181 m).',
  lineage: 'Taken from the place directory',
  keywords: ['boundaries', keyword],
});
