import { type Box, boxPolygon, type PixelGrid } from '@headwater/core';
import { DEFAULT_REMEDIES } from '@headwater/core/pipelines';
import type { PixelEngine } from '@headwater/core/ports';
import { describe, expect, it } from 'vitest';
import { createDem } from '../../dem/dem.ts';
import { accumulatedAreas } from '../../hydrology/accumulate.ts';
import { flowOf } from '../../hydrology/flow.ts';
import { streamOrderBlock } from '../flow-blocks.ts';
import { inflowBlock, readFlowWindow } from './flow-window.ts';
import { flowNote, windowProperties } from './window-note.ts';

const work = { signal: new AbortController().signal, progress: () => {} };
/** Pixels per degree. The tests use pixels of 90 m, so that a valley of 79 km has few. */
const PER_DEGREE = 1200;
const KM = 1 / 111.32;

/** A pixel engine and a source of elevations for a height function, with elevations north of 0 and south of `end`. */
function terrain(height: (x: number, y: number) => number, end: number, whole?: PixelEngine['whole']) {
  const grid: PixelGrid = {
    crs: 'EPSG:4326',
    west: 70,
    north: end,
    pixelWidth: 1 / PER_DEGREE,
    pixelHeight: 1 / PER_DEGREE,
    cols: 20 * PER_DEGREE,
    rows: Math.round((end + 5) * PER_DEGREE),
  };
  const planes = new Map<string, Float32Array>();
  const reads: PixelGrid[] = [];
  const pixels: Pick<PixelEngine, 'gridOf' | 'read' | 'whole' | 'release'> = {
    gridOf: async () => ({ ...grid, type: 'float32', nodata: null }),
    read: async (request) => {
      const { west, north, pixelWidth, cols, rows } = request.grid;
      const key = `heights-${reads.push(request.grid)}`;
      if (whole === undefined) {
        const at = (k: number) =>
          [west + ((k % cols) + 0.5) * pixelWidth, north - (Math.floor(k / cols) + 0.5) * pixelWidth] as const;
        const values = Float32Array.from({ length: cols * rows }, (_, k) => {
          const [x, y] = at(k);
          return y > end ? Number.NaN : height((x - 75) / KM, y / KM);
        });
        planes.set(key, values);
      }
      return { key, grid: request.grid };
    },
    whole:
      whole ??
      (async ({ grid: of, inputs, block }) => {
        const heights = planes.get(inputs['heights']?.key ?? '') ?? new Float32Array();
        const value = inflowBlock({
          grid: of,
          inputs: { heights },
          outputs: {},
          params: block.params ?? {},
          progress: () => {},
        });
        return { value, outputs: {} };
      }),
    release: async (rasters) => rasters.forEach(({ key }) => planes.delete(key)),
  };
  const raster = { href: '/dem.tif' };
  const elevation = {
    demFor: async (box: Box) =>
      box[3] > end ? undefined : { title: 'Heights', license: 'CC0-1.0', attribution: 'Survey', rasters: [raster] },
  };
  return { ports: { elevation, pixels, remedies: DEFAULT_REMEDIES }, planes, reads };
}

/**
 * A valley of 10 km between two ridges, and 79.1 km from its head to its mouth at y = 0 (km): 791 km2. Beyond the
 * ridges and the head the land falls away from the valley.
 */
function valley(x: number, y: number): number {
  const out = Math.max(Math.abs(x) - 5, y - 79.1);
  return out > 0 ? 2000 - 20 * out : 500 + 5 * y + 40 * Math.abs(x + 0.02);
}

const box: Box = [75 - 3 * KM, 0.5 * KM, 75 + 3 * KM, 14 * KM];
const place = { box, clip: [boxPolygon(box)] };

