import { type Box, type ComputedPlace, outputGrid } from '@headwater/core';
import { OUTPUT_PIXEL_DEG } from '@headwater/core/geo';
import type { PixelGrid } from '@headwater/core/pixel-plan';
import type { RasterHeader } from '@headwater/core/ports';

const OUTPUT_PIXEL_M = 10;

/** Side of a pixel at the equator, metres. */
export const gsdOf = ({ pixelWidth }: Pick<PixelGrid, 'pixelWidth'>): number =>
  Math.round((pixelWidth / OUTPUT_PIXEL_DEG) * OUTPUT_PIXEL_M * 10) / 10;

/**
 * Grid (EPSG:4326) of the published layer. Pixels in metres become pixels in degrees, with the same size at the
 * equator. Undefined for a file in degrees that does not reach the place.
 */
export function publishedGrid(header: RasterHeader, { box }: Pick<ComputedPlace, 'box'>): PixelGrid | undefined {
  if (header.crs !== 'EPSG:4326') return outputGrid(box, (header.pixelWidth / OUTPUT_PIXEL_M) * OUTPUT_PIXEL_DEG);
  // A file may write longitude -179 as 181. So its grid is shifted by multiples of 360 degrees, to the place.
  const away = (box[0] + box[2]) / 2 - header.west - (header.cols * header.pixelWidth) / 2;
  const turns = Math.abs(away) <= 180 ? 0 : Math.round(away / 360);
  return cut({ ...header, west: header.west + 360 * turns }, box);
}

function cut(header: RasterHeader, [west, south, east, north]: Box): PixelGrid | undefined {
  const { crs, pixelWidth, pixelHeight } = header;
  const [left, right] = span([west - header.west, east - header.west], pixelWidth, header.cols);
  const [top, bottom] = span([header.north - north, header.north - south], pixelHeight, header.rows);
  const [cols, rows] = [right - left, bottom - top];
  if (cols <= 0 || rows <= 0) return undefined;
  const corner = { west: header.west + left * pixelWidth, north: header.north - top * pixelHeight };
  return { crs, ...corner, pixelWidth, pixelHeight, cols, rows };
}

function span([from, to]: readonly [number, number], pixel: number, most: number): readonly [number, number] {
  const within = (index: number): number => Math.min(Math.max(index, 0), most);
  return [within(Math.floor(from / pixel)), within(Math.ceil(to / pixel))];
}
