import type { WorkContext } from '@headwater/core';
import type { ZonalRequest, ZonalValues, ZoneValues } from '@headwater/core/ports';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import { openRaster } from '../tiff/open-raster.ts';
import type { Coverage } from './coverage-runs.ts';
import { pixelAreasM2 } from '@headwater/core/geo';
import { M2_PER_HA } from './zonal.ts';
import { checkZonal, coverZones, sumZones } from './zone-strips.ts';

/** Types that a float32 represents exactly. */
const TYPES = ['uint8', 'int8', 'uint16', 'int16', 'float32'] as const;

/**
 * Mean, sum, range and area with data of each zone, weighted like in `zonal`: covered fraction (planar in lon/lat) x ellipsoidal pixel area.
 * Float values that are not finite are nodata. Zones with the same id are added. Throws `input_data` for another CRS or type.
 */
export async function zonalValues({ path, zones }: ZonalRequest, context: WorkContext): Promise<ZonalValues> {
  const file = await openRaster(path, { signal: context.signal });
  try {
    checkZonal(file, 'values of zones', TYPES);
    const rowAreas = pixelAreasM2(file.grid);
    const request = { file, coverage: coverZones(zones, file.grid), make: () => new ValueSums() };
    const sums = await sumZones(request, context, async ({ window, parts }) => {
      const data = new Float32Array(window.cols * window.rows);
      await file.readValues(window, data);
      for (const part of parts) part.sums.add(part.coverage, { ...window, data }, rowAreas);
    });
    return Object.fromEntries([...sums].map(([id, own]) => [id, own.result()]));
  } finally {
    file.close();
  }
}

/** Values of a window of the raster, row-major, NaN for nodata. */
interface ValueWindow extends PixelWindow {
  readonly data: Float32Array;
}

/**
 * Minimum share of a pixel that a zone must cover, so that the pixel counts for the range and for the number of pixels. A border along
 * pixel edges misses them by up to 1e-9 of a pixel, because degrees are rounded. Without the minimum, a neighbour's value could then become
 * the minimum of the zone.
 */
const TOUCHED = 1e-6;

/** Sums of one zone. Each row is summed by covered fraction first, then weighted by the area of its pixels. */
class ValueSums {
  #m2 = 0;
  #sum = 0;
  #pixels = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;

  /** Adds some rows; `rowAreas` has one entry per row of the raster. */
  add(coverage: Coverage, values: ValueWindow, rowAreas: Float64Array): void {
    const first = Math.max(coverage.top, values.row);
    const last = Math.min(coverage.top + coverage.rows, values.row + values.rows);
    for (let row = first; row < last; row += 1) this.#addRow(coverage, values, { row, area: rowAreas[row]! });
  }

  #addRow(coverage: Coverage, values: ValueWindow, { row, area }: { row: number; area: number }): void {
    const { data } = values;
    const base = (row - values.row) * values.cols - values.col;
    const end = coverage.start[row - coverage.top + 1]!;
    let [covered, sum, pixels, low, high] = [0, 0, 0, this.#min, this.#max];
    for (let run = coverage.start[row - coverage.top]!; run < end; run += 1) {
      const fraction = coverage.fraction[run]!;
      let [count, part] = [0, 0];
      for (let at = base + coverage.from[run]!; at < base + coverage.to[run]!; at += 1) {
        const value = data[at]!;
        if (Number.isNaN(value)) continue;
        count += 1;
        part += value;
        if (fraction < TOUCHED) continue;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      if (fraction >= TOUCHED) pixels += count;
      covered += fraction * count;
      sum += fraction * part;
    }
    this.#m2 += covered * area;
    this.#sum += sum * area;
    this.#pixels += pixels;
    this.#min = low;
    this.#max = high;
  }

  result(): ZoneValues {
    const pixels = this.#pixels;
    if (pixels === 0) return { areaHa: 0, mean: null, sum: 0, min: null, max: null, pixels };
    const [areaHa, mean] = [this.#m2 / M2_PER_HA, this.#sum / this.#m2];
    return { areaHa, mean, sum: this.#sum, min: this.#min, max: this.#max, pixels };
  }
}
