import { array, assert, double, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../../scripts/test-length.mjs';
import { clipLine, clipRing } from './tile-clip.ts';

describe('rings', () => {
  it('are cut at each side', () => {
    expect(clipRing([-5, -5, 15, -5, 15, 15, -5, 15], 0, 10)).toEqual([0, 10, 0, 0, 10, 0, 10, 10]);
  });

  it('that are outside disappear', () => {
    expect(clipRing([20, 20, 30, 20, 30, 30], 0, 10)).toEqual([]);
  });

  it('that are inside do not change', () => {
    expect(clipRing([1, 1, 5, 1, 5, 5], 0, 10)).toEqual([1, 1, 5, 1, 5, 5]);
  });
});

describe('lines', () => {
  it.each([
    ['crosses the square', [-5, 5, 15, 5], [[0, 5, 10, 5]]],
    ['enters', [-5, 5, 5, 5, 5, 6], [[0, 5, 5, 5, 5, 6]]],
    [
      'leaves and returns',
      [5, 5, 15, 5, 15, 6, 5, 6],
      [
        [5, 5, 10, 5],
        [10, 6, 5, 6],
      ],
    ],
    ['is outside', [-5, 5, -1, 8], []],
    ['passes a corner outside', [-2, 1, 1, -2], []],
    ['runs along the border', [0, -3, 0, 4], [[0, 0, 0, 4]]],
    ['is parallel to a side and outside', [11, -3, 11, 4], []],
    ['is inside', [1, 1, 2, 2, 3, 1], [[1, 1, 2, 2, 3, 1]]],
  ])('that %s', (_, line, expected) => {
    expect(clipLine(line, 0, 10)).toEqual(expected);
  });
});

/** Squares of side 10 that cover 0 to 30 on both axes. */
const SQUARES = [0, 10, 20].flatMap((x) => [0, 10, 20].map((y) => [x, y] as const));
const moved = (coordinates: readonly number[], [x, y]: readonly [number, number]): number[] =>
  coordinates.map((value, at) => value - (at % 2 === 0 ? x : y));
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function areaOf(ring: readonly number[]): number {
  let twice = 0;
  for (let at = 0; at < ring.length; at += 2) {
    const next = (at + 2) % ring.length;
    twice += ring[at]! * ring[next + 1]! - ring[next]! * ring[at + 1]!;
  }
  return Math.abs(twice) / 2;
}

const lengthOf = (line: readonly number[]): number =>
  sum(
    line
      .slice(2)
      .map((_, at) => (at % 2 === 0 ? Math.hypot(line[at + 2]! - line[at]!, line[at + 3]! - line[at + 1]!) : 0)),
  );

const RUNS = { seed: 2026, numRuns: sized(100, 5_000) };
const distance = double({ min: 1, max: 14, noNaN: true });

it('the parts of a ring in adjacent squares have the area of the ring', () => {
  const star = array(distance, { minLength: 3, maxLength: 40 }).map((distances) =>
    distances.flatMap((far, at) => {
      const angle = (2 * Math.PI * at) / distances.length;
      return [15 + far * Math.cos(angle), 15 + far * Math.sin(angle)];
    }),
  );
  assert(
    property(star, (ring) => {
      const parts = SQUARES.map((square) => clipRing(moved(ring, square), 0, 10));
      expect(sum(parts.map(areaOf))).toBeCloseTo(areaOf(ring), 6);
      expect(parts.flat().every((value) => value >= -1e-9 && value <= 10 + 1e-9)).toBe(true);
    }),
    RUNS,
  );
});

it('the parts of a line in adjacent squares have the length of the line', () => {
  const coordinate = double({ min: 0.1, max: 29.9, noNaN: true });
  assert(
    property(array(tuple(coordinate, coordinate), { minLength: 2, maxLength: 20 }), (positions) => {
      const line = positions.flat();
      const parts = SQUARES.flatMap((square) => clipLine(moved(line, square), 0, 10));
      expect(sum(parts.map(lengthOf))).toBeCloseTo(lengthOf(line), 6);
    }),
    RUNS,
  );
});
