import type { PixelGrid } from '@headwater/core';
import { DomainError } from '@headwater/core/errors';
import { utmZone } from '@headwater/core/geo';

/** A digital elevation model: heights of pixel centres on a grid. */
export interface Dem {
  /** EPSG:4326 (degrees) or a UTM zone (metres). */
  readonly grid: PixelGrid;
  /** Metres, row-major, `[rows * cols]`; NaN where nothing is known. */
  readonly heights: Float32Array;
}

/** What a file says of its pixels. */
export interface HeightPlane {
  readonly grid: PixelGrid;
  /** Metres, row-major, `[rows * cols]`. */
  readonly heights: Float32Array | Int16Array | Uint16Array | Float64Array;
  /** Value that stands for "nothing known", e.g. -32768 or -9999; absent = only NaN does. */
  readonly nodata?: number | undefined;
}

/**
 * A DEM of a plane as a file holds it; nodata and values that are not finite become NaN in a copy.
 * Throws `input_data` for a CRS whose pixels have no known size in metres, or a plane that is not rows * cols long.
 */
export function createDem({ grid, heights, nodata }: HeightPlane): Dem {
  checkCrs(grid.crs);
  if (heights.length !== grid.rows * grid.cols || heights.length === 0) {
    throw new DomainError(
      'input_data',
      `The DEM has ${heights.length} heights for ${grid.rows} rows of ${grid.cols} pixels: give rows * cols of them.`,
    );
  }
  const copy = Float32Array.from(heights);
  // Compared as float32, as the file's nodata (often -3.4e38) is rounded in its own pixels.
  const absent = nodata === undefined ? Number.NaN : Math.fround(nodata);
  for (let at = 0; at < copy.length; at += 1) {
    if (copy[at] === absent || !Number.isFinite(copy[at])) copy[at] = Number.NaN;
  }
  return { grid, heights: copy };
}

function checkCrs(crs: string): void {
  if (crs === 'EPSG:4326' || utmZone(crs) !== undefined) return;
  throw new DomainError(
    'input_data',
    `The DEM is in ${crs}, whose pixels have no known size in metres. Warp it to EPSG:4326 or to its UTM zone (EPSG:326zz, EPSG:327zz).`,
  );
}
