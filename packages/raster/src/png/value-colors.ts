import type { RampStop } from '@headwater/core/ports';
import type { Rgba } from '@headwater/core';

/** Values of a raster, row-major, NaN where there is no data. */
export interface ValueRaster {
  readonly data: Float32Array;
  readonly cols: number;
  readonly rows: number;
}

/** Shrinks a raster to `cols` x `rows`: each pixel is the mean of the values with data that it covers, NaN where none has. */
export function shrinkValues(source: ValueRaster, cols: number, rows: number): ValueRaster {
  const [sums, counts] = [new Float64Array(cols * rows), new Uint32Array(cols * rows)];
  for (let row = 0; row < source.rows; row += 1) {
    const base = Math.min(rows - 1, Math.floor((row * rows) / source.rows)) * cols;
    for (let col = 0; col < source.cols; col += 1) {
      const value = source.data[row * source.cols + col]!;
      if (Number.isNaN(value)) continue;
      const at = base + Math.min(cols - 1, Math.floor((col * cols) / source.cols));
      sums[at] = sums[at]! + value;
      counts[at] = counts[at]! + 1;
    }
  }
  return { data: Float32Array.from(sums, (sum, i) => sum / counts[i]!), cols, rows };
}

/** RGBA bytes of values by a ramp: interpolated between stops, the outer ones beyond; transparent where there is no data. */
export function colorValues({ data }: ValueRaster, ramp: readonly RampStop[]): Uint8Array {
  const stops = ramp.toSorted((a, b) => a.value - b.value);
  const out = new Uint8Array(4 * data.length);
  for (let i = 0; i < data.length; i += 1) {
    const value = data[i]!;
    if (!Number.isNaN(value)) out.set(colorAt(value, stops), 4 * i);
  }
  return out;
}

function colorAt(value: number, stops: readonly RampStop[]): Rgba {
  const above = stops.findIndex((stop) => stop.value >= value);
  const upper = stops.at(above);
  const lower = stops[Math.max(0, above - 1)];
  if (upper === undefined || lower === undefined) throw new RangeError('a ramp without a stop');
  if (above <= 0) return upper.color;
  const share = (value - lower.value) / (upper.value - lower.value);
  const mix = (channel: 0 | 1 | 2 | 3): number =>
    Math.round(lower.color[channel] + (upper.color[channel] - lower.color[channel]) * share);
  return [mix(0), mix(1), mix(2), mix(3)];
}
