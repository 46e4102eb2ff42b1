import { expect, test } from 'vitest';
import { axesOf } from './cases.ts';
import { pointsOf, verdictsOf } from './verdicts.ts';

type Figures = Parameters<typeof pointsOf>[1];

const judge = (figuresOf: Figures): readonly boolean[] => {
  const axes = axesOf({ long: false }).map((axis) => [axis.name, pointsOf(axis, figuresOf)] as const);
  return verdictsOf(new Map(axes)).map(({ isMet }) => isMet);
};

const linear: Figures = ({ side, dates }) => {
  return { seconds: 1, cpuSeconds: 2 + (side ** 2 * dates) / 1e7, peakMib: 500 + dates / 10 };
};

test('A linear time and a flat memory meet all rules', () => {
  expect(judge(linear)).toEqual([true, true, true]);
});

test('A time that grows with the square of the dates breaks only the rule of dates', () => {
  expect(judge((one) => ({ ...linear(one), cpuSeconds: one.side ** 2 * one.dates ** 2 }))).toEqual([true, false, true]);
});

test('A memory that grows by a fifth from 23 to 140 dates breaks the rule of memory', () => {
  expect(judge((one) => ({ ...linear(one), peakMib: 500 + one.dates }))).toEqual([true, true, false]);
});

test('A rule is not checked if its axis was not measured', () => {
  const points = axesOf({ long: false }).map((axis) => [axis.name, pointsOf(axis, linear)] as const);
  expect(verdictsOf(new Map(points.filter(([name]) => name !== 'dates')))).toHaveLength(1);
  expect(verdictsOf(new Map(points.filter(([name]) => name === 'workers')))).toEqual([]);
});

test('If the operating system provides no peak memory, the rule of memory is not met', () => {
  expect(judge((one) => ({ ...linear(one), peakMib: null }))).toEqual([true, true, false]);
});
