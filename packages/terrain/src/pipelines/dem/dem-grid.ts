import { type Box, outputGrid, type PixelGrid } from '@headwater/core';
import { OUTPUT_PIXEL_DEG, projectedBox } from '@headwater/core/geo';

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

/** Pixels of the DEM that are one pixel of what is computed, along each axis: of 10 m or more, and so many that a box has `most` at most. */
export function stepWithin(dem: PixelGrid, box: Box, most: number): number {
  const first = Math.max(1, Math.round(FINEST / pixelMetres(dem)));
  const { cols, rows } = latticeGrid(dem, box, first);
  let step = Math.max(first, Math.floor(first * Math.sqrt((cols * rows) / most)));
  for (;;) {
    const grid = latticeGrid(dem, box, step);
    if (grid.cols * grid.rows <= most) return step;
    step += 1;
  }
}

/** Grid over a lon/lat box on the lattice of blocks of `step` by `step` pixels of the DEM. */
export function latticeGrid(dem: PixelGrid, box: Box, step: number): PixelGrid {
  const [west, south, east, north] = dem.crs === 'EPSG:4326' ? box : projectedBox(dem.crs, box);
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
export function publishedGrid(dem: PixelGrid, box: Box, step: number): PixelGrid {
  if (dem.crs === 'EPSG:4326') return latticeGrid(dem, box, step);
  return outputGrid(box, (OUTPUT_PIXEL_DEG * pixelMetres(dem) * step) / 10);
}
