import { expect, it } from 'vitest';
import { LegendSide } from '../legend/legend.ts';
import { parseLegend } from '../legend/parse-legend.ts';
import { majorityLabel } from './majority.ts';

const LEGEND = parseLegend({
  classes: [
    { name: 'fallow', map: [-1, -2], reference: ['fallow'] },
    { name: 'crops', map: [8], reference: ['crop'] },
  ],
});
const side = new LegendSide(LEGEND, 'map');
const label = (...values: readonly number[]) => majorityLabel(Float64Array.from(values), side);

it('the majority counts the values of one class together, and chooses the first of equally frequent classes', () => {
  expect(label(-1, 8, 8, -2, -1)).toBe(-1);
  expect(label(8, -1)).toBe(8);
  expect(label(Number.NaN, Number.NaN, 8)).toBeNull();
});

it('the majority does not confuse a value without a class with the index of a class', () => {
  // The value -1000 is in no class.
  expect(label(-1, -1, -1000, -1000, -1000)).toBe(-1000);
  expect(label(8, 8, 8, -1000, -1000, -999, -999)).toBe(8);
  expect(label(-1000, -1, -1, 8)).toBe(-1);
  expect(label(Number.NaN, -745, -745)).toBe(-745);
});
