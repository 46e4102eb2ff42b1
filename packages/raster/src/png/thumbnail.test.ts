import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode } from 'fast-png';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Rgba } from '@headwater/core';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { thumbnail } from './thumbnail.ts';
import { zoneThumbnail } from './zone-thumbnail.ts';
import { degreeGrid } from '../degree-grid.fixture.ts';

const GREEN: Rgba = [56, 118, 29, 255];
const BLUE: Rgba = [28, 163, 236, 200];
const CLEAR: Rgba = [0, 0, 0, 0];
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'png-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Writes a file. The upper quarter is 0; below it, the left half has class 6 and the right half class 3. One of 16
 * pixels has class 9 as noise.
 */
async function classFile(cols: number, rows: number): Promise<string> {
  const data = Uint8Array.from({ length: cols * rows }, (_, i) => {
    const [row, col] = [Math.floor(i / cols), i % cols];
    if (row < rows / 4) return 0;
    return row % 4 === 1 && col % 4 === 2 ? 9 : col < cols / 2 ? 6 : 3;
  });
  const path = join(folder, `${cols}x${rows}.tif`);
  const grid = degreeGrid({ west: 75, north: 24, cols, rows });
  await writeGeoTiff(path, { grid, data, nodata: 0, overviews: 'mode', predictor: 1, tileSize: 64 });
  return path;
}

describe('thumbnail', () => {
  it.each([
    [[800, 400], 100, [100, 50]],
    [[800, 400], 130, [130, 65]],
    [[300, 700], 64, [27, 64]],
    [[40, 20], 100, [40, 20]],
  ])(
    'shrinks %j pixels to a long side of at most %i pixels',
    async ([cols = 0, rows = 0], size, [width = 0, height = 0]) => {
      const target = join(folder, `${cols}-${size}.png`);
      await thumbnail({
        path: await classFile(cols, rows),
        palette: { 6: GREEN, 3: BLUE, 9: [1, 2, 3, 255] },
        size,
        target,
      });
      const image = decode(readFileSync(target), { checkCrc: true });
      expect([image.width, image.height, image.depth, image.channels]).toEqual([width, height, 8, 1]);
      const colorAt = (x: number, y: number): number[] => [...(image.palette?.[image.data[y * width + x] ?? 0] ?? [])];
      expect(colorAt(Math.floor(width / 4), height - 1)).toEqual([...GREEN]);
      expect(colorAt(Math.floor((3 * width) / 4), height - 1)).toEqual([...BLUE]);
      expect(colorAt(5, 1)).toEqual([...CLEAR]);
    },
  );

  it('refuses a raster with values that are not classes', async () => {
    const path = join(folder, 'u16.tif');
    const grid = { crs: 'EPSG:32643', west: 0, north: 0, pixelWidth: 10, pixelHeight: 10, cols: 16, rows: 16 };
    await writeGeoTiff(path, { grid, data: new Uint16Array(256), overviews: 'none', predictor: 2, tileSize: 16 });
    await expect(thumbnail({ path, palette: {}, size: 16, target: join(folder, 'x.png') })).rejects.toThrow('uint8');
  });
});

describe('zoneThumbnail', () => {
  const square = (west: number, side: number): number[][] => [
    [west, 20],
    [west + side, 20],
    [west + side, 20 + side],
    [west, 20 + side],
    [west, 20],
  ];
  const OUTLINE: Rgba = [10, 20, 30, 255];

  it('fills zones, leaves holes transparent and draws borders', async () => {
    const target = join(folder, 'zones.png');
    const hole = [
      [77.305, 20.3],
      [77.6, 20.3],
      [77.6, 20.6],
      [77.305, 20.6],
      [77.305, 20.3],
    ];
    const zones = [
      { geometry: { type: 'Polygon' as const, coordinates: [square(76, 1)] }, fill: GREEN },
      { geometry: { type: 'MultiPolygon' as const, coordinates: [[square(77, 1), hole]] }, fill: BLUE },
    ];
    await zoneThumbnail({ zones, outline: OUTLINE, size: 200, target });
    const image = decode(readFileSync(target), { checkCrc: true });
    expect([image.width, image.height, image.channels]).toEqual([200, 100, 4]);
    const colorAt = (x: number, y: number): number[] =>
      Array.from(image.data.slice((y * 200 + x) * 4, (y * 200 + x) * 4 + 4));
    expect(colorAt(50, 50)).toEqual([...GREEN]);
    expect(colorAt(180, 50)).toEqual([...BLUE]);
    expect(colorAt(145, 55)).toEqual([...CLEAR]);
    expect(colorAt(100, 50)).toEqual([...OUTLINE]);
    expect([colorAt(0, 0), colorAt(199, 99), colorAt(130, 50)]).toEqual([[...OUTLINE], [...OUTLINE], [...OUTLINE]]);
    expect(colorAt(2, 50)).toEqual([...GREEN]);
  });

  it('draws lines over zones and borders, and a later line over an earlier one', async () => {
    const target = join(folder, 'lines.png');
    const zones = [{ geometry: { type: 'Polygon' as const, coordinates: [square(76, 1)] }, fill: GREEN }];
    const line = (...coordinates: number[][]) => ({ type: 'MultiLineString' as const, coordinates: [coordinates] });
    const lines = [
      { geometry: line([76, 20.505], [77, 20.505]), color: BLUE },
      { geometry: line([76.505, 20.2], [76.505, 20.8]), color: OUTLINE },
    ];
    await zoneThumbnail({ zones, lines, outline: OUTLINE, size: 100, target });
    const { data } = decode(readFileSync(target));
    const colorAt = (x: number, y: number): number[] =>
      Array.from(data.slice((y * 100 + x) * 4, (y * 100 + x) * 4 + 4));
    expect([colorAt(0, 49), colorAt(30, 49), colorAt(99, 49)]).toEqual([[...BLUE], [...BLUE], [...BLUE]]);
    expect([colorAt(50, 49), colorAt(50, 25)]).toEqual([[...OUTLINE], [...OUTLINE]]);
    expect([colorAt(50, 10), colorAt(30, 47)]).toEqual([[...GREEN], [...GREEN]]);
  });

  it('draws a line as wide as requested, and not beyond the edge of the image', async () => {
    const target = join(folder, 'wide.png');
    const zones = [{ geometry: { type: 'Polygon' as const, coordinates: [square(76, 1)] }, fill: GREEN }];
    const coordinates = [
      [
        [76, 20.505],
        [77, 20.505],
      ],
      [
        [76, 20],
        [77, 20],
      ],
    ];
    const lines = [{ geometry: { type: 'MultiLineString' as const, coordinates }, color: BLUE, width: 3 }];
    await zoneThumbnail({ zones, lines, outline: OUTLINE, size: 100, target });
    const { data } = decode(readFileSync(target));
    const rowsOf = (x: number): number[] =>
      Array.from({ length: 100 }, (_each, y) => y).filter((y) => data[(y * 100 + x) * 4 + 2] === BLUE[2]);
    expect(rowsOf(30)).toEqual([48, 49, 50, 98, 99]);
  });

  it('throws if there is nothing to draw', async () => {
    await expect(
      zoneThumbnail({ zones: [], outline: OUTLINE, size: 100, target: join(folder, 'none.png') }),
    ).rejects.toThrow('at least one polygon');
  });
});
