import { planeOf, type WholeBlock } from '@headwater/core/pixel-plan';
import { featureOf } from '@headwater/layer-kit';
import { modeOfPlanes, polygonAt, polygonise } from '@headwater/raster';

/**
 * Computes the most frequent class of each pixel over several years, and polygons of the regions with equal classes. Inputs: one uint8
 * plane of classes for each year, 0 = unknown, on a grid in degrees. Output: `usual`, uint8. Returns GeoJSON features with the member
 * `class`.
 */
export const usualClassBlock: WholeBlock = async ({ grid, inputs, outputs }) => {
  const years = Object.keys(inputs).map((name) => planeOf(inputs, name, 'uint8'));
  const usual = modeOfPlanes(years, 0);
  planeOf(outputs, 'usual', 'uint8').set(usual);
  const found = await polygonise(usual, grid, { connectivity: 4, skip: 0 });
  return Array.from(found.values, (value, i) => featureOf(polygonAt(found, i, grid), { class: value }));
};
