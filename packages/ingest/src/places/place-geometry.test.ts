import { describe, expect, it } from 'vitest';
import { layerGeometry } from '../import/layer/read-vector.ts';
import { at, BadPlaceFile, withFile, TooMuch } from './bad-place-file.ts';
import { placePolygons } from './place-geometry.ts';
import { PositionBudget } from './place-geometry.ts';

const ring = (west: number, size = 1): number[][] => [
  [west, 10],
  [west + size, 10],
  [west + size, 10 + size],
  [west, 10 + size],
  [west, 10],
];

describe('a geometry that exceeds the limit of positions', () => {
  it.each([
    ['at its second polygon', { type: 'MultiPolygon', coordinates: [[ring(70)], [ring(72)]] }],
    ['at a hole', { type: 'Polygon', coordinates: [ring(70), ring(70.2, 0.1)] }],
    ['at its second line', { type: 'MultiLineString', coordinates: [ring(70), ring(72)] }],
  ])('is refused, not truncated, if the limit is reached %s', (_, geometry) => {
    const notes: string[] = [];
    const reading = { budget: new PositionBudget(9, 'file'), report: (note: string) => void notes.push(note) };
    expect(() => layerGeometry(geometry, reading)).toThrow(
      new TooMuch('the file has more than 9 positions; simplify it or split it'),
    );
    expect(notes).toEqual([]);
    const enough = { ...reading, budget: new PositionBudget(10, 'file') };
    expect(layerGeometry(geometry, enough).geometry).toMatchObject({ coordinates: expect.any(Array) });
  });

  it('is an error of the whole file, even if only one feature exceeds the limit', async () => {
    const spend = (): void => new PositionBudget(1_000_000, 'feature').spend(1_000_001);
    const found = await withFile('/places/a.geojson', async () => at('features[3]', spend)).catch(
      (error: unknown) => error,
    );
    expect(found).toBeInstanceOf(TooMuch);
    expect(found).toMatchObject({
      message: 'the feature has more than 1,000,000 positions; simplify it',
      file: '/places/a.geojson',
    });
    expect(() =>
      at('ring 1', () => {
        throw new BadPlaceFile('short');
      }),
    ).toThrow('ring 1: short');
  });
});

it('keeps a hole in a ring that crosses itself, even if the first corner of the hole is on the line of the ring', () => {
  const bowTie = [
    [0, 0],
    [4, 4],
    [4, 0],
    [0, 4],
    [0, 0],
  ];
  const hole = [
    [4, 2],
    [3, 1.5],
    [3, 2.5],
    [4, 2],
  ];
  const reading = { budget: new PositionBudget(100, 'file'), report: () => {} };
  const polygons = placePolygons({ type: 'Polygon', coordinates: [bowTie, hole] }, reading);
  expect(polygons.map((rings) => rings.length).toSorted((a, b) => a - b)).toEqual([1, 2]);
});
