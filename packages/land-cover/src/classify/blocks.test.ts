import { describe, expect, it } from 'vitest';
import { classifyBlock } from './blocks.ts';
import { INDEX_NODATA } from '@headwater/core/pixel-plan';

const STEPS = 31;
const CORE = 23;
const FROM = 4;

/** NDVI of a field by core step (with margins: -4 to 26): bare ground with growth around each of `peaks`. */
const bumps =
  (...peaks: readonly number[]) =>
  (step: number): number =>
    2000 + peaks.reduce((sum, p) => sum + 5500 * Math.exp(-(((step - p) / 1.9) ** 2)), 0);

interface Pixel {
  readonly ndvi: (step: number) => number;
  readonly mndwi?: number;
  readonly bsi?: number;
  /** Returns true for clear steps, numbered as core steps; default: all steps are clear. */
  readonly isClear?: (step: number) => boolean;
  readonly dates?: number;
}

function classify(pixels: readonly Pixel[]) {
  const n = pixels.length;
  const plane = (steps: number, from: number, value: (p: Pixel, step: number) => number): Int16Array => {
    const out = new Int16Array(steps * n);
    for (let s = 0; s < steps; s++) {
      pixels.forEach(
        (p, i) =>
          (out[s * n + i] = (p.isClear ?? (() => true))(s - from) ? Math.round(value(p, s - from)) : INDEX_NODATA),
      );
    }
    return out;
  };
  const plane8 = (): Uint8Array => new Uint8Array(n);
  const outputs = { labels: plane8(), crops: plane8(), quality: plane8(), confidence: plane8() };
  const series = {
    ndvi: plane(STEPS, FROM, (p, s) => p.ndvi(s)),
    mndwi: plane(CORE, 0, (p) => p.mndwi ?? -4000),
    ndbi: plane(CORE, 0, () => 500),
    bsi: plane(CORE, 0, (p) => p.bsi ?? 1500),
  };
  classifyBlock({
    pixels: n,
    series,
    clear: Uint16Array.from(pixels, (p) => p.dates ?? 30),
    outputs,
    params: { core: [FROM, FROM + CORE] },
  });
  const { labels, crops, quality, confidence } = outputs;
  return { labels: [...labels], crops: [...crops], quality: [...quality], confidence: [...confidence] };
}

const label = (pixel: Pixel): number | undefined => classify([pixel]).labels[0];

