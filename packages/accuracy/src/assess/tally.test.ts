import { expect, it } from 'vitest';
import { parseLegend } from '../legend/parse-legend.ts';
import { Tally } from './tally.ts';

const LEGEND = parseLegend({
  classes: [
    { name: 'water', map: [2, 3], reference: ['water', 80] },
    { name: 'crops', map: [8], reference: ['crop'] },
  ],
  nodata: { map: [0], reference: ['cloud'] },
});

it('a tally counts pairs of classes, and counts each label and each value without a class separately', () => {
  const tally = new Tally(LEGEND);
  const seen = [
    tally.add({ reference: 'Water', mapped: 3 }, 5),
    tally.add({ reference: 'crop', mapped: 2 }, 2),
    tally.add({ reference: 'mangrove', mapped: 2 }),
    tally.add({ reference: 'Mangrove', mapped: 8 }, 3),
    tally.add({ reference: 'moss', mapped: 8 }),
    tally.add({ reference: 'crop', mapped: 12 }, 4),
    tally.add({ reference: 'cloud', mapped: 12 }),
    tally.add({ reference: null, mapped: 12 }),
    tally.add({ reference: 'moss', mapped: 0 }),
    tally.add({ reference: 'crop', mapped: null }),
  ];
  expect(seen.slice(0, 3)).toEqual([true, false, undefined]);
  expect([tally.matrix.total, tally.matrix.count(0, 0), tally.matrix.count(1, 0)]).toEqual([7, 5, 2]);
  expect(tally.leftOut).toEqual({
    referenceNodata: 2,
    mapNodata: 2,
    unknownReference: [
      { label: 'Mangrove', count: 4 },
      { label: 'moss', count: 1 },
    ],
    unknownMap: [{ label: 12, count: 4 }],
  });
});
