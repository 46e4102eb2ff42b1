import { DomainError } from '../errors.ts';
import type { PixelGrid } from '../ports/pixel-plan.ts';
import { toUtm, utmZone } from './utm.ts';

/** West, south, east, north; degrees lon/lat unless documented otherwise. */
export type Box = readonly [number, number, number, number];

/** Pixel size of the output raster, degrees: 10 m on the equator. */
export const OUTPUT_PIXEL_DEG = 8.983152841195215e-5;
/** Maximum number of pixels along one axis; every tehsil needs fewer. */
const MAX_SIDE = 60_000;

/** Returns the output grid in EPSG:4326 over a lon/lat box, aligned to multiples of the pixel size (degrees). */
export function outputGrid(box: Box, size: number = OUTPUT_PIXEL_DEG): PixelGrid {
  const [col0, row0] = [Math.floor(box[0] / size), Math.ceil(box[3] / size)];
  const [col1, row1] = [Math.ceil(box[2] / size), Math.floor(box[1] / size)];
  const grid = { crs: 'EPSG:4326', west: col0 * size, north: row0 * size, pixelWidth: size, pixelHeight: size };
  return checkedGrid({ ...grid, cols: Math.max(col1 - col0, 1), rows: Math.max(row0 - row1, 1) });
}

/** Returns the bounding box in UTM metres of a lon/lat box, whose edges are curved in UTM. */
export function projectedBox(crs: string, [w, s, e, n]: Box): Box {
  const zone = utmZone(crs);
  if (zone === undefined)
    throw new DomainError(
      'input_data',
      `${crs} is not a UTM zone on WGS84; use EPSG:32601 to EPSG:32660 (north) or EPSG:32701 to EPSG:32760 (south)`,
    );
  let box: Box = [Infinity, Infinity, -Infinity, -Infinity];
  const samples = 32;
  for (let i = 0; i <= samples; i++) {
    const lon = w + ((e - w) * i) / samples;
    const lat = s + ((n - s) * i) / samples;
    for (const [x, y] of [toUtm(zone, lon, s), toUtm(zone, lon, n), toUtm(zone, w, lat), toUtm(zone, e, lat)]) {
      box = [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)];
    }
  }
  return box;
}

/** Returns the grid unchanged; throws `input_data` if it has more than `MAX_SIDE` pixels along an axis. */
export function checkedGrid(grid: PixelGrid): PixelGrid {
  if (!(grid.cols <= MAX_SIDE && grid.rows <= MAX_SIDE)) {
    throw new DomainError(
      'input_data',
      `The area needs ${grid.cols} x ${grid.rows} pixels, but each side may have at most ${MAX_SIDE}: check the boundary and the MWS polygons of the place.`,
    );
  }
  return grid;
}

/**
 * Fraction of each pixel inside one zone. A run is a sequence of adjacent pixels with an equal fraction. Run k of row r
 * covers columns `from[k] .. to[k] - 1` with `fraction[k]` (above 0, at most 1). Row r has the runs k in
 * `start[r - top] .. start[r - top + 1] - 1`.
 */
export interface ZoneCover {
  /** First row with a run. */
  readonly top: number;
  /** Number of rows from `top`; 0 if the zone is outside of the raster. */
  readonly rows: number;
  readonly start: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly fraction: Float64Array;
}
