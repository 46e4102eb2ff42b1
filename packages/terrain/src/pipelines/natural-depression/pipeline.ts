import { valueLayer } from '@headwater/layer-kit';
import { DEPRESSION_SURROUNDINGS } from '../dem/dem-run.ts';
import { demPipeline } from '../dem/raster-pipeline.ts';

const TITLE = 'Depth of natural depressions in metres';

/** Pipeline of the depth of depressions in m, float32; 0 outside of depressions. */
export const naturalDepressionPipeline = demPipeline({
  name: 'generate_natural_depression',
  listing: { title: 'Natural depressions', theme: 'Streams and drainage', sources: ['Digital elevation model'] },
  summary:
    'Computes the depth of the depressions of a tehsil below their spill level, in metres, from a digital elevation model.',
  initiated: 'Successfully initiated',
  workspace: 'natural_depression',
  dataset: 'Natural Depression',
  layerName: (place) => `natural_depression_${place}_raster`,
  surroundings: DEPRESSION_SURROUNDINGS,
  method: 'natural-depression-1',
  about: {
    layer: 'natural_depressions_raster',
    title: TITLE,
    description:
      'Metres from the ground up to the level at which a depression overflows; 0 outside of depressions. Bridges, dams and errors of the elevation model also cause depressions.',
    lineage: 'Heights of a digital elevation model after filling its depressions, minus the original heights',
    keywords: ['depressions', 'hydrology'],
  },
  block: 'depressionBlock',
  ...valueLayer({
    band: 'depression_depth',
    title: TITLE,
    unit: 'm',
    label: 'm',
    stops: [
      [0, '#f7fbff'],
      [0.5, '#c6dbef'],
      [1, '#9ecae1'],
      [2, '#4292c6'],
      [5, '#08519c'],
      [10, '#08306b'],
    ],
    overviews: 'greatest',
  }),
});
