import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sized } from '../../../../scripts/test-length.mjs';
import { stepOrder } from './step-order.ts';

const yearOf = (days: number) =>
  Array.from({ length: 31 }, (_, step) => ({ step, kept: step < 4 || step > 26 ? 1 : 4, days }));
const SERIES = 31 + 3 * 23;

it.each([
  [0, 0],
  [1, 0],
  [3, 2],
  [4, 4],
  [7, 16],
])(
  'a year of steps with %i days each needs, while it is computed, %i planes more than its finished series',
  (days, extra) => {
    expect(stepOrder(yearOf(days)).planes).toBe(SERIES + extra);
  },
);

const step = fc.record({ kept: fc.nat({ max: 4 }), days: fc.nat({ max: 9 }) });
type Step = { readonly kept: number; readonly days: number };

function planesOf(steps: readonly Step[]): number {
  let [full, most] = [0, 0];
  for (const { kept, days } of steps) {
    most = Math.max(most, full + kept * Math.max(1, days));
    full += kept;
  }
  return most;
}

const orders = (steps: readonly Step[]): readonly (readonly Step[])[] =>
  steps.length === 0
    ? [[]]
    : steps.flatMap((first, at) => orders(steps.toSpliced(at, 1)).map((others) => [first, ...others]));

it('the order contains, once each, the steps that keep an index; no other order needs fewer planes', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 5 }), (steps) => {
      const numbered = steps.map((each, at) => ({ ...each, step: at }));
      const { order, planes } = stepOrder(numbered);
      expect(order.toSorted((a, b) => a - b)).toEqual(numbered.filter(({ kept }) => kept > 0).map((each) => each.step));
      expect(planesOf(order.flatMap((at) => numbered[at] ?? []))).toBe(planes);
      expect(planes).toBe(Math.min(...orders(steps).map(planesOf)));
    }),
    { numRuns: sized(200, 2000) },
  );
});
