import type { Box, Scene } from '@headwater/core';
import { toUtm, utmZone } from '@headwater/core/geo';
import { describe, expect, it } from 'vitest';
import { workCrs, workGrid } from './work-grid.ts';

const scene = (day: string, change: Partial<Scene> = {}): Scene => ({
  id: `S2_${day}`,
  itemHref: `https://stac.example.org/items/S2_${day}`,
  collection: 'sentinel-2-l2a',
  datetime: `${day}T05:30:00.000Z`,
  bands: {},
  crs: 'EPSG:32643',
  bbox: [75, 23, 76, 24],
  processing: {},
  synthetic: false,
  ...change,
});

const BOX: Box = [75.5, 23.2, 75.56, 23.26];

describe('workGrid', () => {
  it('covers the box with 10 m pixels on the 20 m lattice', () => {
    const grid = workGrid([scene('2020-08-01')], BOX);
    expect([grid.west % 20, grid.north % 20, grid.pixelWidth, grid.pixelHeight]).toEqual([0, 0, 10, 10]);
    for (const [lon, lat] of [
      [BOX[0], BOX[1]],
      [BOX[0], BOX[3]],
      [BOX[2], BOX[1]],
      [BOX[2], BOX[3]],
    ] as const) {
      const zone = utmZone('EPSG:32643');
      const [x, y] = zone === undefined ? [0, 0] : toUtm(zone, lon, lat);
      expect(x > grid.west && x < grid.west + grid.cols * 10).toBe(true);
      expect(y < grid.north && y > grid.north - grid.rows * 10).toBe(true);
    }
    expect(grid.cols % 2).toBe(0);
    expect(grid.rows % 2).toBe(0);
  });

  it('aligns the lattice with scenes that have a grid', () => {
    const own = {
      crs: 'EPSG:32643',
      west: 600_007,
      north: 2_600_053,
      pixelWidth: 10,
      pixelHeight: 10,
      cols: 100,
      rows: 100,
    };
    const grid = workGrid([scene('2020-08-01', { grid: own })], BOX);
    expect([(grid.west - 7) % 20, (grid.north - 53) % 20]).toEqual([0, 0]);
  });

  it('uses the CRS of most scenes', () => {
    expect(workCrs([{ crs: 'EPSG:32644' }, { crs: 'EPSG:32643' }, { crs: 'EPSG:32644' }])).toBe('EPSG:32644');
    expect(workCrs([{ crs: 'EPSG:32644' }, { crs: 'EPSG:32643' }])).toBe('EPSG:32643');
    expect(() => workCrs([{ crs: 'EPSG:4326' }])).toThrow('UTM');
  });

  it('rejects an area larger than any tehsil', () =>
    expect(() => workGrid([scene('2020-08-01')], [60, 0, 90, 30])).toThrow('pixels'));
});
