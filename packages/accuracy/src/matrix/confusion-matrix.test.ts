import { expect, it } from 'vitest';
import { ConfusionMatrix } from './confusion-matrix.ts';

it('a confusion matrix gives the textbook figures (Cohen 1960: 20, 5, 10, 15 -> agreement 0.7, kappa 0.4)', () => {
  const matrix = new ConfusionMatrix();
  matrix.add(1, 1, 20);
  matrix.add(1, 2, 5);
  matrix.add(2, 1, 10);
  matrix.add(2, 2, 15);
  expect(matrix.overallAccuracy).toBeCloseTo(0.7, 12);
  expect(matrix.kappa).toBeCloseTo(0.4, 12);
  expect([matrix.recall(1), matrix.precision(1), matrix.f1(1)]).toEqual([20 / 25, 20 / 30, 40 / 55]);
  expect(matrix.toString()).toContain('80.0%');
});

it('a confusion matrix counts unclassified pixels as wrong, and distinguishes codes of several digits', () => {
  const matrix = new ConfusionMatrix();
  matrix.add(12, 12);
  matrix.add(12, 0);
  matrix.add(1, 12);
  expect(matrix.classes).toEqual([0, 1, 12]);
  expect(matrix.overallAccuracy).toBeCloseTo(1 / 3, 12);
  expect(matrix.recall(0)).toBeNaN();
});

it('a confusion matrix has the same counts if weighted pixels are added as two arrays, or pair by pair', () => {
  const reference = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256);
  const mapped = Uint8Array.from({ length: 5000 }, (_, i) => (i * 104_729) % 256);
  const [whole, one] = [new ConfusionMatrix(), new ConfusionMatrix()];
  whole.addPixels(reference, mapped, 0.5);
  reference.forEach((code, i) => one.add(code, mapped[i] ?? 0, 0.5));
  expect([...whole.pairs()]).toEqual([...one.pairs()]);
  expect(whole.total).toBe(2500);
});

it('a confusion matrix refuses codes that are not whole numbers 0-255, because such a code would be counted in the cell of another pair', () => {
  const matrix = new ConfusionMatrix();
  expect(() => matrix.add(1, 256)).toThrow('256');
  expect(() => matrix.add(-1, 3)).toThrow('-1');
  expect(() => matrix.addPixels(new Uint8Array(3), new Uint8Array(2))).toThrow(
    'the reference has 3 pixels, but the map has',
  );
});

it('a confusion matrix counts at least 50 million pixels per second of processor time', () => {
  const pixels = 10_980 * 1_000;
  const reference = Uint8Array.from({ length: pixels }, (_, i) => (i >> 5) % 13);
  const mapped = Uint8Array.from({ length: pixels }, (_, i) => (i >> (i % 2 === 0 ? 5 : 3)) % 13);
  const matrix = new ConfusionMatrix();
  matrix.addPixels(reference, mapped);
  const before = process.cpuUsage();
  for (let pass = 0; pass < 5; pass += 1) matrix.addPixels(reference, mapped);
  const { user, system } = process.cpuUsage(before);
  const rate = (5 * pixels) / (user + system);
  console.log(`pairs of pixels: ${rate.toFixed(0)} Mpix/s`);
  expect(rate).toBeGreaterThan(50);
  expect(matrix.total).toBe(6 * pixels);
});
