import { valueLayer } from '@headwater/layer-kit';
import { demPipeline } from '../dem/raster-pipeline.ts';

const TITLE = 'Slope in percent';

/** Pipeline of the slope in percent (100 = 45 degrees), float32. */
export const slopePercentagePipeline = demPipeline({
  name: 'generate_slope_percentage',
  listing: { title: 'Slope', theme: 'Terrain', sources: ['Digital elevation model'] },
  summary: 'Computes the slope of the land of a tehsil in percent from a digital elevation model.',
  initiated: 'Successfully initiated',
  workspace: 'slope_percentage',
  dataset: 'Slope Percentage',
  layerName: (place) => `${place}_slope_percentage_raster`,
  method: 'slope-1',
  about: {
    layer: 'slope_percentage_raster',
    title: TITLE,
    description:
      'Slope of the land in percent (rise over run, 100 = 45 degrees) by the method of Horn (1981), with the true size of each pixel on the ellipsoid.',
    lineage: 'Slope by weighted differences of the eight neighbours of each pixel of a digital elevation model',
    keywords: ['slope'],
  },
  block: 'slopeBlock',
  ...valueLayer({
    band: 'slope_percentage',
    title: TITLE,
    unit: '%',
    label: '%',
    // Limits of slope classes in India's watershed planning (NRSA 1995, IMSD Technical Guidelines, after the All India
    // Soil and Land Use Survey).
    stops: [
      [0, '#1a9850'],
      [1, '#66bd63'],
      [3, '#a6d96a'],
      [5, '#fee08b'],
      [10, '#fdae61'],
      [15, '#f46d43'],
      [35, '#a50026'],
    ],
    overviews: 'average',
  }),
});
