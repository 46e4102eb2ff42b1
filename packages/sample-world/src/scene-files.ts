import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeGeoTiff } from '@headwater/raster';
import type { PixelGrid } from '@headwater/core';
import { LAND_COLOURS } from './land-classes.ts';
import { type SampleFrame, SAMPLE_YEARS } from './sample-frame.ts';
import type { SceneDate } from './scene-calendar.ts';
import { sampleCatalog, sampleCollection, sceneItem } from './scene-items.ts';
import { paintScene, truthPlane } from './scene-painter.ts';
import type { SampleWorld } from './scene-painter.ts';
import { REFLECTANCE_BANDS } from './spectra.ts';

/** Format of all files. For noisy pixels, compression level 6 takes three times as long as 4, and saves only 2 %. */
const COG = { tileSize: 512, nodata: 0, threads: 1, level: 4 } as const;

/** Paints one scene and writes its bands and its Item into `root/items/ID/`. */
export async function writeScene(world: SampleWorld, scene: SceneDate, root: string): Promise<void> {
  const dir = join(root, 'items', scene.id);
  await mkdir(dir, { recursive: true });
  const { grid10m, grid20m } = world.frame;
  const { bands, scl } = paintScene(world, scene);
  for (const [i, name] of REFLECTANCE_BANDS.entries()) {
    const data = bands[i]!;
    const grid: PixelGrid = i < 4 ? grid10m : grid20m;
    await writeGeoTiff(join(dir, `${name}.tif`), { ...COG, grid, data, overviews: 'average', predictor: 2 });
  }
  await writeGeoTiff(join(dir, 'SCL.tif'), { ...COG, grid: grid20m, data: scl, overviews: 'mode', predictor: 1 });
  await writeJson(join(dir, `${scene.id}.json`), sceneItem(scene, scl, world.frame));
}

/** Writes catalog.json and collection.json of the static catalogue. */
export async function writeCatalogue(scenes: readonly SceneDate[], frame: SampleFrame, root: string): Promise<void> {
  await mkdir(root, { recursive: true });
  await writeJson(join(root, 'catalog.json'), sampleCatalog());
  await writeJson(join(root, 'collection.json'), sampleCollection(scenes, frame));
}

/** File name of the true class map of a year in the sample's folder. */
export function truthName(year: number): string {
  return `truth_${year}.tif`;
}

/** Writes the true class map of each year: uint8 COG on the 10 m UTM grid, with colours. */
export async function writeTruth(world: SampleWorld, root: string): Promise<void> {
  await mkdir(root, { recursive: true });
  for (const [index, year] of SAMPLE_YEARS.entries()) {
    await writeGeoTiff(join(root, truthName(year)), {
      ...COG,
      grid: world.frame.grid10m,
      data: truthPlane(world, index as 0 | 1 | 2),
      palette: LAND_COLOURS,
      overviews: 'mode',
      predictor: 1,
    });
  }
}

/** Writes indented JSON that ends with a line break. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 1)}\n`);
}
