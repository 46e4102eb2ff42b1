import { expect, it } from 'vitest';
import { ConfusionMatrix } from '../matrix/confusion-matrix.ts';
import { wilson } from './interval.ts';
import { sampleAccuracy } from './sample-accuracy.ts';

/** Rows are classes of the reference, columns classes of the map. */
function matrixOf(rows: readonly (readonly number[])[]): ConfusionMatrix {
  const matrix = new ConfusionMatrix();
  rows.forEach((row, reference) => row.forEach((count, mapped) => matrix.add(reference, mapped, count)));
  return matrix;
}

const ROWS = [
  [40, 7, 2],
  [5, 31, 4],
  [0, 3, 58],
];

/** Standard error of a figure by the delta method for multinomial cells; central differences give the slopes. */
function numericError(rows: readonly (readonly number[])[], figure: (shares: ConfusionMatrix) => number): number {
  const total = rows.flat().reduce((a, b) => a + b, 0);
  const shares = rows.map((row) => row.map((count) => count / total));
  const step = 1e-5;
  const moved = (r: number, c: number, by: number): number =>
    figure(matrixOf(shares.map((row, i) => row.map((p, j) => (i === r && j === c ? p + by : p)))));
  const cells = shares.flatMap((row, r) =>
    row.map((p, c) => ({ p, slope: (moved(r, c, step) - moved(r, c, -step)) / (2 * step) })),
  );
  const mean = cells.reduce((sum, { p, slope }) => sum + p * slope, 0);
  const square = cells.reduce((sum, { p, slope }) => sum + p * slope ** 2, 0);
  return Math.sqrt((square - mean ** 2) / total);
}

/** Returns Cohen's kappa. The cells are shares whose sum may differ from 1. */
function kappa(m: ConfusionMatrix): number {
  const codes = [0, 1, 2];
  const agreed = codes.reduce((sum, c) => sum + m.count(c, c), 0);
  const chance = codes.reduce((sum, c) => sum + m.referenceCount(c) * m.mappedCount(c), 0);
  return (agreed - chance) / (1 - chance);
}

it('sampleAccuracy gives the same standard errors as the delta method with numeric slopes', () => {
  const accuracy = sampleAccuracy(matrixOf(ROWS));
  expect(accuracy.kappa?.value).toBeCloseTo(kappa(matrixOf(ROWS.map((row) => row.map((n) => n / 150)))), 12);
  expect(accuracy.kappa?.standardError).toBeCloseTo(numericError(ROWS, kappa), 7);
  expect(accuracy.overall?.standardError).toBeCloseTo(
    numericError(ROWS, (m) => [0, 1, 2].reduce((sum, c) => sum + m.count(c, c), 0)),
    7,
  );
  for (const { code, f1, recall, precision } of accuracy.classes) {
    expect(f1?.standardError).toBeCloseTo(
      numericError(ROWS, (m) => m.f1(code)),
      7,
    );
    expect(recall?.standardError).toBeCloseTo(
      numericError(ROWS, (m) => m.recall(code)),
      7,
    );
    expect(precision?.standardError).toBeCloseTo(
      numericError(ROWS, (m) => m.precision(code)),
      7,
    );
  }
});

it('sampleAccuracy gives intervals with a positive width if every sample agrees', () => {
  const {
    overall,
    kappa: agreement,
    classes,
  } = sampleAccuracy(
    matrixOf([
      [6, 0],
      [0, 4],
    ]),
  );
  expect(overall).toMatchObject({ value: 1, standardError: 0, ...wilson(1, 10) });
  expect(agreement?.value).toBe(1);
  expect(agreement?.low).toBeLessThan(overall?.low ?? 0);
  expect(classes[1]?.f1?.low).toBeGreaterThan(0.3);
  expect(classes[1]?.f1?.low).toBeLessThan(0.8);
});

it('sampleAccuracy gives null for figures without samples', () => {
  const { classes, kappa: none } = sampleAccuracy(
    matrixOf([
      [3, 0],
      [0, 0],
    ]),
    [0, 1],
  );
  expect(none).toBeNull();
  expect(classes[1]).toMatchObject({ precision: null, recall: null, f1: null, mapped: 0, reference: 0 });
  expect(sampleAccuracy(new ConfusionMatrix())).toMatchObject({ total: 0, overall: null, kappa: null, classes: [] });
});

it('sampleAccuracy gives a kappa below 0 if the agreement is worse than by chance', () => {
  const { kappa: estimate } = sampleAccuracy(
    matrixOf([
      [1, 9],
      [9, 1],
    ]),
  );
  expect(estimate?.value).toBeCloseTo(-0.8, 12);
  expect(estimate?.low).toBeGreaterThanOrEqual(-1);
  expect(estimate?.high).toBeLessThan(0);
});

it('wilson gives the published interval for 10 of 10 and for 81 of 263 (Newcombe 1998: 0.2553 to 0.3662)', () => {
  expect(wilson(1, 10).high).toBe(1);
  expect(wilson(1, 10).low).toBeCloseTo(0.7225, 4);
  expect(wilson(81 / 263, 263).low).toBeCloseTo(0.2553, 4);
  expect(wilson(81 / 263, 263).high).toBeCloseTo(0.3662, 4);
  expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
});
