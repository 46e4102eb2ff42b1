export { pixelAreasM2 } from './pixel-areas.ts';
