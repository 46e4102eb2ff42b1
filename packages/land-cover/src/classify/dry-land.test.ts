import { expect, it } from 'vitest';
import { classifyBlock } from './blocks.ts';
import { INDEX_NODATA } from '@headwater/core/pixel-plan';

const [STEPS, CORE, FROM] = [31, 23, 4];

function classOf(ndviOn: (day: number) => number, isClear: (step: number) => boolean = () => true): number | undefined {
  const outputs = { labels: new Uint8Array(1), crops: new Uint8Array(1), quality: new Uint8Array(1) };
  const ndvi = Int16Array.from({ length: STEPS }, (_, s) =>
    isClear(s - FROM) ? Math.round(10_000 * ndviOn((s - FROM) * 16 + 8)) : INDEX_NODATA,
  );
  const flat = (value: number): Int16Array => new Int16Array(CORE).fill(value);
  const series = { ndvi, mndwi: flat(-4000), ndbi: flat(500), bsi: flat(1500) };
  classifyBlock({ pixels: 1, series, clear: Uint16Array.of(30), outputs, params: { core: [FROM, FROM + CORE] } });
  return outputs.labels[0];
}

const through =
  (...points: readonly (readonly [number, number])[]) =>
  (day: number): number => {
    const at = ((day % 365) + 365) % 365;
    const around = [-365, 0, 365].flatMap((shift) => points.map(([d, v]) => [d + shift, v] as const));
    const after = around.findIndex(([d]) => d > at);
    const [[x0, y0], [x1, y1]] = [around[after - 1] ?? [0, 0], around[after] ?? [1, 0]];
    return y0 + ((y1 - y0) * (at - x0)) / (x1 - x0);
  };

/** Leaves grow in June and July and stay until October; then NDVI falls over months to a floor. */
const dryForest = (...[peak, floor, months]: readonly [peak: number, floor: number, months: number]) =>
  through(
    [5, floor + 0.1],
    [35, peak],
    [110, peak],
    [110 + 30 * months, floor],
    [Math.max(345, 112 + 30 * months), floor],
  );

const PEAKS = [0.62, 0.7, 0.75, 0.8, 0.9];
const FLOORS = [0.16, 0.22, 0.28, 0.35];
const MONTHS = [4, 5, 6, 8];
const WILD = PEAKS.flatMap((peak) => FLOORS.flatMap((floor) => MONTHS.map((months) => [peak, floor, months] as const)));
/** NDVI alone cannot distinguish a forest with a low peak and a partly green floor from pasture. */
const isLikePasture = ([peak, floor]: (typeof WILD)[number]): boolean => peak <= 0.7 && floor >= 0.28;
const FORESTS = WILD.filter((land) => !isLikePasture(land));

const names = (forests: typeof WILD): string[] =>
  forests.map(([peak, floor, months]) => `${peak} to ${floor} in ${months} months`);

it('classifies a forest that sheds its leaves over months as trees, not as a crop', () => {
  const wrong = FORESTS.filter((forest) => classOf(dryForest(...forest)) !== 6);
  expect(names(wrong)).toEqual([]);
});

// If NDVI falls to bare soil, only the length of the season distinguishes the forest from cotton. Here, clouds hide
// about half of the season.
it('classifies a deciduous forest with hidden greening as trees, unless its NDVI falls to bare soil as fast as that of a long crop', () => {
  const distinguishable = FORESTS.filter(([, floor, months]) => floor >= 0.22 || months >= 6);
  const wrong = distinguishable.filter((forest) => classOf(dryForest(...forest), (s) => s < 0 || s >= 6) !== 6);
  expect(names(wrong)).toEqual([]);
});

it('classifies pasture that dries over months and stays partly green as shrub, not as trees or a crop', () =>
  expect(
    names(WILD.filter((land) => isLikePasture(land) && land[1] > 0.3 && classOf(dryForest(...land)) !== 12)),
  ).toEqual([]));

it('classifies a tall harvested crop as a crop, even if its season is long', () => {
  const kharif = through([20, 0.18], [70, 0.8], [90, 0.78], [125, 0.2], [350, 0.16]);
  const pigeonPea = through([20, 0.18], [100, 0.75], [150, 0.7], [190, 0.2], [350, 0.16]);
  const wheat = through([130, 0.18], [215, 0.85], [235, 0.8], [265, 0.2], [350, 0.16]);
  expect([kharif, pigeonPea, wheat].map((ndvi) => classOf(ndvi))).toEqual([8, 8, 9]);
});

it('classifies cotton that fades over three months to bare soil as a crop, whether it is tall or thin', () => {
  const cotton = (peak: number) => through([15, 0.17], [80, peak], [150, peak - 0.04], [225, 0.17], [350, 0.15]);
  expect([0.5, 0.58, 0.66, 0.8].map((peak) => classOf(cotton(peak)))).toEqual([8, 8, 8, 8]);
});

it('does not classify a crop as scrub if it is not yet harvested at the end of the data', () => {
  const wheat = through([250, 0.16], [330, 0.82], [360, 0.8]);
  const isInYear = (step: number): boolean => step >= 0 && step < CORE;
  expect(classOf((day) => (day < 250 ? 0.16 : wheat(day)), isInYear)).toBe(9);
});

/** NDVI of scrub that dries from October on. Until then, the test hides it with clouds of the monsoon. */
const drying = (first: number, lost: number) =>
  through([40, first + 0.04], [100, first], [160, first - lost], [330, first - lost - 0.03]);

it.each([
  [0.33, 0.1],
  [0.32, 0.12],
  [0.36, 0.13],
  [0.33, 0.14],
  [0.38, 0.15],
])('does not count a harvest if the NDVI of scrub falls from %d by %d in two months after the monsoon', (first, lost) =>
  expect(classOf(drying(first, lost), (s) => s < 0 || s >= 6)).toBe(12),
);

it.each([
  [0.55, 0.2],
  [0.45, 0.18],
  [0.4, 0.16],
])('counts a harvest if the NDVI of a field falls from %d to %d in 32 days after the monsoon', (first, bare) =>
  expect(classOf(through([20, 0.2], [60, 0.8], [98, first], [130, bare], [350, bare]), (s) => s < 0 || s >= 6)).toBe(8),
);
