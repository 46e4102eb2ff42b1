export { centreSpans, type Span } from './centre-spans.ts';
export { type ClassBlock, type ClassBlocks, classBlocks } from './class-blocks.ts';
export { type GeometryPixels, pixelsOfGeometries } from './geometry-pixels.ts';
export { type AreaRun, areaRuns } from './ground-area.ts';
export { NO_CODE, PixelCodes } from './pixel-codes.ts';
export { type PixelPlaces, valuesAtPixels } from './values-at.ts';
