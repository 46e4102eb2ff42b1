import { rampLegend, rampQml, rampSld, rampStops, type StyleClass } from '@headwater/core';
import { demPipeline } from '../shared/raster-pipeline.ts';

/** Value of pixels without slope. */
const NODATA = -9999;
const TITLE = 'Slope in percent';

/** Limits of the slope classes of India's watershed planning (`SLOPE_BINS`), from green to dark red. */
const STOPS: readonly StyleClass[] = [
  [0, '#1a9850'],
  [1, '#66bd63'],
  [3, '#a6d96a'],
  [5, '#fee08b'],
  [10, '#fdae61'],
  [15, '#f46d43'],
  [35, '#a50026'],
].map(([value, color]) => ({ value: Number(value), label: `${value} %`, color: String(color), alpha: 255 }));

/** Slope of the land in percent (100 = 45 degrees), as float32. */
export const slopePercentagePipeline = demPipeline({
  name: 'generate_slope_percentage',
  summary: 'Computes the slope of the land of a tehsil in percent from a digital elevation model.',
  initiated: 'Successfully initiated generate_slope_percentage',
  workspace: 'slope_percentage',
  dataset: 'Slope Percentage',
  layerName: (place) => `${place}_slope_percentage_raster`,
  item: {
    layer: 'slope_percentage_raster',
    title: 'Slope in percent',
    description:
      'Rise over run of the land in percent (100 = 45 degrees) by the method of Horn (1981), over the true size of each pixel on the ellipsoid.',
    lineage: 'Slope by weighted differences of the eight neighbours of each pixel of a digital elevation model',
    method: 'slope-1',
    keywords: ['slope'],
  },
  block: 'slopeBlock',
  params: () => ({}),
  type: 'float32',
  cog: { nodata: NODATA, overviews: 'average', description: TITLE },
  content: ({ statistics }) => ({
    bands: [
      {
        name: 'slope_percentage',
        description: TITLE,
        dataType: 'float32',
        nodata: NODATA,
        unit: '%',
        ...(statistics === undefined ? {} : { statistics }),
      },
    ],
  }),
  style: (layerName) => ({ qml: rampQml(STOPS), sld: rampSld(layerName, TITLE, STOPS) }),
  preview: { legend: rampLegend(STOPS), description: 'Slope in percent, colours between these values interpolated.' },
  thumbnail: (file) => ({ ...file, ramp: rampStops(STOPS) }),
});
