import { describe, expect, it } from 'vitest';
import { cellSizes } from '../dem/cell-size.ts';
import { degreeGrid, roughSurface, utmGrid } from '../dem/surfaces.fixture.ts';
import { accumulatedAreas, accumulatedCells } from './accumulate.ts';
import { flowOf } from './flow.ts';
import { distanceToStreams } from './nearest-stream.ts';
import { streamsOf, streamThreshold } from './stream-network.ts';

describe('the stream threshold', () => {
  it.each([
    [utmGrid(10, 10, 30), 122],
    [utmGrid(10, 10, 10), 1100],
    [utmGrid(10, 10, 90), 14],
    [utmGrid(10, 10, 1000), 1],
    // At 60 degrees north, a pixel is 15.5 m by 30.9 m.
    [degreeGrid(10, 10), 229],
  ])('is the same area at every pixel size: %j', (grid, cells) => {
    expect(streamThreshold(grid)).toBe(cells);
  });

  it('is computed at the latitude of the place for pixels in degrees, even if the window extends farther to one side', () => {
    const [place, wide] = [degreeGrid(3600, 10), degreeGrid(2 * 3600, 10, 61)];
    expect(streamThreshold(wide, 11, 59.5)).toBe(streamThreshold(place, 11, 59.5));
    expect(streamThreshold(wide)).not.toBe(streamThreshold(place));
    expect(streamThreshold(utmGrid(10, 10, 30), 11, 59.5)).toBe(122);
  });

  it('selects the cells through which at least this number of cells drain, including the cell itself', () => {
    const dem = roughSurface(utmGrid(80, 90));
    const { flow, cells, orders } = streamsOf(dem, 9);
    expect(cells).toEqual(accumulatedCells(flow));
    expect(cells.every((count, at) => orders[at]! > 0 === count >= 100)).toBe(true);
    expect(orders.some((order) => order > 1)).toBe(true);
  });
});

it('a catchment area is the number of cells times the pixel area in UTM; in degrees, the pixel area differs by row', () => {
  const utm = flowOf(roughSurface(utmGrid(40, 30)));
  expect(accumulatedAreas(utm)).toEqual(Float64Array.from(accumulatedCells(utm), (cells) => cells * 900));
  const flow = flowOf(roughSurface(degreeGrid(40, 30)));
  const { x, y } = cellSizes(flow.grid);
  const leaving = accumulatedAreas(flow).reduce((sum, area, at) => (flow.directions[at] === 0 ? sum + area : sum), 0);
  const whole = x.reduce((sum, width, row) => sum + 30 * width * y[row]!, 0);
  expect(Math.abs(leaving / whole - 1)).toBeLessThan(1e-12);
});

describe('distance to the nearest stream', () => {
  it.each([
    ['UTM', utmGrid(37, 41)],
    ['degrees, pixels not square', degreeGrid(37, 41)],
  ])('equals the minimum over all stream cells: %s', (_, grid) => {
    const { orders } = streamsOf(roughSurface(grid));
    const { x, y } = cellSizes(grid);
    const streams = [...orders.keys()].filter((at) => orders[at] !== 0);
    expect(streams.length).toBeGreaterThan(10);
    const found = distanceToStreams(grid, orders);
    for (let at = 0; at < found.length; at += 1) {
      const [row, col] = [Math.floor(at / grid.cols), at % grid.cols];
      const nearest = Math.min(
        ...streams.map((stream) => {
          const of = Math.floor(stream / grid.cols);
          const north = (row - of) * ((y[Math.min(row, of)]! + y[Math.max(row, of)]!) / 2);
          return Math.hypot((col - (stream % grid.cols)) * x[of]!, north);
        }),
      );
      expect(Math.abs(found[at]! - nearest)).toBeLessThan(1e-3);
    }
  });

  it('is infinite without a stream', () => {
    expect([...distanceToStreams(utmGrid(2, 3), new Uint8Array(6))]).toEqual(Array(6).fill(Infinity));
  });
});
