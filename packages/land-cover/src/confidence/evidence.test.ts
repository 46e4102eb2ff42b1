import { expect, it } from 'vitest';
import { LULC_THRESHOLDS as T } from '../method/thresholds.ts';
import { blankYear, type PixelYear } from '../series/year-stats.ts';
import { confidenceOf, EVIDENCES, evidenceOf } from './evidence.ts';

const CLASSES = [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12];

it('is never lower with a greater margin or with more observations', () => {
  for (const label of CLASSES) {
    for (let kind = 0; kind < EVIDENCES; kind++) {
      const confidence = confidenceOf(label, kind);
      expect(confidence).toBeGreaterThan(0);
      if (kind % 2 === 0) expect(confidenceOf(label, kind + 1)).toBeGreaterThanOrEqual(confidence);
      if (kind + 2 < EVIDENCES) expect(confidenceOf(label, kind + 2)).toBeGreaterThanOrEqual(confidence);
    }
  }
});

const CLEAR = { clear: 20, cycles: 1, harvested: true };
const evidence = (label: number, year: Partial<PixelYear>): number =>
  evidenceOf(label, { ...blankYear(), ...CLEAR, ...year });

it.each<[what: string, label: number, years: readonly [plain: Partial<PixelYear>, doubtful: Partial<PixelYear>]]>([
  [
    'roofs',
    1,
    [
      { max: 1500, floor: 1000 },
      { max: 3900, floor: 1000 },
    ],
  ],
  [
    'closed canopies',
    6,
    [
      { max: 8800, min: 7000 },
      { max: 6000, min: 4300 },
    ],
  ],
  [
    'trees that shed',
    6,
    [
      { max: 8800, min: 2000, floor: 4200 },
      { max: 8800, min: 1000, floor: 1600 },
    ],
  ],
  ['bare ground', 7, [{ max: 400 }, { max: 2900 }]],
  [
    'crops',
    8,
    [
      { max: 8500, floor: 1500, drop: 6000 },
      { max: 4000, floor: 1500, drop: 1900 },
    ],
  ],
  [
    'crops with a harvest',
    9,
    [
      { max: 8500, floor: 1500, drop: 6000 },
      { max: 8500, floor: 1500, harvested: false },
    ],
  ],
  [
    'scrub',
    12,
    [
      { max: 4400, drop: 200, harvested: false },
      { max: 6100, drop: 200, harvested: false },
    ],
  ],
])('is better for plain %s than for doubtful ones', (_what, label, [plain, doubtful]) => {
  expect(evidence(label, plain)).toBeGreaterThan(evidence(label, doubtful));
  expect(evidence(label, { ...plain, clear: T.manyClearSteps - 1 })).toBe(evidence(label, plain) - 1);
});
