import type { PixelGrid } from '@headwater/core';
import { knownCrs } from '../warp/crs.ts';
import { numberField } from './tiff-values.ts';
import type { Field } from './tiff-values.ts';

/** GeoTIFF 1.1 key ids and values (OGC 19-008r4). */
const KEY = {
  modelType: 1024,
  rasterType: 1025,
  geographicCrs: 2048,
  angularUnits: 2054,
  projectedCrs: 3072,
  linearUnits: 3076,
} as const;
const PIXEL_IS_AREA = 1;
const DEGREE = 9102;
const METRE = 9001;

/**
 * Georeferencing tags of a north-up grid: pixel scale, tie point of the upper left corner, GeoKeys of its CRS.
 * Throws `input_data` for a CRS that `knownCrs` does not know.
 */
export function georeference(grid: PixelGrid): Field[] {
  const { epsg, geographic } = knownCrs(grid.crs);
  const keys: [number, number][] = geographic
    ? [
        [KEY.modelType, 2],
        [KEY.rasterType, PIXEL_IS_AREA],
        [KEY.geographicCrs, epsg],
        [KEY.angularUnits, DEGREE],
      ]
    : [
        [KEY.modelType, 1],
        [KEY.rasterType, PIXEL_IS_AREA],
        [KEY.projectedCrs, epsg],
        [KEY.linearUnits, METRE],
      ];
  const directory = [1, 1, 1, keys.length, ...keys.flatMap(([id, value]) => [id, 0, 1, value])];
  return [
    numberField(33550, 'double', [grid.pixelWidth, grid.pixelHeight, 0]),
    numberField(33922, 'double', [0, 0, 0, grid.west, grid.north, 0]),
    numberField(34735, 'short', directory),
  ];
}
