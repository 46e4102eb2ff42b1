import { describe, expect, it } from 'vitest';
import { degreeGrid, roughSurface, rowsOf, surface, utmGrid } from '../dem/surfaces.fixture.ts';
import type { Dem } from '../dem/dem.ts';
import { accumulatedCells } from './accumulate.ts';
import { stepsByCode } from './directions.ts';
import { drainageLines, type Streams } from './drainage.ts';
import { edgeContamination } from './edge-contamination.ts';
import { flowOf } from './flow.ts';
import { streamOrders } from './stream-network.ts';
import { outlets, pourPoints, watersheds } from './watersheds.ts';

function streamsOf(dem: Dem, threshold: number): Streams {
  const flow = flowOf(dem);
  const cells = accumulatedCells(flow);
  return { flow, cells, orders: streamOrders(flow, cells, threshold) };
}

/** Two valleys that join in the shape of a Y and continue to the south, where a side valley from the west joins. */
const Y = rowsOf(
  [
    [90, 19, 90, 90, 90, 19, 90],
    [90, 90, 18, 90, 18, 90, 90],
    [90, 90, 90, 17, 90, 90, 90],
    [16, 90, 90, 16, 90, 90, 90],
    [90, 15, 90, 15, 90, 90, 90],
    [90, 90, 14, 14, 90, 90, 90],
    [90, 90, 90, 13, 90, 90, 90],
    [90, 90, 90, 12, 90, 90, 90],
  ],
  10,
);

describe('stream orders', () => {
  it('increase by one if two streams of the same order meet, but not if a stream of a smaller order joins', () => {
    const flow = flowOf(Y);
    const cells = accumulatedCells(flow).map((count, at) => (Y.heights[at]! < 50 ? count : 0));
    const orders = streamOrders(flow, cells, 1);
    const bed = (row: number, col: number): number => orders[row * 7 + col]!;
    expect([bed(0, 1), bed(1, 2), bed(0, 5), bed(1, 4)]).toEqual([1, 1, 1, 1]);
    expect([bed(2, 3), bed(3, 3), bed(4, 3)]).toEqual([2, 2, 2]);
    expect([bed(3, 0), bed(4, 1)]).toEqual([1, 1]);
    expect([bed(6, 3), bed(7, 3)]).toEqual([2, 2]);
    expect(orders[0]).toBe(0);
  });

  it('equal the definition at every cell', () => {
    const { flow, cells, orders } = streamsOf(roughSurface(utmGrid(60, 60)), 2);
    const steps = stepsByCode(60);
    const byDefinition = (at: number): number => {
      const inflows = [...steps.keys()]
        .map((code) => at - steps[code]!)
        .filter((from) => from !== at && from >= 0 && cells[from]! >= 2 && at - from === steps[flow.directions[from]!])
        .map(byDefinition);
      const most = Math.max(1, ...inflows);
      return inflows.filter((order) => order === most).length > 1 ? most + 1 : most;
    };
    for (const at of flow.order) if (cells[at]! >= 2) expect(orders[at]).toBe(byDefinition(at));
  });

  it('are at least 1 exactly at the cells whose number of upstream cells reaches the threshold', () => {
    const { cells, orders } = streamsOf(roughSurface(utmGrid(50, 50)), 20);
    orders.forEach((order, at) => expect(order > 0).toBe(cells[at]! >= 20));
    expect(Math.max(...orders)).toBeGreaterThan(1);
  });
});

