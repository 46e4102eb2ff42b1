import type { WorkContext } from '@headwater/core';
import type { ZonalValues, ZonalValuesRequest, ZoneValues } from '@headwater/core/ports';
import { createKernels } from '../pixels/kernels.ts';
import { sampleBytes, type Dtype } from '../pixels/pixel-array.ts';
import { openRaster } from '../tiff/open-raster.ts';
import { pixelAreasM2 } from '@headwater/core/geo';
import { type DistributionRequest, distributionOf, ZoneDistribution } from './distribution.ts';
import { runsIn, type RunRows, sumRuns, sumRunsReference, type ValueWindow } from './run-sums.ts';
import { M2_PER_HA } from './zonal.ts';
import { checkZonal, coverZones, sumZones } from './zone-strips.ts';

const TYPES = ['uint8', 'int8', 'uint16', 'int16', 'float32', 'uint32', 'int32', 'float64'] as const;

/** True for a type whose values a float32 can represent exactly. The kernels sum only such types. */
const fitsFloat32 = (type: Dtype): boolean => type === 'float32' || sampleBytes(type) <= 2;

/**
 * Mean, sum, range and area with data of each zone, weighted as in `zonal`. Floats that are not finite are nodata.
 * Zones with the same id are added. Throws `input_data` for a CRS other than EPSG:4326, and impossible quantiles or
 * bins.
 */
export async function zonalValues(request: ZonalValuesRequest, context: WorkContext): Promise<ZonalValues> {
  const { path, zones } = request;
  const wanted = distributionOf(request);
  const file = await openRaster(path, { signal: context.signal });
  try {
    checkZonal(file, 'values of zones', TYPES);
    const rowAreas = pixelAreasM2(file.grid);
    const input = { file, coverage: coverZones(zones, file.grid), make: () => new ValueSums(wanted, rowAreas) };
    const kernels = createKernels();
    const sums = await sumZones(input, context, async ({ window, parts }) => {
      const pixels = window.cols * window.rows;
      if (!fitsFloat32(file.dtype)) {
        const data = new Float64Array(pixels);
        await file.readValues(window, data);
        const values = { ...window, data };
        for (const { coverage, sums: own } of parts)
          own.add(values, runsIn(coverage, window), (part) => sumRunsReference(values, part, own.range));
        return;
      }
      const mark = kernels.mark();
      const address = kernels.alloc(4 * pixels);
      await file.readValues(window, kernels.f32(address, pixels));
      for (const { coverage, sums: own } of parts) {
        const values = { ...window, data: kernels.f32(address, pixels) };
        own.add(values, runsIn(coverage, window), (part) =>
          sumRuns(kernels, { ...window, address }, { part, range: own.range }),
        );
      }
      kernels.reset(mark);
    });
    const results: [string, ZoneValues][] = [];
    for (const [id, own] of sums) results.push([id, await own.result(context.signal)]);
    return Object.fromEntries(results);
  } finally {
    file.close();
  }
}

/**
 * Minimum covered share of a pixel for the range, quantiles and histogram. Because of rounding, a border along pixel
 * edges also covers up to 1e-9 of the neighbouring pixels.
 */
const TOUCHED = 1e-6;

/** Sums of one zone, weighted by covered fraction and by the pixel area of each row. */
export class ValueSums {
  readonly range = { pixels: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, least: TOUCHED };
  readonly #rowAreas: Float64Array;
  readonly #distribution: ZoneDistribution | null;
  #m2 = 0;
  #sum = 0;

  constructor(wanted: DistributionRequest | null, rowAreas: Float64Array) {
    this.#rowAreas = rowAreas;
    this.#distribution = wanted === null ? null : new ZoneDistribution(wanted);
  }

  /** Adds some rows. `sumsOf` returns the sums of each row as `sumRunsReference` does, and updates the range. */
  add(values: ValueWindow, part: RunRows, sumsOf: (part: RunRows) => Float64Array): void {
    this.#distribution?.add(values, part, { rowAreas: this.#rowAreas, least: TOUCHED });
    const sums = sumsOf(part);
    for (let r = 0; r < part.rows; r++) {
      const area = this.#rowAreas[part.row + r]!;
      this.#m2 += sums[2 * r]! * area;
      this.#sum += sums[2 * r + 1]! * area;
    }
  }

  /** Returns the statistics. Throws the reason of an abort. */
  async result(signal: AbortSignal): Promise<ZoneValues> {
    const { pixels, min, max } = this.range;
    const more = (await this.#distribution?.result(M2_PER_HA, signal)) ?? {};
    if (pixels === 0) return { areaHa: 0, mean: null, sum: 0, min: null, max: null, pixels, ...more };
    const [areaHa, mean] = [this.#m2 / M2_PER_HA, this.#sum / this.#m2];
    return { areaHa, mean, sum: this.#sum, min, max, pixels, ...more };
  }
}
