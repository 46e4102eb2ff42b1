import { spawnSync } from 'node:child_process';
import type { PixelGrid } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import { findPeers, peerEnvironment } from '../../../../scripts/peers.mjs';
import { areaMap } from './area-map.ts';
import { overlappingAreas, tehsilGrid, type Area } from './area-shapes.fixture.ts';

/** Makes a mask with rasterio: one byte per pixel, 1 if any polygon touches the pixel. */
const MASK_OF_UNION = `
import json, sys
from rasterio.features import geometry_mask
from rasterio.transform import from_origin
from rasterio.warp import transform_geom
request = json.load(sys.stdin)
grid = request["grid"]
shapes = [transform_geom("EPSG:4326", grid["crs"], {"type": "Polygon", "coordinates": rings}) for rings in request["area"]]
transform = from_origin(grid["west"], grid["north"], grid["pixelWidth"], grid["pixelHeight"])
mask = geometry_mask(shapes, (grid["rows"], grid["cols"]), transform, all_touched=True, invert=True)
sys.stdout.buffer.write(mask.astype("uint8").tobytes())
`;

const peers = findPeers({ modules: ['numpy', 'rasterio'] });
if ('reason' in peers) console.warn(`comparison of the area with rasterio's mask: skipped, ${peers.reason}`);

function maskOfUnion(grid: PixelGrid, area: Area): Uint8Array {
  const python = 'python' in peers ? peers.python : '';
  const result = spawnSync(python, ['-c', MASK_OF_UNION], {
    input: JSON.stringify({ grid, area }),
    env: peerEnvironment(),
    maxBuffer: 2 * grid.cols * grid.rows,
  });
  expect(result.stderr.toString()).toBe('');
  return result.stdout;
}

/** Reduces a mask to squares of 8 x 8 pixels; 1 if the square contains a pixel of the mask. */
function squaresOf(mask: Uint8Array, grid: PixelGrid): Uint8Array {
  const cols = Math.ceil(grid.cols / 8);
  const squares = new Uint8Array(cols * Math.ceil(grid.rows / 8));
  mask.forEach((value, i) => {
    if (value === 1) squares[(Math.floor(i / grid.cols) >> 3) * cols + ((i % grid.cols) >> 3)] = 1;
  });
  return squares;
}

describe.skipIf('reason' in peers)(
  'the map of an area, compared with the mask of its union that rasterio makes',
  () => {
    const grid = tehsilGrid(1203);
    it.each(Object.entries(overlappingAreas(grid)))(
      '%s: no square is missing, and only neighbours are added',
      (_, area) => {
        const theirs = squaresOf(maskOfUnion(grid, area), grid);
        const { touched, cols } = areaMap(grid, area);
        const near = (at: number): boolean =>
          [-1, 0, 1].some((right) => [-1, 0, 1].some((down) => theirs[at + right + down * cols] === 1));
        expect({
          missing: theirs.filter((value, i) => value === 1 && touched[i] === 0).length,
          beyond: touched.filter((value, i) => value === 1 && !near(i)).length,
        }).toEqual({ missing: 0, beyond: 0 });
        expect(theirs.includes(0) && theirs.includes(1)).toBe(true);
      },
    );
  },
);