describe('drainage lines', () => {
  it('end where water from outside of the DEM first joins a stream, but not where water from within joins it later', () => {
    // Ridges in columns 5 and 15 keep other water out of the valley in column 10.
    const valley = surface(utmGrid(30, 21), (row, col) => 100 - row / 10 - 3 * Math.abs(5 - Math.abs(col - 10)));
    const streams = streamsOf(valley, 20);
    const unseen = edgeContamination(streams.flow);
    const bed = (row: number): number => row * 21 + 10;
    expect([unseen[bed(15)] === 0, unseen[bed(15) - 2] === 0]).toEqual([false, true]);
    const lines = drainageLines(streams);
    expect(drainageLines(streams, unseen)).toEqual(lines);
    // Unseen water joins the river half-way, like a tributary from outside.
    const joined = unseen.map((sides, at) => (at % 21 === 10 && at < bed(15) ? 0 : sides));
    const cut = drainageLines(streams, joined).filter(({ lastCell }) => lastCell % 21 === 10);
    expect(cut.map(({ geometry }) => geometry.coordinates.length).length).toBeGreaterThan(
      lines.filter(({ lastCell }) => lastCell % 21 === 10).length,
    );
    expect(cut.some(({ lastCell }) => lastCell === bed(14))).toBe(true);
  });

  it('run from a source or confluence to the next confluence, where the next line begins', () => {
    const flow = flowOf(Y);
    const cells = accumulatedCells(flow).map((count, at) => (Y.heights[at]! < 50 ? count : 0));
    const lines = drainageLines({ flow, cells, orders: streamOrders(flow, cells, 1) });
    const upper = lines.find(({ order }) => order === 2)!;
    expect(lines.filter(({ order }) => order === 1).length).toBeGreaterThanOrEqual(3);
    expect(lines.filter(({ downstream }) => downstream === upper.id)).toHaveLength(2);
    expect(lines[0]!.geometry.coordinates.slice(0, 2)).toEqual([
      [500_015, 1_999_995],
      [500_025, 1_999_985],
    ]);
    expect(lines[0]!.lengthMetres).toBeCloseTo(20 * Math.SQRT2, 9);
    expect(lines.find(({ downstream }) => downstream === undefined)!.geometry.coordinates.at(-1)).toEqual([
      500_035, 1_999_925,
    ]);
  });

  it('cover each step between stream cells once', () => {
    const streams = streamsOf(roughSurface(utmGrid(60, 70)), 15);
    const { flow, orders } = streams;
    const lines = drainageLines(streams);
    const steps = lines.reduce((sum, line) => sum + line.geometry.coordinates.length - 1, 0);
    expect(steps).toBe(orders.filter((order, at) => order > 0 && flow.directions[at] !== 0).length);
    for (const line of lines) {
      const feeding = lines.filter(({ downstream }) => downstream === line.id);
      expect(feeding.reduce((sum, { upstreamCells }) => sum + upstreamCells, 0)).toBeLessThan(line.upstreamCells);
      const next = lines[(line.downstream ?? line.id) - 1]!;
      expect(next.order).toBeGreaterThanOrEqual(line.order);
      if (line.downstream !== undefined) expect(next.geometry.coordinates[0]).toEqual(line.geometry.coordinates.at(-1));
    }
  });

  it('are measured in metres on a grid in degrees', () => {
    const [line] = drainageLines(
      streamsOf(
        surface(degreeGrid(1, 11), (_, col) => 20 - col),
        1,
      ),
    );
    expect(line).toMatchObject({ id: 1, order: 1, upstreamCells: 11 });
    expect(line!.lengthMetres).toBeCloseTo((10 / 3600) * 55_801, 1);
  });
});

describe('watersheds', () => {
  const flow = flowOf(
    surface(utmGrid(4, 6), (row, col) => 100 - 10 * row + (col < 3 ? Math.abs(col - 1) : 1 + Math.abs(col - 4))),
  );
  const cells = accumulatedCells(flow);

  it('consist of all cells that drain through a pour point, without the watersheds of pour points upstream', () => {
    expect(outlets(flow, cells).every((at) => at >= 18)).toBe(true);
    const below = 3 * 6 + 1;
    const above = 1 * 6 + 1;
    const labels = watersheds(flow, [below, above]);
    expect(labels.filter((label) => label === 2)).toHaveLength(cells[above]!);
    expect(labels.filter((label) => label > 0)).toHaveLength(cells[below]!);
    expect(labels[5]).toBe(0);
  });

  it('get, for each zone, a pour point at its cell with the most upstream cells, or -1 for a zone without cells', () => {
    const zones = Uint8Array.from({ length: 24 }, (_, at) => (at % 6 < 3 ? 1 : at % 6 < 5 ? 2 : 0));
    const points = pourPoints({ zones, count: 3 }, cells);
    expect(points[3]).toBe(-1);
    for (const zone of [1, 2]) {
      const most = Math.max(...cells.filter((_, at) => zones[at] === zone));
      expect(cells[points[zone]!]).toBe(most);
      expect(zones[points[zone]!]).toBe(zone);
    }
  });
});
