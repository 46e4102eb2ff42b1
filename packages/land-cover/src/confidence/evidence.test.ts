import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SeriesCoverage } from '../cycles/hidden-rise.ts';
import { LULC_THRESHOLDS as T } from '../method/thresholds.ts';
import { blankYear, type PixelYear } from '../series/year-stats.ts';
import { confidenceOf, EVIDENCE_LEVELS, EVIDENCE_SHIFTS, evidenceOf, sharesOf } from './evidence.ts';
import { WEIGHTS } from './table.ts';

const CLASSES = [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12];
const STEPS = T.coreSteps + 2 * T.marginSteps;
const ALL = 2 ** STEPS - 1;
const HIDDEN = ALL & ~(0b111_1111 << 12);
const byte = fc.nat(255);

it('in every class, more evidence of any kind never lowers the confidence', () => {
  for (const label of CLASSES)
    for (let evidence = 0; evidence < 256; evidence++)
      for (const [k, most] of EVIDENCE_LEVELS.entries()) {
        if (((evidence >> EVIDENCE_SHIFTS[k]!) & most) === most) continue;
        const better = evidence + (1 << EVIDENCE_SHIFTS[k]!);
        expect(confidenceOf(label, better)).toBeGreaterThanOrEqual(confidenceOf(label, evidence));
      }
});

it('the confidence is between 1 and 95 percent for a class, and 0 without a class; no weight is negative', () => {
  fc.assert(
    fc.property(fc.constantFrom(...CLASSES), byte, (label, evidence) => {
      const confidence = confidenceOf(label, evidence);
      return confidence >= 1 && confidence <= 95;
    }),
  );
  expect(WEIGHTS.every(([, ...weights]) => weights.every((weight) => weight >= 0))).toBe(true);
  expect([confidenceOf(0, 255), confidenceOf(5, 255)]).toEqual([0, 0]);
});

const coverage = (seen: number): SeriesCoverage => ({
  steps: STEPS,
  from: T.marginSteps,
  cold: null,
  seen,
  first: 0,
  last: STEPS - 1,
  clear: 0,
  afterGap: -1,
});
const season = (low = 0): Float64Array =>
  Float64Array.from({ length: STEPS }, (_, s) => {
    const at = (middle: number, height: number): number => Math.max(0, height * (1 - Math.abs(s - middle) / 5));
    return 1500 + at(9, 6000) + at(21, low);
  });

const canopy = (change = 0): Float64Array =>
  Float64Array.from(
    { length: STEPS },
    (_, s) => 4500 + 250 * (s % 2) + (change * Math.min(2, Math.max(0, s - 14))) / 2,
  );

interface Options {
  readonly wet: { readonly index: number; readonly dry: number };
  readonly seen: number;
  readonly smooth: Float64Array;
}

function judge(label: number, year: Partial<PixelYear>, options: Partial<Options> = {}): number {
  const series = label === 6 ? canopy() : season();
  const { wet, seen, smooth } = { wet: { index: 6000, dry: 0 }, seen: ALL, smooth: series, ...options };
  const mndwi = Int16Array.from({ length: T.coreSteps }, (_, s) => (s % 8 < wet.dry ? -2000 : wet.index));
  const water = { pixels: 1, mndwi, ndvi: new Int16Array(STEPS), ndviFrom: T.marginSteps };
  const measured = { year: { ...blankYear(), ...year }, series: { smooth, coverage: coverage(seen) }, water, pixel: 0 };
  return confidenceOf(label, evidenceOf(label, measured));
}

const CROP = { cycles: 1, cuts: 1, harvested: true, max: 7500, floor: 1500, drop: 6000 };

it('more observed steps never lower the confidence', () => {
  fc.assert(
    fc.property(fc.constantFrom(...CLASSES), fc.nat(ALL), fc.nat(ALL), (label, seen, more) => {
      const [less, greater] = [seen, seen | more].map((steps) => judge(label, CROP, { seen: steps }));
      return greater! >= less!;
    }),
  );
  const weak = { ...CROP, cuts: 0, max: 4000, drop: 1900, ndbi: -2000 };
  for (const label of CLASSES) expect(judge(label, weak)).toBeGreaterThan(judge(label, weak, { seen: HIDDEN }));
});

