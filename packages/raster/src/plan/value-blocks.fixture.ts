import {
  planeOf,
  type CombineBlockInput,
  type CompositeBlockInput,
  type Plane,
  type WholeBlockInput,
} from '@headwater/core/pixel-plan';

// Block functions for the tests of planes with values.

/**
 * Writes three outputs: `raw` (int16, first composite of `ndvi`), `ratio` (float32, this composite / 10000) and `days`
 * (uint8, number of clear days).
 */
export function valuesOfNdvi({ pixels, series, clear, outputs }: CompositeBlockInput<Plane>): void {
  const [ratio, raw, days] = [
    planeOf(outputs, 'ratio', 'float32'),
    planeOf(outputs, 'raw', 'int16'),
    planeOf(outputs, 'days', 'uint8'),
  ];
  for (let i = 0; i < pixels; i++) {
    raw[i] = series['ndvi']?.[i] ?? 0;
    ratio[i] = (raw[i] ?? 0) / 10_000;
    days[i] = clear[i] ?? 0;
  }
}

/** Writes `third` (float32): `raw` / 3 + `days`, and `back` (int16): -`raw`. */
export function thirds({ pixels, inputs, outputs }: CombineBlockInput<Plane>): void {
  const [raw, days] = [planeOf(inputs, 'raw', 'int16'), planeOf(inputs, 'days', 'uint8')];
  const [third, back] = [planeOf(outputs, 'third', 'float32'), planeOf(outputs, 'back', 'int16')];
  for (let i = 0; i < pixels; i++) {
    third[i] = (raw[i] ?? 0) / 3 + (days[i] ?? 0);
    back[i] = -(raw[i] ?? 0);
  }
}

/**
 * Writes `slope` (float32, percent): the larger of the slopes to the neighbour on the right and to the one below. The
 * returned value contains the highest pixel.
 */
export function slope({ grid, inputs, outputs, progress }: WholeBlockInput): unknown {
  const [height, out] = [planeOf(inputs, 'height', 'float32'), planeOf(outputs, 'slope', 'float32')];
  const { cols, rows, pixelWidth } = grid;
  let top = { value: -Infinity, col: 0, row: 0 };
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const at = row * cols + col;
      const here = height[at] ?? Number.NaN;
      const right = height[Math.min(col + 1, cols - 1) + row * cols] ?? Number.NaN;
      const below = height[col + Math.min(row + 1, rows - 1) * cols] ?? Number.NaN;
      out[at] = here === -9999 ? -9999 : (100 * Math.max(Math.abs(here - right), Math.abs(here - below))) / pixelWidth;
      if (here > top.value) top = { value: here, col, row };
    }
    if (row % 100 === 0) progress((row + 1) / rows);
  }
  progress(1);
  return { top, note: null, list: [1, 'two', true] };
}

/** Returns a value that JSON cannot express. */
export const returnsNaN = (): unknown => ({ mean: Number.NaN });

/** Returns nothing. */
export function returnsNothing(): void {}

/** Needs an input `codes` of the type float32; throws if the plan has none. */
export function wantsFloat({ inputs }: WholeBlockInput): void {
  planeOf(inputs, 'codes', 'float32');
}

/** Reports progress, then never returns. */
export function spinWhole({ progress }: WholeBlockInput): void {
  progress(0.5);
  for (;;);
}