describe('classifyBlock', () => {
  it('distinguishes the classes in ideal years', () => {
    const { labels, crops, quality } = classify([
      { ndvi: () => 1800, bsi: 700 },
      { ndvi: () => -2000, mndwi: 5000 },
      { ndvi: (s) => 7000 + 500 * Math.sin(s / 4) },
      { ndvi: () => 1000 },
      { ndvi: bumps(5) },
      { ndvi: bumps(13) },
      { ndvi: bumps(5, 13) },
      { ndvi: bumps(4, 11, 18) },
      { ndvi: (s) => 2900 + 1300 * Math.exp(-(((s - 5) / 5) ** 2)) },
    ]);
    expect(labels).toEqual([1, 4, 6, 7, 8, 9, 10, 11, 12]);
    expect(crops.slice(4, 8)).toEqual([8, 9, 10, 11]);
    expect(crops.every((c) => c >= 8 && c <= 11)).toBe(true);
    expect(quality.every((q) => q === 1)).toBe(true);
  });

  it('counts a crop across 1 July or 30 June in the year of its peak', () => {
    expect(label({ ndvi: bumps(0.6, 13) })).toBe(10);
    expect(label({ ndvi: bumps(-1.4, 13) })).toBe(9);
    expect(label({ ndvi: bumps(5, 22) })).toBe(10);
    expect(label({ ndvi: bumps(5, 24.4) })).toBe(8);
  });

  it('finds a kharif crop if the monsoon hid its rise', () => {
    const isClear = (s: number) => s < -1 || s >= 6;
    expect(label({ ndvi: bumps(5), isClear })).toBe(8);
    expect(label({ ndvi: bumps(5, 13), isClear })).toBe(10);
    expect(label({ ndvi: bumps(5, 13), isClear: (s) => s >= 6 && s < 23 })).toBe(10);
  });

  it('does not count a crop whose peak is before the year, even if this peak was not observed', () => {
    const tail = bumps(-2, 13);
    expect(label({ ndvi: tail })).toBe(9);
    expect(label({ ndvi: tail, isClear: (s) => s >= 0 })).toBe(9);
    expect(label({ ndvi: tail, isClear: (s) => s < -3 || s >= 0 })).toBe(9);
    // A gap counts as a monsoon gap only if at least three steps of the year (`hiddenGapSteps`) are missing.
    expect(label({ ndvi: bumps(-1, 13), isClear: (s) => s >= 1 })).toBe(9);
  });

  it('counts a crop that is not yet harvested at the last scene', () => {
    const untilMay = (s: number) => s <= 20;
    expect(label({ ndvi: bumps(20), isClear: untilMay })).toBe(9);
    expect(label({ ndvi: bumps(5, 20.4), isClear: untilMay })).toBe(10);
    expect(label({ ndvi: bumps(5, 13, 21), isClear: untilMay })).toBe(11);
    expect(label({ ndvi: bumps(5, 13), isClear: (s) => s <= 16 })).toBe(10);
  });

  const yearAlone = (s: number): boolean => s >= 0 && s < 23;
  const through =
    (...points: readonly (readonly [number, number])[]) =>
    (s: number): number => {
      const after = Math.max(
        1,
        points.findIndex(([step]) => step >= s),
      );
      const [[x0, y0], [x1, y1]] = [points[after - 1] ?? [0, 0], points[after] ?? [1, 0]];
      return y0 + ((y1 - y0) * (s - x0)) / (x1 - x0);
    };

  it('counts a crop that is cut by an end of the data, if NDVI rises at the start or falls at the end', () => {
    const second = through([0, 2500], [5, 2500], [8, 8500], [11, 8500], [13, 3500], [17, 8000], [20, 7800], [22, 6500]);
    const first = through([0, 6500], [1, 7500], [2, 8000], [4, 7000], [6, 2500], [22, 2200]);
    expect(label({ ndvi: second, isClear: yearAlone })).toBe(10);
    expect(label({ ndvi: first, isClear: yearAlone })).toBe(8);
  });

  it('does not classify a crop cut by the end of the data as a deciduous forest', () =>
    expect(
      label({
        ndvi: through([0, 2500], [11, 2500], [15, 8000], [19, 7800], [22, 6200]),
        isClear: yearAlone,
      }),
    ).toBe(9));

  it('counts one season on land that is green at both ends of the year and leafless between these ends', () => {
    const orchard = through([0, 7600], [1, 7700], [6, 7400], [8, 3500], [17, 3400], [19, 7400], [21, 7600], [22, 7500]);
    expect(label({ ndvi: orchard, isClear: yearAlone })).toBe(6);
  });

  it('measures a harvest only up to the last scene', () => {
    const growing = (s: number) => 2600 + 2800 * Math.exp(-(((s - 21) / 5) ** 2));
    expect(label({ ndvi: growing, isClear: (s) => s <= 20 })).toBe(12);
    // The time after November was not observed, so it must not count as a fall.
    const [forest, isClear] = [(s: number) => 7000 - 120 * s, (s: number) => s <= 15];
    expect(label({ ndvi: forest, isClear })).toBe(6);
  });

  it('distinguishes scrub that dries slowly from a low crop that is harvested', () => {
    const slow = (s: number) => 2600 + 2800 * Math.exp(-(((s - 5) / 5) ** 2));
    const cut = (s: number) => 2000 + 3000 * Math.exp(-(((s - 5) / 1.9) ** 2));
    expect([label({ ndvi: slow }), label({ ndvi: cut })]).toEqual([12, 8]);
  });

  it('does not count a single cloudy step as a harvest', () => {
    expect(label({ ndvi: (s) => (s === 11 ? 1000 : 7200) })).toBe(6);
    expect(label({ ndvi: (s) => (s === 13 ? 2500 : bumps(13)(s)) })).toBe(9);
  });

  it('classifies with few observations: few dates, few steps, or a gap of eight months next to an observed crop', () => {
    const few = { ndvi: bumps(5), dates: 5 };
    const steps = { ndvi: bumps(5), isClear: (s: number) => s >= 0 && s % 6 === 0 };
    const gap = { ndvi: bumps(5), isClear: (s: number) => (s > 2 && s < 9) || s > 24 };
    const forest = { ndvi: () => 7000, isClear: (s: number) => s === 2 || s === 10 || s === 20 };
    const lake = { ndvi: () => -2000, mndwi: 5000, isClear: (s: number) => s === 10 || s === 12 };
    const { labels, quality } = classify([few, steps, gap, forest, lake]);
    expect(labels).toEqual([8, 8, 8, 6, 3]);
    expect(quality).toEqual([1, 1, 1, 1, 1]);
  });

  it('returns class 0 with quality 2 only if no class can be determined', () => {
    const two = { ndvi: bumps(5), isClear: (s: number) => s === 5 || s === 12 };
    const none = { ndvi: bumps(5), isClear: () => false, dates: 0 };
    const margins = { ndvi: bumps(5), isClear: (s: number) => s < 0 || s >= 23, dates: 0 };
    const { labels, crops, quality } = classify([two, none, margins, { ndvi: bumps(5) }]);
    expect(labels).toEqual([0, 0, 0, 8]);
    expect(quality).toEqual([2, 2, 2, 1]);
    expect(crops).toEqual([0, 0, 0, 8]);
  });

  it('returns a higher confidence for a crop that was observed all year than for a crop that was rarely observed, and 0 for a pixel without a class', () => {
    const whole = { ndvi: bumps(5) };
    const little = { ndvi: bumps(5), isClear: (s: number) => s >= 0 && s % 6 === 0 };
    const none = { ndvi: bumps(5), isClear: () => false, dates: 0 };
    const [high = 0, low = 0, noClass] = classify([whole, little, none]).confidence;
    expect(high).toBeGreaterThan(low);
    expect([low >= 1, high <= 95, noClass]).toEqual([true, true, 0]);
  });

  it('returns the same class for a pixel in a block of its own and in a block with other pixels', () => {
    const pixels = Array.from({ length: 150 }, (_, i): Pixel => ({ ndvi: bumps(3 + (i % 11), 12 + (i % 7)) }));
    expect(classify(pixels).labels).toEqual(pixels.map((p) => label(p)));
  });

  it('throws an error that names a missing series', () =>
    expect(() => classifyBlock({ pixels: 1, series: {}, clear: new Uint16Array(1), outputs: {}, params: {} })).toThrow(
      'needs series ndvi',
    ));
});
