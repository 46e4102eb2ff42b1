import {
  type LayerAbout,
  layerPipeline,
  type LayerSpec,
  placeExamples,
  placeParams,
  type PlaceParams,
  placeRequest,
  type PlaceRequest,
  resolvePlaceParams,
} from '@headwater/layer-kit';
import { NO_OTHER_INPUTS } from '../years/needs.ts';

type BoundaryLayer = Pick<
  LayerSpec<PlaceRequest, PlaceParams>,
  'name' | 'listing' | 'summary' | 'keywords' | 'run' | 'otherInputs' | 'data'
>;

/** Creates the pipeline of a layer that needs only stored boundaries. */
export const boundaryPipeline = (layer: BoundaryLayer) =>
  layerPipeline<PlaceRequest, PlaceParams>({
    otherInputs: async () => NO_OTHER_INPUTS,
    data: [],
    ...layer,
    messages: { initiated: 'Successfully initiated' },
    method: '1',
    request: placeRequest,
    params: placeParams,
    resolve: resolvePlaceParams,
    examples: placeExamples({}),
  });

/** Texts of a layer of boundaries. */
export const boundaryAbout = (
  about: Pick<LayerAbout, 'layer' | 'title' | 'description'>,
  keyword: string,
): LayerAbout => ({
  ...about,
  procedure:
    "the polygons of the service's place directory, as provided by its operator, with rings in the direction of RFC 7946; " +
    '`area_in_ha` is the spherical area (radius 6,371,007.181 m).',
  lineage: 'Taken from the place directory',
  keywords: ['boundaries', keyword],
});
