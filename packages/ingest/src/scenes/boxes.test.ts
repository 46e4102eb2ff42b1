import type { Box, PixelGrid } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import { gridsOver } from '../elevation/open-elevation.ts';
import { boxesTouch, searchableBox } from './boxes.ts';

const around = (west: number, east: number): Box => [west, -17, east, -16];

describe('boxes around 180 degrees', () => {
  it.each<[Box, Box, boolean]>([
    [around(179, -179), around(179.5, 179.6), true],
    [around(179, -179), around(-179.6, -179.5), true],
    [around(179, -179), around(179.9, 180.1), true],
    [around(179, -179), around(178, 178.9), false],
    [around(-180, -179), around(179.9, 180.1), true],
    [around(179, 180), around(-180.1, -179.9), true],
    [around(179.5, -179.5), around(179.8, -179.8), true],
    [around(-179.5, -179), around(179.9, 180.1), false],
    [around(75, 76), around(-76, -75), false],
  ])('%j and %j touch: %s', (one, other, expected) => {
    expect([boxesTouch(one, other), boxesTouch(other, one)]).toEqual([expected, expected]);
  });

  it.each<[Box, Box]>([
    [around(75, 76), around(75, 76)],
    [around(179.9, 180.1), around(179.9, -179.9)],
    [around(-180.1, -179.9), around(179.9, -179.9)],
    [around(-190, 190), around(-180, 180)],
  ])('%j becomes %j for a search', (box, expected) => {
    const found = searchableBox(box);
    for (const [i, degrees] of expected.entries()) expect(found[i]).toBeCloseTo(degrees, 9);
  });

  it('are covered by elevation tiles on both sides', () => {
    const tile = (west: number): PixelGrid => ({
      crs: 'EPSG:4326',
      west,
      north: -16,
      pixelWidth: 0.01,
      pixelHeight: 0.01,
      cols: 100,
      rows: 100,
    });
    const tiles = [tile(178), tile(179), tile(-180), tile(-179)];
    expect(gridsOver([179.5, -16.9, 180.5, -16.1], tiles)).toEqual([1, 2]);
    expect(gridsOver([-180.5, -16.9, -179.5, -16.1], tiles)).toEqual([1, 2]);
    expect(gridsOver([179.5, -16.9, 180.5, -16.1], tiles.slice(0, 2))).toBeUndefined();
  });
});
