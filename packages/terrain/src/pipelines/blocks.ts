import { planeOf, type WholeBlock } from '@headwater/core/pixel-plan';
import { createDem } from '../dem/dem.ts';
import { landforms } from '../landforms/landforms.ts';
import { slopePercent } from '../surface/slope.ts';
import { zoneRings } from './dem/elevation-about.ts';
import { zoneIndex } from './dem/zone-index.ts';

export * from './flow-blocks.ts';
export { inflowBlock } from './dem/flow-window.ts';
export { connectivityBlock } from './mws-connectivity/block.ts';
export { terrainLulcBlock } from './terrain-lulc/block.ts';

/** Computes the slope in percent from `heights` (m). Writes `values`, float32; NaN means unknown. */
export const slopeBlock: WholeBlock = ({ grid, inputs, outputs }) => {
  const dem = createDem({ grid, heights: planeOf(inputs, 'heights', 'float32') });
  planeOf(outputs, 'values', 'float32').set(slopePercent(dem));
  return null;
};

/**
 * Computes landforms 1 to 11 from `heights` (m, with a margin of 2 km) in `zones` (lon/lat). Writes `values`, uint8; 0
 * outside of zones.
 */
export const landformsBlock: WholeBlock = ({ grid, inputs, outputs, params }) => {
  const dem = createDem({ grid, heights: planeOf(inputs, 'heights', 'float32') });
  const zones = zoneIndex(zoneRings.parse(params['zones']), grid);
  planeOf(outputs, 'values', 'uint8').set(landforms(dem, { zones }));
  return null;
};
