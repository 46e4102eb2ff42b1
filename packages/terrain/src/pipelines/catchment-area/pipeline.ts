import { valueLayer } from '@headwater/layer-kit';
import { FLOW_SURROUNDINGS } from '../dem/dem-run.ts';
import { demPipeline } from '../dem/raster-pipeline.ts';

const TITLE = 'Catchment area in hectares';

/** Pipeline of catchment areas in hectares, float32. */
export const catchmentAreaPipeline = demPipeline({
  name: 'generate_catchment_area_singleflow',
  listing: { title: 'Catchment area', theme: 'Streams and drainage', sources: ['Digital elevation model'] },
  summary:
    'Computes the land that drains through each pixel of a tehsil, in hectares, from a digital elevation model: flow accumulation in one direction.',
  initiated: 'Successfully initiated',
  workspace: 'catchment_area_singleflow',
  dataset: 'Catchment Area',
  layerName: (place) => `catchment_area_${place}_raster`,
  surroundings: FLOW_SURROUNDINGS,
  method: 'catchment-area-3',
  about: {
    layer: 'catchment_area_singleflow_raster',
    title: TITLE,
    description:
      'Area of the land whose water flows through each pixel, including the pixel itself, in hectares. All water of a pixel flows to one neighbour, in the direction of the steepest descent (D8).',
    lineage: 'Areas of pixels accumulated along D8 flow over a digital elevation model with filled depressions',
    keywords: ['catchment', 'flow accumulation', 'hydrology'],
  },
  block: 'catchmentAreaBlock',
  ...valueLayer({
    band: 'catchment_area',
    title: TITLE,
    unit: 'hectare',
    label: 'ha',
    stops: [
      [0, '#f7fbff'],
      [1, '#deebf7'],
      [10, '#9ecae1'],
      [100, '#4292c6'],
      [1000, '#2171b5'],
      [10_000, '#08306b'],
      [100_000, '#49006a'],
    ],
    overviews: 'greatest',
  }),
});
