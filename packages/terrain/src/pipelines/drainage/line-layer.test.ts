import type { Mws } from '@headwater/core';
import { fromUtm } from '@headwater/core/geo';
import { expect, it } from 'vitest';
import { surface, utmGrid } from '../../dem/surfaces.fixture.ts';
import { streamsOf } from '../../hydrology/stream-network.ts';
import { ringsOf } from '../dem/elevation-about.ts';
import { findLines } from './find-lines.ts';
import { densityTable } from './line-layer.ts';

const GRID = utmGrid(60, 120);

/** A micro-watershed with these corners: columns and rows of the grid, with fractions. */
function mwsOver(uid: string, [left, top, right, bottom]: readonly [number, number, number, number]): Mws {
  const corner = (col: number, row: number): number[] => {
    return [...fromUtm({ zone: 43, south: false }, GRID.west + 30 * col, GRID.north - 30 * row)];
  };
  const ring = [corner(left, top), corner(left, bottom), corner(right, bottom), corner(right, top), corner(left, top)];
  return { uid, tehsilId: 1, geometry: { type: 'Polygon', coordinates: [ring] } };
}

/** A valley that gets water only from inside of the grid. */
const closedValley = () =>
  surface(GRID, (row, col) => {
    const isRim = row < 2 || col < 2 || col > 57;
    return isRim ? 900 - Math.max(2 - row, 2 - col, col - 57) : 1000 - row + 5 * Math.abs(col - 30);
  });

it('the order of a stream is unknown if water from land outside of the DEM may reach it; its length counts in the density, but in no order', () => {
  const open = surface(GRID, (row, col) => 1000 - row + 5 * Math.abs(col - 30));
  const mws = [mwsOver('valley', [10, 10, 50, 55])];
  const zones = mws.map(({ geometry }) => ringsOf(geometry));
  const tables = [closedValley(), open].map((dem) => {
    const found = findLines(streamsOf(dem, 9), zones);
    return { lines: found.lines, row: densityTable(mws, found).rows[0] };
  });
  const [known, unknown] = tables;
  expect(known?.lines[0]).toMatchObject({ order: 1, upstreamCells: expect.any(Number) });
  expect(unknown?.lines[0]).toMatchObject({ order: null, upstreamCells: null, upstreamHectares: null });
  expect(known?.row).toMatchObject({ unknown_order_length_in_km: 0 });
  expect(known?.row?.['drainage_density_weighted_in_km_per_km2']).toBeGreaterThan(0);
  expect(unknown?.row?.['drainage_density_std_in_km_per_km2']).toBeGreaterThan(0);
  expect(unknown?.row?.['unknown_order_length_in_km']).toBeGreaterThan(1);
  expect(unknown?.row).toMatchObject({
    drainage_density_weighted_in_km_per_km2: null,
    stream_order_length_in_km: Array<number>(11).fill(0),
  });
});

it('the density is null without elevation, and 0 without a stream', () => {
  // A valley descends in columns 0 to 59; all other columns have no data.
  const dem = surface(GRID, (row, col) => (col < 60 ? 1000 - row + 5 * Math.abs(col - 30) : Number.NaN));
  const mws = [
    mwsOver('valley', [10, 10, 50, 55]),
    mwsOver('top', [2, 2, 20, 8]),
    mwsOver('unknown', [70, 10, 110, 50]),
    mwsOver('outside', [60, 10, 64, 50]),
    mwsOver('partly', [45, 10, 90, 50]),
  ];
  const zones = mws.map(({ geometry }) => ringsOf(geometry));
  const { rows } = densityTable(mws, findLines(streamsOf(dem), zones));
  const densities = Object.fromEntries(rows.map((row) => [row['uid'], row['drainage_density_std_in_km_per_km2']]));
  expect(densities['valley']).toBeGreaterThan(0.1);
  expect(densities).toMatchObject({ top: 0, unknown: null, outside: null, partly: 0 });
  const cells = { drainage_density_weighted_in_km_per_km2: null, stream_order_length_in_km: null };
  expect(rows[2]).toMatchObject(cells);
  expect(rows[1]).toMatchObject({ stream_order_length_in_km: Array<number>(11).fill(0) });
});

it('the density of a sliver that a stream crosses is known, although the sliver contains no pixel centre', () => {
  // Both micro-watersheds are between the centres of two rows.
  const dem = closedValley();
  const mws = [mwsOver('sliver', [10, 40.6, 50, 40.9]), mwsOver('without', [2, 4.6, 20, 4.9])];
  const zones = mws.map(({ geometry }) => ringsOf(geometry));
  const [sliver, without] = densityTable(mws, findLines(streamsOf(dem), zones)).rows;
  const lengths = sliver?.['stream_order_length_in_km'];
  expect(Array.isArray(lengths) && lengths.some((km) => Number(km) > 0)).toBe(true);
  expect(sliver?.['drainage_density_std_in_km_per_km2']).toBeGreaterThan(0);
  expect(without).toMatchObject({ drainage_density_std_in_km_per_km2: null, stream_order_length_in_km: null });
});
