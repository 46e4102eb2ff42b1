/** Value and colour of a class. */
export interface DrawnClass {
  readonly value: number;
  /** `#rrggbb`; a class without colour is not drawn. */
  readonly color: string | undefined;
}

/** Colours (`#rrggbb`) of the shown classes, by value. */
export function coloursOf(classes: readonly DrawnClass[], off: ReadonlySet<number>): ReadonlyMap<number, string> {
  return new Map(
    classes.flatMap(({ value, color }) => (color === undefined || off.has(value) ? [] : [[value, color] as const])),
  );
}

/** Converts values to RGBA pixels. Values that are not in `colours` are transparent. */
export function pixelsOf(
  values: ArrayLike<number>,
  colours: ReadonlyMap<number, string>,
): Uint8ClampedArray<ArrayBuffer> {
  const numbers = new Map([...colours].map(([value, color]) => [value, Number.parseInt(color.slice(1), 16)]));
  const pixels = new Uint8ClampedArray(values.length * 4);
  for (let index = 0; index < values.length; index++) {
    const color = numbers.get(values[index]!);
    if (color === undefined) continue;
    pixels[4 * index] = color >> 16;
    pixels[4 * index + 1] = (color >> 8) & 255;
    pixels[4 * index + 2] = color & 255;
    pixels[4 * index + 3] = 255;
  }
  return pixels;
}

/** A stop of a ramp: value, colour `#rrggbb`, opacity 0 to 1. */
export interface RampStop {
  readonly value: number;
  readonly color: string;
  readonly opacity: number;
}

/**
 * Converts values to RGBA pixels of a ramp, as in previews. Colours are interpolated and clamped; NaN is transparent.
 */
export function rampPixels(values: ArrayLike<number>, ramp: readonly RampStop[]): Uint8ClampedArray<ArrayBuffer> {
  const stops = ramp
    .map(({ value, color, opacity }) => {
      const number = Number.parseInt(color.slice(1), 16);
      return { value, channels: [number >> 16, (number >> 8) & 255, number & 255, 255 * opacity] };
    })
    .sort((a, b) => a.value - b.value);
  const pixels = new Uint8ClampedArray(values.length * 4);
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (Number.isNaN(value)) continue;
    const found = stops.findIndex((stop) => stop.value >= value);
    const upper = stops.at(found);
    const lower = found > 0 ? stops[found - 1] : upper;
    if (upper === undefined || lower === undefined) break;
    const share = lower === upper ? 0 : (value - lower.value) / (upper.value - lower.value);
    for (let channel = 0; channel < 4; channel++) {
      const from = lower.channels[channel] ?? 0;
      pixels[4 * index + channel] = Math.round(from + ((upper.channels[channel] ?? 0) - from) * share);
    }
  }
  return pixels;
}

/** Reads the ramp of the SLD at `address`. Throws if the SLD cannot be read or has no ramp. */
export async function readRamp(address: string): Promise<readonly RampStop[]> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} responded ${response.status}`);
  const style = new DOMParser().parseFromString(await response.text(), 'text/xml');
  const stops = [...style.querySelectorAll('ColorMap[type=ramp] > ColorMapEntry')].map((entry) => ({
    value: Number(entry.getAttribute('quantity') ?? NaN),
    color: entry.getAttribute('color') ?? '',
    opacity: Number(entry.getAttribute('opacity') ?? 1),
  }));
  if (stops.length === 0) throw new Error(`${address} has no ramp of colours`);
  return stops;
}