type Years = readonly [plain: Partial<PixelYear>, doubtful: Partial<PixelYear>];
it.each<[what: string, label: number, years: Years]>([
  [
    'roofs without a season',
    1,
    [
      { max: 1500, floor: 1000 },
      { max: 3900, floor: 1000 },
    ],
  ],
  ['roofs with the index of roofs', 1, [{ ndbi: 800 }, { ndbi: -2000 }]],
  ['closed canopies', 6, [{ max: 8800 }, { max: 5900 }]],
  [
    'bare ground',
    7,
    [
      { max: 400, bsi: 1500 },
      { max: 2900, bsi: 1500 },
    ],
  ],
  [
    'ground with the index of soil',
    7,
    [
      { max: 1500, bsi: 2000 },
      { max: 1500, bsi: 1000 },
    ],
  ],
  ['crops with a large harvest', 8, [CROP, { ...CROP, max: 4000, drop: 1900 }]],
  ['crops with a harvest', 9, [CROP, { ...CROP, harvested: false }]],
  [
    'two crops that are both harvested',
    10,
    [
      { ...CROP, cycles: 2, cuts: 2 },
      { ...CROP, cycles: 2, cuts: 1 },
    ],
  ],
  [
    'dense perennial crops',
    11,
    [
      { max: 8500, plateau: 20 },
      { max: 3600, plateau: 20 },
    ],
  ],
  [
    'perennial crops that are green for long',
    11,
    [
      { max: 8500, plateau: 20 },
      { max: 8500, plateau: 17 },
    ],
  ],
  ['scrub that is far from trees and soil', 12, [{ max: 4600 }, { max: 6100 }]],
  [
    'scrub that keeps leaves',
    12,
    [
      { max: 4600, floor: 3900 },
      { max: 4600, floor: 2000 },
    ],
  ],
])('the confidence is higher for typical %s than for doubtful ones', (_what, label, [plain, doubtful]) =>
  expect(judge(label, plain, { seen: HIDDEN })).toBeGreaterThan(judge(label, doubtful, { seen: HIDDEN })),
);

it.each<
  [field: 'max' | 'floor' | 'drop' | 'ndbi' | 'bsi' | 'plateau', label: number, sign: number, base: Partial<PixelYear>]
>([
  ['floor', 1, 1, { max: 4000 }],
  ['ndbi', 1, 1, {}],
  ['max', 6, 1, {}],
  ['max', 7, -1, {}],
  ['bsi', 7, 1, { max: 1000 }],
  ['drop', 8, 1, CROP],
  ['max', 9, 1, { harvested: true, drop: 9000, cycles: 1 }],
  ['drop', 10, 1, CROP],
  ['plateau', 11, 1, { max: 8000 }],
  ['max', 11, 1, {}],
  ['floor', 12, 1, { max: 4600 }],
])(
  'a greater distance of %s to its threshold never lowers the confidence in class %i',
  (field, label, ...[sign, base]) => {
    const most = field === 'plateau' ? 23 : 9000;
    const of = (value: number): number => judge(label, { ...base, [field]: Math.abs(value) });
    fc.assert(
      fc.property(fc.nat(most), fc.nat(most), (a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)].map(of);
        return sign > 0 ? more! >= less! : more! <= less!;
      }),
    );
  },
);

it.each([
  ['fall', -1],
  ['rise', 1],
])('the confidence of trees is lower if NDVI has a large %s within weeks', (_what, sign) => {
  const changes = [0, 1200, 2600, 3800, 4600].map((change) =>
    judge(6, { max: 8800 }, { smooth: canopy(sign * change) }),
  );
  expect(changes).toEqual(changes.toSorted((a, b) => b - a));
  expect(changes[4]).toBeLessThan(changes[0]! - 10);
});

it('the last share of the evidence is the lower one of the shares of margin and shape', () => {
  expect(sharesOf(0)).toEqual([0, 0, 0, 0, 0]);
  expect(sharesOf(255)).toEqual([1, 1, 1, 1, 1]);
  expect(sharesOf(3)).toEqual([1, 0, 0, 0, 0]);
  expect(sharesOf(1 | (5 << 2) | (3 << 5))).toEqual([1 / 3, 5 / 7, 1, 0, 1 / 3]);
});

it('the confidence rises with the smallest change of NDVI that would change the number of cycles', () => {
  const one = [2600, 1900, 500].map((low) => judge(8, CROP, { seen: ALL, smooth: season(low) }));
  expect(one).toEqual(one.toSorted((a, b) => a - b));
  const both = { ...CROP, cycles: 2 };
  const two = [2700, 3400, 5000].map((low) => judge(10, both, { seen: HIDDEN, smooth: season(low) }));
  expect(two).toEqual(two.toSorted((a, b) => a - b));
  expect([one[2]! > one[0]!, two[2]! > two[0]!]).toEqual([true, true]);
});

it.each([2, 3, 4])('the confidence in class %i rises with the votes for water and with the water index', (label) => {
  const votes = [4, 3, 2, 0].map((dry) => judge(label, {}, { wet: { index: 6000, dry } }));
  const indices = [600, 2000, 3000, 6000].map((index) => judge(label, {}, { wet: { index, dry: 0 } }));
  for (const row of [votes, indices]) {
    expect(row).toEqual(row.toSorted((a, b) => a - b));
    expect(row.at(-1)).toBeGreaterThan(row[0]!);
  }
});
