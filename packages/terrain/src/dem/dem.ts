import type { PixelGrid } from '@headwater/core';
import { DomainError } from '@headwater/core/errors';
import { utmZone } from '@headwater/core/geo';

/** A digital elevation model: heights of pixel centres on a grid. */
export interface Dem {
  /** EPSG:4326 (degrees) or a UTM zone (metres). */
  readonly grid: PixelGrid;
  /** Heights in metres, row-major, `[rows * cols]`; NaN for unknown heights. */
  readonly heights: Float32Array;
}

/** Heights of a file's pixels. */
export interface HeightPlane {
  readonly grid: PixelGrid;
  /** Metres, row-major, `[rows * cols]`. */
  readonly heights: Float32Array | Int16Array | Uint16Array | Float64Array;
  /** No-data value, e.g. -32768 or -9999. If the file has no such value, only NaN means no data. */
  readonly nodata?: number | undefined;
}

/**
 * Creates a DEM from the heights of a file. In the copy, no-data values and values that are not finite become NaN.
 * Throws `input_data` for a CRS in which the size of pixels in metres is unknown, and if the number of heights is not
 * rows * cols.
 */
export function createDem({ grid, heights, nodata }: HeightPlane): Dem {
  checkCrs(grid.crs);
  if (heights.length !== grid.rows * grid.cols || heights.length === 0) {
    throw new DomainError(
      'input_data',
      `The DEM has ${heights.length} heights for ${grid.rows} rows of ${grid.cols} pixels: pass rows * cols heights.`,
    );
  }
  const copy = Float32Array.from(heights);
  // Heights are compared with the nodata value rounded to float32, because pixels contain the rounded value (often
  // -3.4e38).
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