describe('the window of a valley of 791 km2', () => {
  it('grows up its valley only, until the catchment is whole', async () => {
    const { ports, planes, reads } = terrain(valley, 5);
    const { dem, window } = await readFlowWindow(place, { ports, work });
    expect(window).toMatchObject({ end: 'complete', percent: 0 });
    expect(window.margins[0]).toBe(80_000);
    expect(window.margins.slice(1).every((metres) => metres < 80_000)).toBe(true);
    // Only the last window is kept.
    expect([...planes.keys()]).toEqual([dem.heights.key]);
    const areas = (grid: PixelGrid, heights: Float32Array) => {
      const all = accumulatedAreas(flowOf(createDem({ grid, heights })));
      const row = Math.floor((grid.north - 0.6 * KM) / grid.pixelHeight);
      return Math.max(...all.subarray(row * grid.cols, (row + 1) * grid.cols)) / 1e6;
    };
    const known = areas(dem.heights.grid, planes.get(dem.heights.key)!);
    expect(known).toBeGreaterThan(0.97 * 785);
    expect(known).toBeLessThan(800);
    const request = { path: '', grid: reads[0]!, type: 'float32', resampling: 'bilinear', nodata: Number.NaN } as const;
    const first = await ports.pixels.read(request, work);
    expect(areas(first.grid, planes.get(first.key)!)).toBeLessThan(0.3 * 791);
    expect(flowNote({ ...window, isWhole: true, pixelMetres: 90 })).toMatch(
      /80 km to the north, .* of it\. The catchments of all pixels are complete\./,
    );
  });

  it('ends with the elevations; the river has no order, and the slopes of the valley have one', async () => {
    const { ports, planes } = terrain(valley, 20 * KM);
    const { dem, window } = await readFlowWindow(place, { ports, work });
    expect(window.end).toBe('elevation_ends');
    expect(window.percent).toBeGreaterThan(0.5);
    expect(window.percent).toBeLessThan(20);
    expect(flowNote({ ...window, isWhole: dem.hasMargin, pixelMetres: 90 })).toMatch(
      /cover only a part.*until the elevations end.*may reach \d.* % of the place.*no data/,
    );
    expect(windowProperties(window)).toMatchObject({ 'headwater:flow_window': 'elevation_ends' });
    const { grid } = dem.heights;
    const values = new Uint8Array(grid.cols * grid.rows);
    const inputs = { heights: planes.get(dem.heights.key)! };
    const params = { streamHectares: 100 };
    streamOrderBlock({ grid, inputs, outputs: { values }, params, progress: () => {} });
    const row = Math.floor((grid.north - 7 * KM) / grid.pixelHeight);
    const across = [...values.subarray(row * grid.cols, (row + 1) * grid.cols)];
    const middle = Math.floor((75 - grid.west) / grid.pixelWidth);
    expect(across.slice(middle - 1, middle + 2)).toContain(255);
    expect(across.slice(middle + 3, middle + 30)).not.toContain(255);
  });
});

it('a window is never larger than the limit, and has few sizes, however much water comes from beyond', async () => {
  const everywhere = async () => ({ value: { known: 1, contaminated: 1, sides: 15 }, outputs: {} });
  for (const km of [40, 80, 300]) {
    const { ports, reads } = terrain(() => 0, 60, everywhere);
    const large: Box = [75, 10, 75 + km * KM, 10 + km * KM];
    const { window } = await readFlowWindow({ box: large, clip: [boxPolygon(large)] }, { ports, work });
    expect(window.end).toBe('size_limit');
    expect(reads.length).toBeLessThanOrEqual(6);
    expect(Math.max(...reads.map(({ cols, rows }) => cols * rows))).toBeLessThanOrEqual(20_000_000);
  }
});

it('a window without inflow is read once', async () => {
  const hill = (x: number, y: number): number => 500 - Math.hypot(x, y - 7);
  const { ports, reads } = terrain(hill, 5);
  const { window } = await readFlowWindow(place, { ports, work });
  expect([window, reads.length]).toMatchObject([{ end: 'complete', percent: 0 }, 1]);
});
