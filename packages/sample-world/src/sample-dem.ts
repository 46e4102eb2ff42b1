import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PixelGrid } from '@headwater/core';
import { writeGeoTiff } from '@headwater/raster';
import type { SampleFrame } from './sample-frame.ts';
import { writeJson } from './scene-files.ts';
import { smoothField } from './smooth-field.ts';

/** The sample's elevations within their folder. */
export const DEM_FILE = 'dem.tif';
/** Pixels of 30 m, as the global elevation models have them. */
const PIXEL = 30;
/** Metres around the sample's square, so that landforms at its border see what lies beyond. */
const MARGIN = 3000;
/** Metres: the land falls by this much per km to the south-east, so that valleys lead somewhere. */
const FALL_PER_KM = 8;
/** Hills of several sizes: wave length in pixels, metres up and down. */
const HILLS = [
  [90, 45],
  [34, 18],
  [12, 4],
] as const;
/** A valley every so many metres, which winds by so many, cut so deep and so wide. */
const VALLEY = { every: 2600, winds: 420, windLength: 3100, deep: 55, wide: 380 } as const;

/** Grid of the sample's elevations: UTM, the square and `MARGIN` around it. */
export function demGrid({ grid10m: { crs, west, north, cols } }: SampleFrame): PixelGrid {
  const size = Math.ceil((cols * 10 + 2 * MARGIN) / PIXEL);
  const corner = { crs, west: west - MARGIN, north: north + MARGIN };
  return { ...corner, pixelWidth: PIXEL, pixelHeight: PIXEL, cols: size, rows: size };
}

/** Heights in metres, `[rows * cols]`: smooth hills on land that falls to the south-east, with winding valleys that lead down it. */
export function demHeights(seed: number, frame: SampleFrame): Float32Array {
  const { cols, rows } = demGrid(frame);
  const heights = smoothField({ size: cols, seed: seed + 31, waves: HILLS });
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) {
      const at = row * cols + col;
      const [x, y] = [col * PIXEL, row * PIXEL];
      const fall = ((x + y) / 1000) * FALL_PER_KM;
      heights[at] = 620 - fall + heights[at]! - valleyDepth(x, y);
    }
  }
  return heights;
}

/** Metres that a valley is cut into the land here; valleys run to the south-east side by side. */
function valleyDepth(x: number, y: number): number {
  const [along, across] = [(x + y) / Math.SQRT2, (x - y) / Math.SQRT2];
  const shifted = across + VALLEY.winds * Math.sin((2 * Math.PI * along) / VALLEY.windLength);
  const away = shifted - Math.round(shifted / VALLEY.every) * VALLEY.every;
  return VALLEY.deep * Math.exp(-((away / VALLEY.wide) ** 2));
}

/** Writes the sample's elevations as a COG, and the notice that says that they are synthetic. */
export async function writeSampleDem(seed: number, frame: SampleFrame, root: string): Promise<void> {
  await mkdir(root, { recursive: true });
  const format = { tileSize: 512, nodata: -9999, threads: 1, overviews: 'average', predictor: 3 } as const;
  const data = demHeights(seed, frame);
  await writeGeoTiff(join(root, DEM_FILE), { ...format, grid: demGrid(frame), data, description: 'Height in m' });
  await writeJson(join(root, 'dem.json'), {
    title: 'Headwater synthetic sample elevations',
    license: 'CC0-1.0',
    attribution: 'Synthetic elevations, made by a program: nobody measured them',
    synthetic: true,
  });
}
