import { lulcSeries } from '@headwater/land-cover';
import { classifyBlock } from '@headwater/land-cover/blocks';
import { describe, expect, it } from 'vitest';
import { observeSetting, type ObservedSetting } from './worlds/settings/observe.ts';
import { CLIMATES, type SettingName } from './worlds/settings/sky.ts';

/** Number of growth cycles (crops a year) by class. */
const CYCLES: Readonly<Record<number, number>> = { 8: 1, 9: 1, 10: 2, 11: 3 };

/**
 * Shares of pixels, 0-1. `right`: pixels with a right class. `counted`: fields with the right number of cycles. `lost`:
 * fields without a crop class. `invented`: pixels with a crop class, among the pixels outside of fields, without those
 * for which class 11 is right. `unknown`: pixels of class 0.
 */
interface Shares {
  readonly right: number;
  readonly counted: number;
  readonly lost: number;
  readonly invented: number;
  readonly unknown: number;
}

function classify(name: SettingName, { pixels, series, clear }: ObservedSetting, core: readonly [number, number]) {
  const plane = (): Uint8Array => new Uint8Array(pixels);
  const outputs = { labels: plane(), crops: plane(), quality: plane() };
  classifyBlock({ pixels, series, clear, outputs, params: { core, latitude: CLIMATES[name].latitude } });
  return outputs.labels;
}

function sharesOf({ kinds }: ObservedSetting, labels: Uint8Array): Shares {
  const pixels = kinds.map((kind, i) => ({ kind, label: labels[i] ?? 0 }));
  const fields = pixels.filter(({ kind }) => kind.cycles > 0);
  const others = pixels.filter(({ kind }) => kind.cycles === 0 && !kind.right.includes(11));
  const share = (of: typeof pixels, holds: (one: (typeof pixels)[number]) => boolean): number =>
    of.filter(holds).length / of.length;
  return {
    right: share(pixels, ({ kind, label }) => kind.right.includes(label)),
    counted: share(fields, ({ kind, label }) => CYCLES[label] === kind.cycles),
    lost: share(fields, ({ label }) => CYCLES[label] === undefined),
    invented: share(others, ({ label }) => CYCLES[label] !== undefined),
    unknown: share(pixels, ({ label }) => label === 0),
  };
}

/** Results of version 1.2.0 of the land-cover method, for the log. */
const BEFORE: Readonly<Record<SettingName, Pick<Shares, 'right' | 'counted'>>> = {
  steppe: { right: 0.847, counted: 0.909 },
  tropics: { right: 0.764, counted: 0.665 },
  deccan: { right: 0.89, counted: 0.879 },
  plain: { right: 0.771, counted: 0.7 },
};
const AIM: Readonly<Record<SettingName, Pick<Shares, 'right' | 'counted'>>> = {
  steppe: { right: 0.95, counted: 0.97 },
  tropics: { right: 0.83, counted: 0.76 },
  deccan: { right: 0.88, counted: 0.86 },
  plain: { right: 0.9, counted: 0.86 },
};

// Measures consistency with published crop calendars, not accuracy.
describe.each(['steppe', 'tropics', 'deccan', 'plain'] as const)('the %s', (name) => {
  it('is mapped consistently with its crop calendars', () => {
    const { steps, core, indices } = lulcSeries(2021);
    const observed = observeSetting(name, { each: 150, seed: 7 }, { steps, core, indices });
    const shares = sharesOf(observed, classify(name, observed, core));
    const figures = Object.entries(shares).map(([what, share]) => `${what} ${share.toFixed(3)}`);
    console.log(`${name}: ${figures.join(', ')}; method 1.2.0: ${JSON.stringify(BEFORE[name])}`);
    expect(shares.right).toBeGreaterThanOrEqual(AIM[name].right);
    expect(shares.counted).toBeGreaterThanOrEqual(AIM[name].counted);
    expect(shares.lost).toBeLessThan(0.12);
    expect(shares.invented).toBeLessThan(0.06);
    expect(shares.unknown).toBe(0);
  });
});
