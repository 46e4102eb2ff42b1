import { type Box, OUTPUT_PIXEL_DEG, outputGrid, type PixelGrid, projectedBox } from '@headwater/core';

/** Metres of a degree of latitude, and of one of longitude on the equator. */
const METRES_PER_DEGREE = 111_320;
/** Heights in finer pixels than this (metres) are averaged: what lies in a pixel then is furrows and roofs, no land. */
const FINEST = 10;

/** A lon/lat box with this many metres more on each side. */
export function grown([west, south, east, north]: Box, metres: number): Box {
  const high = metres / METRES_PER_DEGREE;
  const wide = high / Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180);
  return [west - wide, south - high, east + wide, north + high];
}

/** Height of a grid's pixels in metres. */
export const pixelMetres = ({ crs, pixelHeight }: PixelGrid): number =>
  crs === 'EPSG:4326' ? pixelHeight * METRES_PER_DEGREE : pixelHeight;

/** Pixels of the DEM that are one pixel of what is computed, along each axis; `finest`: metres of the smallest pixels that are wanted. */
export const demStep = (dem: PixelGrid, finest: number = FINEST): number =>
  Math.max(1, Math.round(finest / pixelMetres(dem)));

/** Grid over a lon/lat box on the lattice of the DEM's own pixels, or of blocks of them where they are finer than `finest` metres (10). */
export function latticeGrid(dem: PixelGrid, box: Box, finest?: number): PixelGrid {
  const [west, south, east, north] = dem.crs === 'EPSG:4326' ? box : projectedBox(dem.crs, box);
  const step = demStep(dem, finest);
  const [width, height] = [dem.pixelWidth * step, dem.pixelHeight * step];
  const [col0, col1] = [Math.floor((west - dem.west) / width), Math.ceil((east - dem.west) / width)];
  const [row0, row1] = [Math.floor((dem.north - north) / height), Math.ceil((dem.north - south) / height)];
  return {
    crs: dem.crs,
    west: dem.west + col0 * width,
    north: dem.north - row0 * height,
    pixelWidth: width,
    pixelHeight: height,
    cols: col1 - col0,
    rows: row1 - row0,
  };
}

/** Grid in EPSG:4326 of what is published: the lattice of a DEM in degrees itself, so that nothing is warped; pixels of that size for one in UTM. */
export function publishedGrid(dem: PixelGrid, box: Box): PixelGrid {
  if (dem.crs === 'EPSG:4326') return latticeGrid(dem, box);
  return outputGrid(box, (OUTPUT_PIXEL_DEG * pixelMetres(dem) * demStep(dem)) / 10);
}
