import { boxPolygon, outputGrid, type PixelGrid } from '@headwater/core';
import { outlineDigest } from '@headwater/core/geo';
import { BOUNDARY } from '@headwater/core/pipelines';
import { expect, it } from 'vitest';
import { checkBoundary, isGridAround, isOutputGrid } from './place-grid.ts';

const BOX = [77.50005, 18.00005, 77.60995, 18.10995] as const;
const second = 1 / 3600;

const around = (more: Partial<PixelGrid> = {}): PixelGrid => ({
  crs: 'EPSG:4326',
  west: 77.5,
  north: 18.11,
  pixelWidth: second,
  pixelHeight: second,
  cols: 396,
  rows: 396,
  ...more,
});

it('recognises the grid of land cover by its lattice', () => {
  expect(isOutputGrid(outputGrid(BOX), BOX)).toBe(true);
  expect(isOutputGrid(around(), BOX)).toBe(false);
  expect(isOutputGrid(outputGrid([77.49, 18, 77.6, 18.11]), BOX)).toBe(false);
});

it('recognises a grid of any lattice if it encloses the box without a margin', () => {
  for (const grid of [around(), outputGrid(BOX), outputGrid(BOX, 3 * second)])
    expect(isGridAround(grid, BOX)).toBe(true);
});

it.each([
  ['too far east', { west: 77.5001 }],
  ['one more pixel in the west', { west: 77.5 - second, cols: 397 }],
  ['one pixel fewer in the east', { cols: 395 }],
  ['one more pixel in the east', { cols: 397 }],
  ['too far south', { north: 18.1099 }],
  ['one more pixel in the north', { north: 18.11 + second, rows: 397 }],
  ['one pixel fewer in the south', { rows: 395 }],
  ['one more pixel in the south', { rows: 397 }],
  ['in metres', { crs: 'EPSG:32643' }],
])('refuses a grid that does not fit the box: %s', (_, more) => expect(isGridAround(around(more), BOX)).toBe(false));

it('refuses a raster for another boundary with the same box, if its Item has the digest of that boundary', async () => {
  const clip = [boxPolygon(BOX)];
  const unit = { id: 1, name: 'Rangpur', isActive: true };
  const tehsil = { ...unit, districtId: 1, geometry: clip[0] ?? null };
  const place = { state: { ...unit, code: '1' }, district: { ...unit, stateId: 1, code: '1' }, tehsil };
  const need = { kind: 'layer', workspace: 'w', layerName: 'l', tehsilId: 1 } as const;
  const judged = (properties: object): Promise<void> => {
    const item = { id: 'l', collectionPath: 's/d/b', version: 1, runId: 'r', replaced: false, item: { properties } };
    const raster = { need, source: { path: '/l.tif', item }, isGridOf: isOutputGrid };
    return checkBoundary({ box: BOX, place, clip }, raster, {
      gridOf: async () => ({ ...outputGrid(BOX), type: 'uint8', nodata: 0 }),
    });
  };
  await judged({ [BOUNDARY]: outlineDigest(clip) });
  await judged({});
  await expect(judged({ [BOUNDARY]: outlineDigest([...clip, ...clip]) })).rejects.toMatchObject({
    code: 'input_data',
    message: 'layer w:l was computed for an earlier boundary of Rangpur; compute it again, then start this run again.',
  });
});
