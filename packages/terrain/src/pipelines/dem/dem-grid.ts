import { type Box, outputGrid, type PixelGrid } from '@headwater/core';
import { OUTPUT_PIXEL_DEG, projectedBox } from '@headwater/core/geo';

/** Length of a degree of latitude, and of longitude at the equator, on a sphere of 6,378 km radius, m. */
const METRES_PER_DEGREE = 111_320;
/** Smallest side of a computed pixel, m. Finer DEMs show furrows and roofs instead of terrain. */
const FINEST = 10;

/** Margins of a box, m: north, east, south, west. */
export type Margins = readonly [north: number, east: number, south: number, west: number];

/** The same margin on all four sides. */
export const evenMargins = (metres: number): Margins => [metres, metres, metres, metres];

/** A lon/lat box, extended by margins. */
export function grown([west, south, east, north]: Box, [above, right, below, left]: Margins): Box {
  const high = 1 / METRES_PER_DEGREE;
  const wide = high / Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180);
  return [west - left * wide, south - below * high, east + right * wide, north + above * high];
}

/** Height of a pixel, m. */
export const pixelMetres = ({ crs, pixelHeight }: PixelGrid): number =>
  crs === 'EPSG:4326' ? pixelHeight * METRES_PER_DEGREE : pixelHeight;

/**
 * Number of DEM pixels along a side of a computed pixel. Computed pixels are about 10 m or larger, and at most `most`
 * cover the box.
 */
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

/** Grid over a lon/lat box. A pixel is a block of `step` by `step` DEM pixels. */
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

/** Grid of the published raster in EPSG:4326. For a DEM in degrees, no pixel is warped. */
export function publishedGrid(dem: PixelGrid, box: Box, step: number): PixelGrid {
  if (dem.crs === 'EPSG:4326') return latticeGrid(dem, box, step);
  return outputGrid(box, (OUTPUT_PIXEL_DEG * pixelMetres(dem) * step) / 10);
}
