/** Zone of each pixel, `[rows * cols]`: 0 without a zone, otherwise 1 to `count`. */
export interface ZoneIndex {
  readonly zones: Uint8Array | Uint16Array | Uint32Array | Int32Array;
  /** Number of zones. */
  readonly count: number;
}

/** Mean and population standard deviation by zone. Entry 0 is for pixels without a zone. */
export interface Moments {
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
}

/** Moments of a plane by zone, without NaN pixels. Two passes are used, because one pass loses precision. */
export function momentsOf(plane: Float32Array, { zones, count }: ZoneIndex): Moments {
  const mean = new Float64Array(count + 1);
  const deviation = new Float64Array(count + 1);
  const pixels = new Float64Array(count + 1);
  for (let at = 0; at < plane.length; at += 1) {
    const value = plane[at]!;
    if (Number.isNaN(value)) continue;
    mean[zones[at]!] = mean[zones[at]!]! + value;
    pixels[zones[at]!] = pixels[zones[at]!]! + 1;
  }
  for (let zone = 0; zone <= count; zone += 1) mean[zone] = pixels[zone]! > 0 ? mean[zone]! / pixels[zone]! : 0;
  for (let at = 0; at < plane.length; at += 1) {
    const away = plane[at]! - mean[zones[at]!]!;
    if (!Number.isNaN(away)) deviation[zones[at]!] = deviation[zones[at]!]! + away * away;
  }
  for (let zone = 0; zone <= count; zone += 1) {
    deviation[zone] = pixels[zone]! > 0 ? Math.sqrt(deviation[zone]! / pixels[zone]!) : 0;
  }
  return { mean, deviation };
}
