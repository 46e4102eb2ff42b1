import type { Plane } from '@headwater/core/pixel-plan';
import type { ValueStatistics } from '@headwater/core/ports';

/** Counts pixels by value 0-255. */
export class ClassTally {
  readonly histogram = new Float64Array(256);

  /** Uses two tables alternately: a CPU stalls if it adds to an entry that it has just written. */
  add(values: Uint8Array): void {
    const counts = new Uint32Array(512);
    for (let at = 0; at < values.length; at += 1) {
      const entry = values[at]! + ((at & 1) << 8);
      counts[entry] = counts[entry]! + 1;
    }
    for (let entry = 0; entry < 512; entry += 1) {
      this.histogram[entry & 255] = this.histogram[entry & 255]! + counts[entry]!;
    }
  }
}

/**
 * Statistics of the values with data, strip by strip: each around its own mean, then merged with the earlier ones (Chan, Golub and LeVeque
 * 1983), so that heights of 8000 m that differ by centimetres keep their precision.
 */
export class ValueTally {
  readonly #nodata: number;
  #total = 0;
  #count = 0;
  #mean = 0;
  /** Sum of squared differences from the mean. */
  #squares = 0;
  #minimum = Number.POSITIVE_INFINITY;
  #maximum = Number.NEGATIVE_INFINITY;

  constructor(nodata: number) {
    this.#nodata = nodata;
  }

  add(values: Plane): void {
    this.#total += values.length;
    const { count, sum } = this.#range(values);
    if (count === 0) return;
    const mean = sum / count;
    let squares = 0;
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at]!;
      if (value !== this.#nodata && !Number.isNaN(value)) squares += (value - mean) ** 2;
    }
    const [before, shift] = [this.#count, mean - this.#mean];
    this.#count += count;
    this.#mean += (shift * count) / this.#count;
    this.#squares += squares + (shift * shift * before * count) / this.#count;
  }

  #range(values: Plane): { readonly count: number; readonly sum: number } {
    let [count, sum, low, high] = [0, 0, this.#minimum, this.#maximum];
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at]!;
      if (value === this.#nodata || Number.isNaN(value)) continue;
      count += 1;
      sum += value;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    this.#minimum = low;
    this.#maximum = high;
    return { count, sum };
  }

  /** The statistics; undefined if no value was data. */
  statistics(): ValueStatistics | undefined {
    if (this.#count === 0) return undefined;
    return {
      minimum: this.#minimum,
      maximum: this.#maximum,
      mean: this.#mean,
      stddev: Math.sqrt(this.#squares / this.#count),
      count: this.#count,
      validPercent: (100 * this.#count) / this.#total,
    };
  }
}
