import { describe, expect, it } from 'vitest';
import { BRIGHT_MARK, INDEX_NODATA, type IndexFormula } from '@headwater/core/pixel-plan';
import { classifyBlock } from '../classify/blocks.ts';
import { lulcSeries } from '../series/series.ts';

/** Reflectance by band; null = cloud. */
type Spectrum = Readonly<Record<'blue' | 'green' | 'red' | 'nir' | 'swir16', number>> | null;

const spectrum = (...[blue, green, red, nir, swir16]: readonly [number, number, number, number, number]): Spectrum => ({
  blue,
  green,
  red,
  nir,
  swir16,
});

// Sources of the spectra: for snow, Dozier 1989 and the ranges of Sen2Cor; for salt, spectral libraries of dry salt
// lakes.
const FRESH = spectrum(0.86, 0.85, 0.84, 0.78, 0.08);
const OLD = spectrum(0.6, 0.58, 0.56, 0.48, 0.05);
const PATCHY = spectrum(0.36, 0.36, 0.37, 0.36, 0.16);
const SHADED = spectrum(0.2, 0.17, 0.14, 0.12, 0.015);
const GRASS = spectrum(0.05, 0.08, 0.1, 0.28, 0.24);
const MEADOW = spectrum(0.04, 0.07, 0.07, 0.32, 0.2);
const STONES = spectrum(0.1, 0.13, 0.16, 0.2, 0.26);
const WATER = spectrum(0.05, 0.06, 0.04, 0.02, 0.01);
const SILT = spectrum(0.1, 0.14, 0.16, 0.15, 0.03);
const WET_SALT = spectrum(0.48, 0.53, 0.56, 0.57, 0.32);
const DRY_SALT = spectrum(0.42, 0.47, 0.5, 0.52, 0.42);
const SAND = spectrum(0.17, 0.25, 0.34, 0.42, 0.5);
const ROOFS = spectrum(0.2, 0.21, 0.22, 0.24, 0.25);

function indexOf(formula: IndexFormula, seen: Spectrum): number {
  if (seen === null) return INDEX_NODATA;
  const dn = (name: string): number =>
    10_000 * (Object.entries(seen).find(([band]) => band === name)?.[1] ?? Number.NaN);
  if (formula.kind === 'band') return Math.round(dn(formula.band));
  const sum = (names: readonly string[]): number => names.reduce((total, name) => total + dn(name), 0);
  const [a, b] = [sum(formula.plus), sum(formula.minus)];
  const value = Math.round((10_000 * (a - b)) / (a + b));
  const { band, from, above } = formula.bright ?? { band: 'nir', from: Infinity, above: 0 };
  return value > above && dn(band) >= from ? value - BRIGHT_MARK : value;
}

function classOf(months: readonly Spectrum[]): number | undefined {
  const { steps, core, indices } = lulcSeries(2021);
  const monthOf = (start: string): number => (new Date(Date.parse(start) + 7 * 86_400_000).getUTCMonth() + 6) % 12;
  const series = Object.fromEntries(
    indices.map(({ name, formula, from, to }) => [
      name,
      Int16Array.from(steps.slice(from, to), ({ start }) => indexOf(formula, months[monthOf(start)] ?? null)),
    ]),
  );
  const outputs = { labels: new Uint8Array(1), crops: new Uint8Array(1), quality: new Uint8Array(1) };
  classifyBlock({ pixels: 1, series, clear: Uint16Array.of(30), outputs, params: { core } });
  return outputs.labels[0];
}

/** Spectra of the twelve months: `summer` from July, four winter months from November, then `spring` until June. */
const winter = (
  summer: Spectrum,
  [nov, dec, jan, feb]: readonly [Spectrum, Spectrum, Spectrum, Spectrum],
  spring = summer,
): Spectrum[] => [summer, summer, summer, summer, nov, dec, jan, feb, spring, spring, spring, spring];

