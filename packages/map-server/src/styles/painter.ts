import type { Rgba } from '@headwater/core';
import type { MapRaster, MapSamples } from '@headwater/core/ports';
import type { ColorMap, RasterSymbol } from './style-model.ts';

/** Converts the samples of a raster to colours. */
export interface Painter {
  readonly palette: readonly Rgba[];
  /** Palette index of each sample. */
  readonly paint: (samples: MapSamples) => Uint8Array;
}

/** Properties of a raster that decide its colours. */
export type PaintedRaster = Pick<MapRaster, 'type' | 'nodata' | 'scaling' | 'colors'>;

const TRANSPARENT: Rgba = [0, 0, 0, 0];
const MOST = 256;

/**
 * Creates the painter of a raster. Without a colour map, uses the colours of the file, or grey over `range`. Ramps are
 * reduced to at most 255 colours. Throws an Error for more than 255 different colours in a colour map or in the file,
 * and for a ramp of more than 254 stops.
 */
export function createPainter(
  raster: PaintedRaster,
  symbol: RasterSymbol | undefined,
  range: readonly [number, number],
): Painter {
  const opacity = Math.min(1, Math.max(0, symbol?.opacity ?? 1));
  const scale = ({ palette, indexOf }: Colors): Colors => ({
    indexOf,
    palette: palette.map(([r, g, b, alpha]): Rgba => [r, g, b, Math.round(alpha * opacity)]),
  });
  const map = symbol?.colors ?? null;
  const colors = scale(map === null ? (ownColors(raster) ?? rampColors(greys(range))) : mapColors(map));
  const { nodata, scaling, type } = raster;
  const empty = nodata !== null && type === 'float32' ? Math.fround(nodata) : nodata;
  const indexOf = (sample: number): number => {
    if (sample === empty || Number.isNaN(sample)) return 0;
    return colors.indexOf(scaling === null ? sample : sample * scaling.scale + scaling.offset);
  };
  return { palette: colors.palette, paint: painterOf(type, indexOf) };
}

/** A palette (first colour transparent) and the index of a value. */
interface Colors {
  readonly palette: readonly Rgba[];
  readonly indexOf: (value: number) => number;
}

function ownColors({ colors }: PaintedRaster): Colors | undefined {
  if (colors === null) return undefined;
  const { palette, at } = distinct(colors);
  return { palette, indexOf: (value) => at[value] ?? 0 };
}

/** A palette: transparent, then each different colour once. `at`: palette index of each element of `colors`. */
function distinct(colors: readonly Rgba[]): { readonly palette: readonly Rgba[]; readonly at: readonly number[] } {
  const palette: Rgba[] = [TRANSPARENT];
  const known = new Map<string, number>();
  const at = colors.map((color) => {
    const key = color.join();
    const index = known.get(key) ?? palette.push(color) - 1;
    known.set(key, index);
    return index;
  });
  if (palette.length > MOST)
    throw new Error(`the colour map has ${palette.length - 1} colours; at most ${MOST - 1} are drawn`);
  return { palette, at };
}

function greys([low, high]: readonly [number, number]): ColorMap {
  const entry = (value: number, grey: number): ColorMap['entries'][number] => ({
    value,
    color: [grey, grey, grey, 255],
    label: String(value),
  });
  return { type: 'ramp', entries: high > low ? [entry(low, 0), entry(high, 255)] : [entry(low, 128)] };
}

function mapColors(map: ColorMap): Colors {
  if (map.type === 'ramp') return rampColors(map);
  const { palette, at } = distinct(map.entries.map(({ color }) => color));
  if (map.type === 'values') {
    const indexes = new Map(map.entries.map(({ value }, entry) => [value, at[entry] ?? 0]));
    return { palette, indexOf: (value) => indexes.get(value) ?? 0 };
  }
  const limits = map.entries.map(({ value }) => value);
  return { palette, indexOf: (value) => at[countUpTo(limits, value)] ?? 0 };
}

/** Number of ascending limits that are at most `value`. */
function countUpTo(limits: readonly number[], value: number): number {
  let [low, high] = [0, limits.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (limits[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Part of a ramp between two stops: index of its first colour, number of colours, first value, range of values. */
interface RampPart {
  readonly first: number;
  readonly steps: number;
  readonly from: number;
  readonly width: number;
}

function rampColors({ entries }: ColorMap): Colors {
  if (entries.length > MOST - 2)
    throw new Error(`the ramp has ${entries.length} stops; at most ${MOST - 2} are allowed`);
  const palette: Rgba[] = [TRANSPARENT];
  const needs = entries.slice(1).map(({ color }, i) => furthest(entries[i]!.color, color));
  const total = needs.reduce((sum, steps) => sum + steps, 0);
  const most = MOST - 2 - needs.length;
  const parts: RampPart[] = [];
  for (const [i, need] of needs.entries()) {
    const [lower, upper] = [entries[i]!, entries[i + 1]!];
    const steps = Math.max(1, total <= most ? need : Math.floor((need * most) / total));
    parts.push({ first: palette.length, steps, from: lower.value, width: upper.value - lower.value });
    for (let step = 0; step < steps; step += 1) palette.push(mix(lower.color, upper.color, step / steps));
  }
  const last = entries.at(-1);
  if (last !== undefined) palette.push(last.color);
  const stops = entries.map(({ value }) => value);
  const indexOf = (value: number): number => {
    const at = countUpTo(stops, value);
    if (at === 0) return 1;
    const part = parts[at - 1];
    if (part === undefined) return palette.length - 1;
    return part.first + Math.round(((value - part.from) / part.width) * part.steps);
  };
  return { palette, indexOf: last === undefined ? () => 0 : indexOf };
}

const CHANNELS = [0, 1, 2, 3] as const;

const furthest = (a: Rgba, b: Rgba): number =>
  Math.max(...CHANNELS.map((channel) => Math.abs(a[channel] - b[channel])));

function mix(a: Rgba, b: Rgba, share: number): Rgba {
  const at = (channel: 0 | 1 | 2 | 3): number => Math.round(a[channel] + (b[channel] - a[channel]) * share);
  return [at(0), at(1), at(2), at(3)];
}

/**
 * Types with few values, for which the palette index of each value is computed once: smallest value, and number of
 * values.
 */
const TABLES: Readonly<Partial<Record<MapRaster['type'], readonly [first: number, size: number]>>> = {
  uint8: [0, 256],
  int8: [-128, 256],
  uint16: [0, 65_536],
  int16: [-32_768, 65_536],
};

function painterOf(type: MapRaster['type'], indexOf: (sample: number) => number): Painter['paint'] {
  const [first = 0, size = 0] = TABLES[type] ?? [];
  const table = Uint8Array.from({ length: size }, (_, i) => indexOf(first + i));
  return (samples) => {
    const out = new Uint8Array(samples.length);
    if (size === 0) for (let i = 0; i < out.length; i += 1) out[i] = indexOf(samples[i]!);
    else for (let i = 0; i < out.length; i += 1) out[i] = table[samples[i]! - first]!;
    return out;
  };
}
