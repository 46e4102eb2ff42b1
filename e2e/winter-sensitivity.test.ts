import { lulcSeries } from '@headwater/land-cover';
import { classifyBlock } from '@headwater/land-cover/blocks';
import { describe, expect, it } from 'vitest';
import { observeSetting, type ObservedSetting } from './worlds/settings/observe.ts';
import type { SettingName } from './worlds/settings/sky.ts';

const { steps, core, indices } = lulcSeries(2021);
const COLS = 30;

interface Part {
  readonly first: number;
  readonly pixels: number;
}

function classesOf(
  observed: ObservedSetting,
  { first, pixels }: Part,
  latitudeOf: (pixel: number) => number,
): Uint8Array {
  const series = Object.fromEntries(
    Object.entries(observed.series).map(([name, plane]) => {
      const own = Int16Array.from({ length: (plane.length / observed.pixels) * pixels }, (_, at) => {
        return plane[Math.floor(at / pixels) * observed.pixels + first + (at % pixels)]!;
      });
      return [name, own];
    }),
  );
  const plane = (): Uint8Array => new Uint8Array(pixels);
  const outputs = { labels: plane(), crops: plane(), quality: plane() };
  classifyBlock({
    pixels,
    series,
    clear: observed.clear.slice(first, first + pixels),
    outputs,
    params: { core },
    latitudeOf: (pixel) => latitudeOf(first + pixel),
  });
  return outputs.labels;
}

const shareChanged = (a: Uint8Array, b: Uint8Array): number =>
  a.reduce((sum, v, i) => sum + Number(v !== b[i]), 0) / a.length;

// Only settings with winter or dry-season crops are tested, because the latitude cannot change the classes of other
// settings.
describe.each(['steppe', 'deccan', 'plain'] as const satisfies readonly SettingName[])('the %s', (name) => {
  const observed = observeSetting(name, { each: 150, seed: 7 }, { steps, core, indices });
  const { pixels } = observed;
  const whole = { first: 0, pixels };
  const everywhere = (latitude: number) => classesOf(observed, whole, () => latitude);

  it('gives a pixel the same class in every request that contains it, also across 35 degrees north', () => {
    // The pixels form rows of 0.004 degrees, which begin at 35.09 degrees north.
    const latitudeOf = (pixel: number): number => 35.09 - 0.004 * Math.floor(pixel / COLS);
    const labels = classesOf(observed, whole, latitudeOf);
    // First pixels of the requests: the second pixel, the pixel after a tile of the kernel, 0.02 degrees further
    // south, at 35 degrees, in the middle of a row.
    for (const first of [1, 64, 5 * COLS, 23 * COLS, 701]) {
      for (const count of [pixels - first, 333]) {
        const part = { first, pixels: Math.min(count, pixels - first) };
        const own = classesOf(observed, part, latitudeOf);
        expect(shareChanged(own, labels.subarray(first, first + part.pixels))).toBe(0);
      }
    }
  });

  it('changes by at most 0.1 % of its pixels in 0.02 degrees of latitude, from 29 to 37 degrees', () => {
    // Steps of half a degree are compared, because 0.02 degrees change no pixel in most samples of this size.
    const rows: string[] = [];
    for (let latitude = 29; latitude < 37; latitude += 0.5) {
      const percent = (100 * shareChanged(everywhere(latitude), everywhere(latitude + 0.5)) * 0.02) / 0.5;
      rows.push(`${latitude}: ${percent.toFixed(3)}`);
      expect(percent, `from ${latitude} degrees`).toBeLessThanOrEqual(0.1);
    }
    const step = 100 * shareChanged(everywhere(10), everywhere(60));
    console.log(
      `${name}: percent of pixels that change in 0.02 degrees: ${rows.join(', ')}; a change in one step would be ${step.toFixed(1)} percent`,
    );
    expect(100 * shareChanged(everywhere(34.99), everywhere(35.01))).toBeLessThanOrEqual(0.1);
    expect(step).toBeGreaterThan(5);
  });
});