describe('a snowy slope', () => {
  it.each([
    ['fresh snow', winter(GRASS, [FRESH, FRESH, FRESH, FRESH])],
    ['old snow', winter(GRASS, [GRASS, OLD, OLD, OLD])],
    ['melting snow', winter(GRASS, [PATCHY, OLD, OLD, PATCHY])],
    ['snow in shade for half of the winter', winter(GRASS, [OLD, SHADED, SHADED, OLD])],
    ['snow under cloud except for one month', winter(GRASS, [null, null, OLD, null])],
    ['snow into May', [GRASS, GRASS, GRASS, GRASS, OLD, FRESH, FRESH, FRESH, FRESH, OLD, PATCHY, GRASS]],
  ])('%s over dry grass is neither water nor a harvested crop', (_, months) => expect(classOf(months)).toBe(12));

  it('with a meadow has the same class as without snow, because the ground under snow counts as unchanged', () =>
    expect(classOf(winter(MEADOW, [OLD, FRESH, FRESH, OLD]))).toBe(
      classOf(winter(MEADOW, [MEADOW, MEADOW, MEADOW, MEADOW])),
    ));

  it.each([
    ['stones under snow for five months', winter(STONES, [FRESH, FRESH, FRESH, FRESH], STONES).with(8, OLD)],
    ['snow that never melts', Array.from({ length: 12 }, () => OLD)],
    ['snow that melts for a month', Array.from({ length: 12 }, (_, month) => (month === 1 ? STONES : FRESH))],
  ])('%s are barren', (_, months) => expect(classOf(months)).toBe(7));

  it('with roofs has the same class as without snow', () => {
    expect(classOf(winter(ROOFS, [ROOFS, ROOFS, ROOFS, ROOFS]))).toBe(1);
    expect(classOf(winter(ROOFS, [ROOFS, OLD, FRESH, ROOFS]))).toBe(1);
  });
});

describe('bright ground', () => {
  it('is marked only if its MNDWI is as high as that of water', () => {
    const formula = lulcSeries(2021).indices.find(({ name }) => name === 'mndwi')?.formula;
    const marked = [GRASS, MEADOW, SAND, ROOFS, WATER, SILT, FRESH, OLD, WET_SALT, DRY_SALT].map(
      (seen) => formula !== undefined && indexOf(formula, seen) < -10_000,
    );
    expect(marked).toEqual([false, false, false, false, false, false, true, true, true, true]);
  });

  it.each([
    ['a wet salt pan', WET_SALT],
    ['a dry salt pan', DRY_SALT],
    ['bright sand', SAND],
  ])('%s in all months is barren', (_, ground) => expect(classOf(Array.from({ length: 12 }, () => ground))).toBe(7));

  it('of a salt pan that is flooded in the monsoon is water only in the monsoon', () =>
    expect(classOf([SILT, WATER, WATER, WATER, ...Array.from({ length: 8 }, () => WET_SALT)])).toBe(2));
});

describe('a lake in winter', () => {
  const lake = (...fromNovember: readonly Spectrum[]): Spectrum[] =>
    Array.from({ length: 12 }, (_, month) => (month < 4 ? WATER : (fromNovember[month - 4] ?? WATER)));

  it.each([
    ['open', lake(WATER, WATER, WATER, WATER)],
    ['silty in the monsoon', lake(WATER, WATER, WATER, WATER).with(0, SILT).with(1, SILT)],
    ['under snow for three months', lake(WATER, FRESH, FRESH, OLD)],
    ['under snow from November to April', lake(OLD, FRESH, FRESH, FRESH, OLD, PATCHY)],
    ['under snow with the monsoon under cloud', [null, null, null, ...lake(OLD, FRESH, FRESH, OLD).slice(3)]],
  ])('remains a lake: %s', (_, months) => expect(classOf(months)).toBe(4));

  it('is water only in kharif if it dries up before the snow', () =>
    expect(classOf(winter(WATER, [STONES, FRESH, FRESH, OLD], STONES))).toBe(2));
});
