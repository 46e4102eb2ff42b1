import { planeOf, type WholeBlock } from '@headwater/core/pixel-plan';
import { featureOf } from '@headwater/layer-kit';
import { modeOfPlanes, polygonAt, polygonise } from '@headwater/raster';

/**
 * Computes the most frequent class of each pixel over several years (`usual`, uint8; 0 is nodata). Returns a GeoJSON
 * feature for each area of one class.
 */
export const usualClassBlock: WholeBlock = async ({ grid, inputs, outputs }) => {
  const years = Object.keys(inputs).map((name) => planeOf(inputs, name, 'uint8'));
  const usual = modeOfPlanes(years, 0);
  planeOf(outputs, 'usual', 'uint8').set(usual);
  const found = await polygonise(usual, grid, { connectivity: 4, skip: 0 });
  return Array.from(found.values, (value, i) => featureOf(polygonAt(found, i, grid), { class: value }));
};
