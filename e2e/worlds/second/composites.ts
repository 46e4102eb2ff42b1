import { type IndexSpec, type MaskRule, type StepWindow, BRIGHT_MARK } from '@headwater/core/pixel-plan';
import { SIDE } from './calendar.ts';
import type { Pass } from './passes.ts';

/** Steps, indices and mask of a year's composites, as in a pixel plan. */
export interface Recipe {
  readonly steps: readonly StepWindow[];
  readonly core: readonly [number, number];
  readonly indices: readonly IndexSpec[];
  readonly mask: MaskRule;
}

/** Composites of the whole square, as input of a block function. */
export interface Composites {
  /** Index name -> int16 x 10000, `[to - from][SIDE * SIDE]`, -32768 = unknown. */
  readonly series: Readonly<Record<string, Int16Array>>;
  /** Number of clear dates per pixel within the steps `core`. */
  readonly clear: Uint16Array;
}

const PIXELS = SIDE * SIDE;
const UNKNOWN = -32_768;

/** Computes the medians of the clear passes of each step. They equal the medians that the pixel engine computes. */
export function compose(passes: readonly Pass[], { steps, core, indices, mask }: Recipe): Composites {
  const masked = passes.map((pass) => ({ pass, clear: clearPixels(pass.scl, mask) }));
  const clear = new Uint16Array(PIXELS);
  const series = Object.fromEntries(
    indices.map(({ name, from, to }) => [name, new Int16Array((to - from) * PIXELS).fill(UNKNOWN)]),
  );
  for (const [step, { start, end }] of steps.entries()) {
    const dated = masked.filter(({ pass }) => pass.date >= start && pass.date < end);
    if (core[0] <= step && step < core[1])
      for (const date of dated) for (let i = 0; i < PIXELS; i++) clear[i] = (clear[i] ?? 0) + (date.clear[i] ?? 0);
    for (const index of indices) {
      if (step < index.from || step >= index.to) continue;
      const values = dated.map((date) => valuesOf(index, date.pass, date.clear));
      series[index.name]?.set(medians(values), (step - index.from) * PIXELS);
    }
  }
  return { series, clear };
}

/**
 * Returns 1 for clear pixels, otherwise 0. The code of a clear pixel is in `keep`, and no pixel within `dilate` mask
 * pixels (20 m) has a code of `grow`.
 */
function clearPixels(scl: Uint8Array, { keep, grow, dilate }: MaskRule): Uint8Array {
  const clear = scl.map((code) => (keep.includes(code) ? 1 : 0));
  const reach = 2 * dilate;
  for (const [i, code] of scl.entries()) {
    if (!grow.includes(code)) continue;
    const [row, col] = [Math.floor(i / SIDE), i % SIDE];
    const [left, right] = [Math.max(0, col - reach), Math.min(SIDE, col + reach + 1)];
    for (let r = Math.max(0, row - reach); r < Math.min(SIDE, row + reach + 1); r++)
      clear.fill(0, r * SIDE + left, r * SIDE + right);
  }
  return clear;
}

function valuesOf({ formula }: IndexSpec, { bands }: Pass, clear: Uint8Array): Int16Array {
  const plane = (name: string): Uint16Array => {
    const found = bands[name];
    if (found === undefined)
      throw new Error(`compose: the second world has no band ${name}; it has ${Object.keys(bands).join(', ')}`);
    return found;
  };
  const [plus, minus] =
    formula.kind === 'band' ? [[plane(formula.band)], []] : [formula.plus.map(plane), formula.minus.map(plane)];
  const { band, from, above } = (formula.kind === 'ratio' ? formula.bright : undefined) ?? UNMARKED;
  const bright = plane(band);
  return Int16Array.from(clear, (isClear, i) => {
    if (isClear === 0) return UNKNOWN;
    const sum = (planes: readonly Uint16Array[]): number => planes.reduce((total, p) => total + (p[i] ?? 0), 0);
    const [a, b] = [sum(plus), sum(minus)];
    if (formula.kind === 'band') return Math.min(32_767, a);
    const value = Math.round((10_000 * (a - b)) / (a + b));
    return value > above && (bright[i] ?? 0) >= from ? value - BRIGHT_MARK : value;
  });
}

/** Default for an index without `bright`: a rule that no pixel meets. */
const UNMARKED = { band: 'nir', from: Infinity, above: 0 };

function medians(values: readonly Int16Array[]): Int16Array {
  return Int16Array.from({ length: PIXELS }, (_, i) => {
    const known = values
      .map((plane) => plane[i] ?? UNKNOWN)
      .filter((v) => v !== UNKNOWN)
      .toSorted((a, b) => a - b);
    if (known.length === 0) return UNKNOWN;
    return ((known[(known.length - 1) >> 1] ?? 0) + (known[known.length >> 1] ?? 0)) >> 1;
  });
}
