import { loadImage } from '@napi-rs/canvas';
import { DomainError } from '@headwater/core/errors';
import type { MapGrid, MapRaster } from '@headwater/core/ports';
import type { Geometry } from 'geojson';
import { describe, expect, test } from 'vitest';
import { canvasOf, encodePicture } from './canvas.ts';
import { boxOfGrid, drawShapes, pixelOf, type Symbol } from './draw-shapes.ts';
import { openLayer } from './drawing.ts';
import { legendPicture } from './legend.ts';

const GRID: MapGrid = {
  crs: 'EPSG:4326',
  west: 80,
  north: 20,
  pixelWidth: 0.1,
  pixelHeight: 0.1,
  cols: 100,
  rows: 100,
};
const square = (west: number, south: number, size: number): number[][] => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];

function drawn(
  shapes: readonly (readonly [Geometry, Symbol])[],
  grid = GRID,
): (x: number, y: number) => readonly number[] {
  const { context } = canvasOf(grid.cols, grid.rows);
  drawShapes(
    context,
    shapes.map(([geometry, symbol]) => ({ geometry, symbol })),
    grid,
  );
  return (x, y) => [...context.getImageData(x, y, 1, 1).data];
}

describe('drawing of features', () => {
  test('fills polygons without their holes, and draws nothing outside of polygons', () => {
    const polygon: Geometry = { type: 'Polygon', coordinates: [square(81, 11, 6), square(83, 13, 2)] };
    const at = drawn([[polygon, { fill: '#ff0000' }]]);
    expect(at(20, 80)).toEqual([255, 0, 0, 255]);
    expect(at(40, 60)).toEqual([0, 0, 0, 0]);
    expect(at(5, 5)).toEqual([0, 0, 0, 0]);
  });

  test('fills each part of a multipolygon, and blends colours with opacity', () => {
    const parts: Geometry = { type: 'MultiPolygon', coordinates: [[square(81, 11, 2)], [square(86, 11, 2)]] };
    const at = drawn([[parts, { fill: 'rgba(0, 0, 255, 0.5)' }]]);
    for (const x of [20, 70]) {
      const [, , blue, alpha] = at(x, 80);
      expect([blue, alpha]).toEqual([255, 128]);
    }
    expect(at(45, 80)).toEqual([0, 0, 0, 0]);
  });

  test('draws lines and marks', () => {
    const line: Geometry = {
      type: 'LineString',
      coordinates: [
        [80, 15.05],
        [90, 15.05],
      ],
    };
    const point: Geometry = { type: 'Point', coordinates: [85, 12] };
    const at = drawn([
      [line, { stroke: { color: '#00ff00', width: 3 } }],
      [point, { mark: { shape: 'square', size: 8 }, fill: '#123456' }],
    ]);
    expect(at(50, 49)).toEqual([0, 255, 0, 255]);
    expect(at(50, 80)).toEqual([18, 52, 86, 255]);
    expect(at(58, 80)).toEqual([0, 0, 0, 0]);
  });

  test('shows both sides of the antimeridian on a grid that crosses it', () => {
    const grid: MapGrid = { ...GRID, west: 175 };
    const [east, west]: Geometry[] = [177, -177].map((lon) => ({ type: 'Polygon', coordinates: [square(lon, 12, 1)] }));
    const at = drawn(
      [
        [east!, { fill: '#ff0000' }],
        [west!, { fill: '#0000ff' }],
      ],
      grid,
    );
    expect(at(25, 75)).toEqual([255, 0, 0, 255]);
    expect(at(85, 75)).toEqual([0, 0, 255, 255]);
  });

  test('converts positions to pixels of EPSG:3857', () => {
    // The position of 45 N in EPSG:3857 was computed with PROJ.
    const pixel = pixelOf({
      crs: 'EPSG:3857',
      west: 0,
      north: 5_621_521.486_192_066,
      pixelWidth: 1000,
      pixelHeight: 1000,
      cols: 1,
      rows: 1,
    });
    const [x, y] = pixel([180, 45]);
    expect(x).toBeCloseTo(20_037.508_342_789, 6);
    expect(y).toBeCloseTo(0, 6);
  });

  test('writes labels in Latin and Devanagari script, and leaves out a label that would cover another', () => {
    const label = (text: string): Symbol => ({ label: { text, size: 14, color: '#000000' } });
    const count = (shapes: Parameters<typeof drawn>[0]): number => {
      const at = drawn(shapes);
      let inked = 0;
      for (let x = 0; x < 100; x += 1) for (let y = 0; y < 100; y += 1) inked += at(x, y)[3] === 0 ? 0 : 1;
      return inked;
    };
    const here: Geometry = { type: 'Polygon', coordinates: [square(83, 13, 4)] };
    const [latin, hindi] = [count([[here, label('Madhapur')]]), count([[here, label('माधापुर')]])];
    expect(latin).toBeGreaterThan(100);
    expect(hindi).toBeGreaterThan(100);
    expect(
      count([
        [here, label('Madhapur')],
        [here, label('XXXXXXXX')],
      ]),
    ).toBe(latin);
  });

  test.each(['image/png', 'image/jpeg', 'image/webp'] as const)('encodes %s', async (format) => {
    const { canvas } = canvasOf(8, 4, '#ffffff');
    const image = await loadImage(await encodePicture(canvas, format));
    expect([image.width, image.height]).toEqual([8, 4]);
  });

  test('a legend has a row for each entry, with its colour', async () => {
    const entries = ['#ff0000', '#00ff00', '#0000ff'].map((fill, index) => ({
      label: `Class ${index}`,
      symbol: { fill },
    }));
    const image = await loadImage(await legendPicture({ entries }, {}, 'image/png'));
    const { context } = canvasOf(image.width, image.height);
    context.drawImage(image, 0, 0);
    const at = (y: number): readonly number[] => [...context.getImageData(16, y, 1, 1).data].slice(0, 3);
    expect([at(16), at(42), at(68)]).toEqual([
      [255, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
    ]);
    expect(image.height).toBe(3 * 26 + 6);
  });
});

describe('the box of a grid in a UTM zone', () => {
  const boxOf = (crs: MapGrid['crs'], [west, south, east, north]: readonly [number, number, number, number]) =>
    boxOfGrid({ crs, west, north, pixelWidth: east - west, pixelHeight: north - south, cols: 1, rows: 1 });

  test.each([
    ['EPSG:32645', 20_000_000],
    ['EPSG:32745', 20_000_000],
    ['EPSG:32645', 10_100_000],
  ] as const)('in %s, ends at the pole if the grid extends to a northing of %i m', (crs, north) => {
    const [west, south, east, top] = boxOf(crs, [400_000, 2_700_000, 600_000, north]);
    expect(top).toBeGreaterThan(89);
    expect(south).toBeLessThan(26);
    expect([west < 87, east > 87]).toEqual([true, true]);
  });

  test('is the whole Earth if the grid extends far from the zone', () => {
    expect(boxOf('EPSG:32645', [-20_000_000, 0, 20_000_000, 5_000_000])).toEqual([-180, -90, 180, 90]);
    expect(boxOf('EPSG:32645', [0, 0, 4_600_000, 5_000_000])).toEqual([-180, -90, 180, 90]);
  });
});

describe('a raster whose file is not found while the raster is read', () => {
  const gone = new DomainError('input_data', '/classes.tif: the file does not exist; put it back or remove its Item');
  const layer = { name: 'classes', assetKey: 'classes.tif' } as const;
  const grid = { ...GRID, crs: 'EPSG:4326' };
  const raster = { grid, type: 'uint8', nodata: 0, scaling: null, bands: [null], colors: null } as const;
  const broken = { ...raster, samples: () => Promise.reject(gone), geoTiff: () => Promise.reject(gone) };
  const partsWith = (open: () => Promise<MapRaster>, paths = ['/classes.tif']) => ({
    localPath: async () => paths.shift(),
    openFile: async () => undefined,
    pixels: { open, png: async () => new Uint8Array(), close: async () => {} },
  });

  test('fails with `unavailable` if the file was removed, because a retry can succeed', async () => {
    const again = {
      code: 'unavailable',
      message: 'classes: its file was replaced while it was read; send the request again',
    };
    await expect(
      openLayer(
        partsWith(() => Promise.reject(gone)),
        layer,
      ),
    ).rejects.toMatchObject(again);
    const opened = await openLayer(
      partsWith(async () => broken),
      layer,
    );
    await expect(opened.samples(GRID)).rejects.toMatchObject(again);
  });

  test('fails with an internal error if the file still exists', async () => {
    const parts = partsWith(() => Promise.reject(gone), ['/classes.tif', '/classes.tif']);
    await expect(openLayer(parts, layer)).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringMatching(/^(?!.*\/classes).*cannot be drawn/),
    });
  });
});
