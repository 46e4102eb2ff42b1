import { type IndexSpec, type StepWindow, BRIGHT_MARK } from '@headwater/core/pixel-plan';
import type { Five } from '../second/canopy.ts';
import { Dice } from '../second/dice.ts';
import type { CoverShares } from './covers.ts';
import type { Kind } from './kind.ts';
import { KINDS } from './kinds.ts';
import { type Look, looksOf, type SettingName } from './sky.ts';
import { COVER, GROUND, SOAKED } from './spectra.ts';

/** Steps and indices of a year's composites, as in a pixel plan. */
export interface SeriesRecipe {
  readonly steps: readonly StepWindow[];
  readonly core: readonly [number, number];
  readonly indices: readonly IndexSpec[];
}

/** Pixels of one setting, as input of a block function, with their kinds of land. */
export interface ObservedSetting {
  readonly kinds: readonly Kind[];
  readonly pixels: number;
  /** Index name -> int16 x 10000 by step (`from`..`to` of its spec) and pixel, -32768 = unknown. */
  readonly series: Readonly<Record<string, Int16Array>>;
  readonly clear: Uint16Array;
}

const UNKNOWN = -32_768;
const DAY_MS = 86_400_000;
const BANDS = ['blue', 'green', 'red', 'nir', 'swir16'];

/** Number of pixels of each kind of land, and the seed of the random numbers. */
export interface Sample {
  readonly each: number;
  readonly seed: number;
}

/** Simulates pixels of every kind of a setting over one year, for tests of consistency with crop calendars. */
export function observeSetting(name: SettingName, { each, seed }: Sample, recipe: SeriesRecipe): ObservedSetting {
  const { steps, core, indices } = recipe;
  const kinds = KINDS[name].flatMap((kind) => Array.from({ length: each }, () => kind));
  const pixels = kinds.length;
  const series = Object.fromEntries(
    indices.map(({ name: index, from, to }) => [index, new Int16Array((to - from) * pixels).fill(UNKNOWN)]),
  );
  const clear = new Uint16Array(pixels);
  const origin = Date.parse(steps[core[0]]?.start ?? '');
  const dayOf = (date: string): number => (Date.parse(date) - origin) / DAY_MS;
  for (const [i, kind] of kinds.entries()) {
    const dice = new Dice('setting', name, kind.name, i, seed);
    const seen = pixelOf(kind, dice, looksOf(name, dice));
    for (const [s, { start, end }] of steps.entries()) {
      const [from, to] = [dayOf(start), dayOf(end)];
      const dated = seen.filter(({ day }) => day >= from && day < to);
      if (s >= core[0] && s < core[1]) clear[i] = (clear[i] ?? 0) + dated.length;
      for (const spec of indices)
        if (s >= spec.from && s < spec.to)
          series[spec.name]![(s - spec.from) * pixels + i] = median(dated.map(({ light }) => valueOf(spec, light)));
    }
  }
  return { kinds, pixels, series, clear };
}

interface Seen {
  readonly day: number;
  readonly light: Five;
}

/** Observations of a pixel: a mix of ground, leaves and straw, with the effects of air and sensor. */
function pixelOf(kind: Kind, dice: Dice, looks: readonly Look[]): readonly Seen[] {
  const cover = kind.grow(dice);
  const grounds = [0, 1].map(() => GROUND[dice.pick(kind.grounds.map((g) => [g, 1] as const))]);
  const share = dice.next();
  const bright = Math.exp(dice.normal(0.12));
  const ground = five((b) => bright * ((grounds[0]?.[b] ?? 0) * share + (grounds[1]?.[b] ?? 0) * (1 - share)));
  return looks.map((look) => ({
    day: look.day,
    light: lightOf({ shares: cover(look.day), ground, leaf: COVER[kind.leaf] }, look, dice),
  }));
}

function lightOf(
  { shares, ground, leaf }: { readonly shares: CoverShares; readonly ground: Five; readonly leaf: Five },
  { snow, haze, shade }: Look,
  dice: Dice,
): Five {
  const { green, dry, flooded } = shares;
  const wet = flooded ? 1 : Math.max(0, dice.within(-0.5, 0.5)) + 0.3 * Math.max(0, green - dry);
  const open = Math.max(0, 1 - green - dry);
  const lying = snow ? dice.within(0.4, 1) * (1 - 0.5 * green) : 0;
  const air = dice.normal(0.004);
  const light = 1 + dice.normal(0.03);
  return five((b) => {
    const soil = (ground[b] ?? 0) * (1 - Math.min(1, wet) * (1 - (SOAKED[b] ?? 1)));
    const below = flooded ? 0.2 * soil + 0.8 * (COVER.water[b] ?? 0) : soil;
    const plants = green * (leaf[b] ?? 0) + dry * (COVER.straw[b] ?? 0) + open * below;
    const snowed = plants * (1 - lying) + lying * COVER.snow[b]!;
    const clouded = snowed * (1 - haze) + haze * COVER.cloud[b]!;
    return Math.max(0.001, clouded * (1 - shade) * light * (1 + dice.normal(0.025)) + air + dice.normal(0.003));
  });
}

const five = (value: (band: number) => number): Five => [value(0), value(1), value(2), value(3), value(4)];

function valueOf({ formula }: IndexSpec, light: Five): number {
  const dn = (band: string): number => Math.round(10_000 * (light[BANDS.indexOf(band)] ?? 0));
  if (formula.kind === 'band') return dn(formula.band);
  const sum = (names: readonly string[]): number => names.reduce((total, band) => total + dn(band), 0);
  const [a, b] = [sum(formula.plus), sum(formula.minus)];
  const value = Math.round((10_000 * (a - b)) / (a + b));
  const { bright } = formula;
  return bright !== undefined && value > bright.above && dn(bright.band) >= bright.from ? value - BRIGHT_MARK : value;
}

function median(values: readonly number[]): number {
  if (values.length === 0) return UNKNOWN;
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) >> 1;
}
