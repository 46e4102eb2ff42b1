import { describe, expect, it } from 'vitest';
import { roughSurface, rowsOf, surface, utmGrid } from '../dem/surfaces.fixture.ts';
import { accumulatedCells } from '../hydrology/accumulate.ts';
import type { Dem } from '../dem/dem.ts';
import { edgeContamination } from '../hydrology/edge-contamination.ts';
import { flowOf } from '../hydrology/flow.ts';
import { connectZones, DIRECTIONS, uncertainZones, type ZoneConnection } from './connectivity.ts';

function connect(dem: Dem, zones: Uint8Array, count: number): readonly ZoneConnection[] {
  const flow = flowOf(dem);
  return connectZones(flow, accumulatedCells(flow), { zones, count });
}

describe('connections of zones', () => {
  it('lead down a slope from zone to zone and out at its foot', () => {
    const zones = Uint8Array.from({ length: 54 }, (_, at) => Math.floor(at / 18) + 1);
    expect(
      connect(
        surface(utmGrid(9, 6), (row) => 9 - row),
        zones,
        3,
      ),
    ).toEqual([
      { zone: 1, downstream: 2, upstream: [], direction: 4, gives: [{ into: 2, cells: 18 }] },
      { zone: 2, downstream: 3, upstream: [1], direction: 4, gives: [{ into: 3, cells: 36 }] },
      { zone: 3, downstream: 0, upstream: [2], direction: 0, gives: [{ into: 0, cells: 54 }] },
    ]);
  });

  it.each(['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const)('have the direction %s', (name) => {
    const [down, right] = [
      name.includes('S') ? 1 : name.includes('N') ? -1 : 0,
      name.includes('E') ? 1 : name.includes('W') ? -1 : 0,
    ];
    const along = (row: number, col: number): number => down * (row - 7) + right * (col - 7);
    const zones = Uint8Array.from({ length: 225 }, (_, at) => (along(Math.floor(at / 15), at % 15) < 0 ? 1 : 2));
    const [first, second] = connect(
      surface(utmGrid(15, 15), (row, col) => 500 - 10 * along(row, col)),
      zones,
      2,
    );
    expect(first).toMatchObject({ downstream: 2, direction: DIRECTIONS.indexOf(name) });
    expect(second).toMatchObject({ downstream: 0, upstream: [1], direction: 0 });
  });

  it('count the water of a stream only once, even if the stream crosses a border several times', () => {
    // The stream winds along the border of zones 1 (left) and 2 (right), and ends in zone 2.
    const dem = rowsOf([
      [99, 20, 99, 99],
      [99, 99, 19, 99],
      [99, 18, 99, 99],
      [99, 99, 17, 99],
      [99, 16, 99, 99],
      [99, 99, 15, 99],
    ]);
    const zones = Uint8Array.from({ length: 24 }, (_, at) => (at % 4 < 2 ? 1 : 2));
    const [left, right] = connect(dem, zones, 2);
    expect(left!.downstream).toBe(2);
    expect(left!.gives.find(({ into }) => into === 2)!.cells).toBeLessThanOrEqual(12);
    expect(right!.gives.map(({ into }) => into)).toEqual([0]);
    expect(right!.upstream).toEqual([1]);
  });

  it('have an outflow that equals the inflow plus the cells of the zone', () => {
    const dem = roughSurface(utmGrid(64, 64));
    const zones = Uint8Array.from({ length: 4096 }, (_, at) => 1 + ((at % 64) >> 4) + 4 * (at >> 10));
    const connections = connect(dem, zones, 16);
    for (const { zone, gives } of connections) {
      const out = gives.reduce((sum, { cells }) => sum + cells, 0);
      const taken = connections.flatMap((other) => other.gives.filter(({ into }) => into === zone));
      expect(out - taken.reduce((sum, { cells }) => sum + cells, 0)).toBe(256);
    }
  });

  it('of a valley agree with figures counted by hand', () => {
    // Both banks drain into the middle row, which flows east: cells of this row drain 3, 6, 9, 12 and 15 cells.
    const dem = rowsOf(
      [
        [59, 58, 57, 56, 55],
        [49, 48, 47, 46, 45],
        [59, 58, 57, 56, 55],
      ],
      30,
    );
    // The northern bank (zone 4) gives 1 cell to zone 1, 3 cells to zone 2 and 1 cell to zone 3.
    const zones = Uint8Array.of(4, 4, 4, 4, 4, 1, 2, 2, 2, 3, 1, 2, 2, 2, 3);
    const [east, south] = [DIRECTIONS.indexOf('E'), DIRECTIONS.indexOf('S')];
    const bank = [
      { into: 2, cells: 3 },
      { into: 1, cells: 1 },
      { into: 3, cells: 1 },
    ];
    expect(connect(dem, zones, 4)).toEqual([
      { zone: 1, downstream: 2, upstream: [], direction: east, gives: [{ into: 2, cells: 3 }] },
      { zone: 2, downstream: 3, upstream: [1, 4], direction: east, gives: [{ into: 3, cells: 12 }] },
      { zone: 3, downstream: 0, upstream: [2], direction: 0, gives: [{ into: 0, cells: 15 }] },
      { zone: 4, downstream: 2, upstream: [], direction: south, gives: bank },
    ]);
  });

  it('are empty for a zone without cells', () => {
    const [, second] = connect(rowsOf([[2, 1]]), Uint8Array.of(1, 1), 2);
    expect(second).toEqual({ zone: 2, downstream: 0, upstream: [], direction: 0, gives: [] });
  });
});

describe('the downstream zone of a zone', () => {
  // Two valleys descend in columns 3 and 9; column 6 divides the zones. Unseen water comes from outside of the DEM.
  const heights = (row: number, col: number) => 100 - row + 5 * Math.min(Math.abs(col - 3), Math.abs(col - 9));
  const zones = Array.from({ length: 12 * 13 }, (_, at) => 1 + Math.floor(at / 13 / 4) * 2 + (at % 13 > 6 ? 1 : 0));
  const run = (dem: Dem, of: readonly number[], count: number) => {
    const flow = flowOf(dem);
    const index = { zones: Uint16Array.from(of), count };
    const found = connectZones(flow, accumulatedCells(flow), index);
    return [...uncertainZones({ flow, unseen: edgeContamination(flow) }, index, found)];
  };

  it('is certain if unseen water leaves the zone only into the downstream zone', () => {
    // The ridge keeps unseen water in one valley.
    expect(
      run(
        surface(utmGrid(12, 13), heights),
        zones.map((zone) => (zone > 2 && zone < 5 ? zone : 0)),
        6,
      ),
    ).toEqual([]);
  });

  it('is uncertain if unseen water leaves the zone elsewhere', () => {
    // Zone 1 contains both valleys, so unseen water leaves it into zone 2 and into zone 3.
    const both = zones.map((zone) => [0, 0, 0, 1, 1, 2, 3][zone] ?? 0);
    expect(run(surface(utmGrid(12, 13), heights), both, 3)).toContain(1);
  });
});
