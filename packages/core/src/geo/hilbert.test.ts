import { expect, it } from 'vitest';
import { hilbertPosition } from './hilbert.ts';

const TILE = 1;
const CACHED = 4;

interface Tehsil {
  readonly name: string;
  readonly box: readonly [number, number, number, number];
}

/** Tehsils by rows of the map; their names have another order. */
const TEHSILS: readonly Tehsil[] = Array.from({ length: 400 }, (_, index) => {
  const [west, south] = [80 + (index % 20) * 0.3, 20 + Math.floor(index / 20) * 0.3];
  return { name: String((index * 7919) % 400), box: [west, south, west + 0.3, south + 0.3] };
});

function tilesOf([west, south, east, north]: Tehsil['box']): readonly string[] {
  const tiles: string[] = [];
  for (let x = Math.floor(west / TILE); x * TILE < east - 1e-9; x += 1)
    for (let y = Math.floor(south / TILE); y * TILE < north - 1e-9; y += 1) tiles.push(`${x},${y}`);
  return tiles;
}

function tilesRead(order: readonly Tehsil[]): number {
  const cache: string[] = [];
  let read = 0;
  for (const tile of order.flatMap(({ box }) => tilesOf(box))) {
    const at = cache.indexOf(tile);
    if (at >= 0) cache.splice(at, 1);
    else read += 1;
    cache.push(tile);
    if (cache.length > CACHED) cache.shift();
  }
  return read;
}

const centre = ([west, south, east, north]: Tehsil['box']): readonly [number, number] => [
  (west + east) / 2,
  (south + north) / 2,
];

it('tehsils in the order along the curve read fewer scene tiles than tehsils sorted by their names or by rows of the map', () => {
  const along = TEHSILS.toSorted((a, b) => hilbertPosition(centre(a.box)) - hilbertPosition(centre(b.box)));
  const byName = TEHSILS.toSorted((a, b) => a.name.localeCompare(b.name));
  const tiles = new Set(TEHSILS.flatMap(({ box }) => tilesOf(box))).size;
  const [onCurve, named, rows] = [tilesRead(along), tilesRead(byName), tilesRead(TEHSILS)];
  expect(onCurve).toBeLessThan(4 * tiles);
  expect(onCurve).toBeLessThan(rows / 2);
  expect(onCurve).toBeLessThan(named / 4);
});

it('neighbours on the curve are neighbours on the map, from one corner of the map to another', () => {
  const cell = 360 / 2 ** 16;
  const points = Array.from({ length: 1024 }, (_, index): readonly [number, number] => [
    (index % 32) * cell + cell / 2,
    Math.floor(index / 32) * cell + cell / 2,
  ]);
  const placed = points.map((point) => ({ point, at: hilbertPosition(point) })).toSorted((a, b) => a.at - b.at);
  for (const [index, { point, at }] of placed.entries()) {
    const before = placed[index - 1];
    if (before === undefined) continue;
    expect(at - before.at).toBe(1);
    expect(Math.abs(point[0] - before.point[0]) + Math.abs(point[1] - before.point[1])).toBeCloseTo(cell, 9);
  }
  expect([hilbertPosition([-180, -180]), hilbertPosition([180, -180])]).toEqual([0, 2 ** 32 - 1]);
});
