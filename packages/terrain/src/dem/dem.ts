import type { PixelGrid } from '@headwater/core';
import { DomainError } from '@headwater/core/errors';
import { utmZone } from '@headwater/core/geo';

/** A digital elevation model: heights at pixel centres. */
export interface Dem {
  /** EPSG:4326 (degrees) or a UTM zone (m). */
  readonly grid: PixelGrid;
  /** Heights in m, row-major `[rows * cols]`; NaN is unknown. */
  readonly heights: Float32Array;
}

/** Heights of a file's pixels. */
export interface HeightPlane {
  readonly grid: PixelGrid;
  /** Metres, row-major `[rows * cols]`. */
  readonly heights: Float32Array | Int16Array | Uint16Array | Float64Array;
  /** No-data value, such as -32768. NaN and infinite values always mean no data. */
  readonly nodata?: number | undefined;
}

/**
 * Creates a DEM from a file's heights; no-data values become NaN. Throws `input_data` for an unsupported CRS or a wrong
 * number of heights.
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
  // The copied pixels are rounded to float32, so the no-data value (often 3.4e38) is rounded too.
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
