import { type Box, boxPolygon, DomainError, type Elevation, type PixelGrid } from '@headwater/core';
import { DEFAULT_REMEDIES } from '@headwater/core/pipelines';
import type { PixelEngine } from '@headwater/core/ports';
import { describe, expect, it } from 'vitest';
import { createDem } from '../../dem/dem.ts';
import { surface, utmGrid } from '../../dem/surfaces.fixture.ts';
import { accumulatedAreas } from '../../hydrology/accumulate.ts';
import { flowOf } from '../../hydrology/flow.ts';
import { streamDistanceBlock, streamOrderBlock } from '../flow-blocks.ts';
import { evenMargins } from './dem-grid.ts';
import { versionsWithin } from './dem-run.ts';
import { FLOW_MARGINS, inflowBlock, readFlowWindow } from './flow-window.ts';
import { readDem } from './read-dem.ts';
import { flowNote, windowProperties } from './window-note.ts';

const work = { signal: new AbortController().signal, progress: () => {} };
const PER_DEGREE = 1200;
const KM = 1 / 111.32;

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
 * A valley, 10 km wide and 79.1 km long, with its mouth at y = 0. The land falls away from the valley on all other
 * sides.
 */
function valley(x: number, y: number): number {
  const out = Math.max(Math.abs(x) - 5, y - 79.1);
  return out > 0 ? 2000 - 20 * out : 500 + 5 * y + 40 * Math.abs(x + 0.02);
}

const box: Box = [75 - 3 * KM, 0.5 * KM, 75 + 3 * KM, 14 * KM];
const place = { box, clip: [boxPolygon(box)] };

describe('the window of a valley of 791 km2', () => {
  it('grows only up the valley, until it contains the whole catchment', async () => {
    const { ports, planes, reads } = terrain(valley, 5);
    const { dem, window } = await readFlowWindow(place, { ports, work });
    expect(window).toMatchObject({ end: 'complete', percent: 0 });
    expect(window.margins[0]).toBe(80_000);
    expect(window.margins.slice(1).every((metres) => metres < 80_000)).toBe(true);
    // All other windows have released their heights.
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

  it('ends where the elevations end; then orders are unknown on the river, and known on the slopes of the valley', async () => {
    const { ports, planes } = terrain(valley, 20 * KM);
    const { dem, window } = await readFlowWindow(place, { ports, work });
    expect(window.end).toBe('elevation_ends');
    expect(window.percent).toBeGreaterThan(0.5);
    expect(window.percent).toBeLessThan(20);
    expect(flowNote({ ...window, isWhole: dem.hasMargin, pixelMetres: 90 })).toMatch(
      /cover only a part.*has no elevations.*may reach \d.* % of the place.*no data/,
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

it('a window never has more pixels than the limit, and is widened at most five times, even if water comes from all sides', async () => {
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

/**
 * Elevations of two data sets: `Fine` has the given tiles of one degree; `World` (if `hasWorld`) has elevations
 * everywhere.
 */
function tiled(fine: readonly (readonly [west: number, south: number])[], hasWorld = true) {
  const touching = ([west, south, east, north]: Box) =>
    fine.filter(([x, y]) => x < east && x + 1 > west && y < north && y + 1 > south);
  const covers = ([west, south, east, north]: Box): boolean => {
    const ends = [west, east - 1e-9].flatMap((x) => [south, north - 1e-9].map((y) => [Math.floor(x), Math.floor(y)]));
    return ends.every(([x, y]) => fine.some((tile) => tile[0] === x && tile[1] === y));
  };
  const set = (title: string, hrefs: readonly string[]): Elevation => ({
    title,
    license: 'CC0-1.0',
    attribution: 'Survey',
    rasters: hrefs.map((href) => ({ href, version: '1' })),
  });
  const demFor = async (around: Box, _?: AbortSignal, title?: string): Promise<Elevation | undefined> => {
    const hrefs = touching(around).map(([x, y]) => `/${x}-${y}.tif`);
    if (title === 'Fine' || (title === undefined && covers(around))) return set('Fine', hrefs);
    return hasWorld ? set('World', ['/world.tif']) : undefined;
  };
  return { demFor };
}

const degree: Box = [75.4, 10.4, 75.6, 10.6];
const hrefsOf = ({ elevation }: { readonly elevation: Elevation }): readonly string[] =>
  elevation.rasters.map(({ href }) => href).toSorted();

it('a wider window keeps the data set and tiles of the narrower window, and also uses tiles that cover only a part of a side', async () => {
  const { ports } = terrain(() => 0, 20);
  // The place is in tile [75, 10] of `Fine`; the two other tiles are north and north-east of it.
  const elevation = tiled([
    [75, 10],
    [75, 11],
    [76, 11],
  ]);
  const tools = { ports: { ...ports, elevation }, work };
  const first = await readDem(degree, { ...tools, margins: evenMargins(5000) });
  expect([first.elevation.title, hrefsOf(first), first.hasMargin]).toEqual(['Fine', ['/75-10.tif'], true]);
  const second = await readDem(degree, { ...tools, margins: [80_000, 5000, 5000, 5000], narrower: first });
  expect([hrefsOf(second), second.hasMargin]).toEqual([['/75-10.tif', '/75-11.tif'], true]);
  const third = await readDem(degree, { ...tools, margins: [160_000, 80_000, 5000, 5000], narrower: second });
  expect(third.elevation.title).toBe('Fine');
  expect([hrefsOf(third), third.hasMargin]).toEqual([['/75-10.tif', '/75-11.tif', '/76-11.tif'], false]);
});

it('the version text of the elevations names every tile within the greatest margins of a window', async () => {
  const elevation = tiled(
    [
      [75, 10],
      [75, 11],
    ],
    false,
  );
  const context = { signal: work.signal };
  const versions = await versionsWithin(degree, FLOW_MARGINS, { ports: { elevation }, context });
  expect(versions).toContain('/75-10.tif');
  expect(versions).toContain('/75-11.tif');
  expect(await versionsWithin([1, 1, 2, 2], FLOW_MARGINS, { ports: {}, context })).toBe('null');
});

it('a window releases its heights if the elevation source fails, and rejects with the error of the source', async () => {
  const { ports, planes } = terrain(valley, 5);
  const demFor = async (around: Box): Promise<Elevation | undefined> => {
    if (around[3] > 40 * KM) throw new DomainError('unavailable', 'The catalogue does not answer');
    return ports.elevation.demFor(around);
  };
  const broken = { ...ports, elevation: { demFor } };
  await expect(readFlowWindow(place, { ports: broken, work })).rejects.toMatchObject({ code: 'unavailable' });
  expect([...planes.keys()]).toEqual([]);
});

it('the distance to the nearest stream is known at a coast', () => {
  // A slope with a creek descends to the sea, which begins at row 50. All water of the creek comes from the grid.
  const dem = surface(utmGrid(60, 80), (row, col) => {
    if (row >= 50) return Number.NaN;
    const out = Math.max(3 - row, 3 - col, col - 76);
    return out > 0 ? 2000 - out : 1000 - 5 * row - (col === 40 ? 3 : 0);
  });
  const values = new Float32Array(dem.heights.length);
  const { grid, heights } = dem;
  const params = { streamHectares: 3 };
  streamDistanceBlock({ grid, inputs: { heights }, outputs: { values }, params, progress: () => {} });
  const at = (row: number, col: number) => values[row * grid.cols + col];
  expect([at(49, 41), at(49, 39), at(48, 39)]).toEqual([30, 30, 30]);
  expect([at(49, 45), at(47, 45), at(50, 41)].map(Number.isNaN)).toEqual([false, false, true]);
});
