export { writeGeoTiff, writeCogRows } from './geotiff-writer.ts';
export type { CogSource } from './geotiff-writer.ts';
export type { CogFormat, CogImage, OverviewRule, PixelArray, PixelType, RowSource } from './cog-image.ts';
export { writeCog } from './write-cog.ts';
export type { WriteCogOptions } from './write-cog.ts';
