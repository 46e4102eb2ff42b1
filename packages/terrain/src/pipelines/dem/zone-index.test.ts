import { expect, it } from 'vitest';
import { zoneIndex } from './zone-index.ts';

const grid = { crs: 'EPSG:4326', west: 78, north: 18, pixelWidth: 1, pixelHeight: 1, cols: 8, rows: 5 };
const rectangle = ([west, south, east, north]: readonly [number, number, number, number]) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

it('assigns a pixel to the first zone that contains its centre, and widens zones by two pixels; a hole does not belong to its zone', () => {
  const first = [rectangle([79.2, 14.2, 81.9, 16.6])];
  const second = [rectangle([80, 14, 83, 17]), rectangle([82.1, 15.1, 82.9, 15.9])];
  const { zones, count } = zoneIndex([first, second], grid);
  expect(count).toBe(2);
  const rows = Array.from({ length: 5 }, (_, row) => zones.slice(row * 8, row * 8 + 8).join(''));
  expect(rows).toEqual(['11111220', '11112220', '11111220', '11112220', '11111220']);
});

it('projects outlines in degrees to a grid in UTM', () => {
  const utm = {
    crs: 'EPSG:32644',
    west: 234_600,
    north: 1_938_600,
    pixelWidth: 30,
    pixelHeight: 30,
    cols: 100,
    rows: 100,
  };
  const { zones } = zoneIndex([[rectangle([78.51, 17.505, 78.52, 17.515])]], utm);
  const pixels = zones.filter((zone) => zone === 1).length;
  expect(pixels).toBeGreaterThan(38 * 39);
  expect(pixels).toBeLessThan(41 * 43);
});
