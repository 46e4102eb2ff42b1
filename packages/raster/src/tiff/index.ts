export { openRaster } from './raster-file.ts';
export type { RasterFile } from './raster-file.ts';
export type { CompressionName, TiffLayout, TiffLevel } from './layout.ts';
export type { Dtype, PixelArray, PixelWindow } from './pixel-array.ts';
export { TileDecoder } from './tile-decoder.ts';
