import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LayerRecord, PixelGrid } from '@headwater/core';
import { openRaster } from '@headwater/raster';
import { validateItem } from '@headwater/stac';
import type { Feature, MultiLineString, MultiPolygon } from 'geojson';
import { expect } from 'vitest';
import type { SmallService } from './small-service.fixture.ts';

/** A published layer with its Item, which is valid, and the path of its file. */
export async function publishedLayer(service: SmallService, workspace: string, layerName: string) {
  const { items, layers } = await service.published();
  const layer: LayerRecord | undefined = layers.find((one) => one.layerName === layerName);
  expect(layer).toMatchObject({ workspace });
  const item = items.find(({ id }) => id === layer?.itemId)?.item;
  expect(validateItem(item).filter(({ severity }) => severity === 'error')).toEqual([]);
  return { layer, item, path: join(service.dir, 'assets', layer?.assetKey ?? '') };
}

/** All pixels of a COG, and its grid. */
export async function pixelsOf<T extends Float32Array | Uint8Array>(
  path: string,
  Plane: new (length: number) => T,
): Promise<{ readonly values: T; readonly grid: PixelGrid }> {
  const cog = await openRaster(path);
  const { cols, rows } = cog.grid;
  const values = new Plane(cols * rows);
  await cog.readWindow({ col: 0, row: 0, cols, rows }, values);
  cog.close();
  return { values, grid: cog.grid };
}

/** Features of a published GeoJSON file. */
export async function featuresOf(
  path: string,
): Promise<readonly Feature<MultiPolygon | MultiLineString, Readonly<Record<string, unknown>>>[]> {
  return JSON.parse(await readFile(path, 'utf8')).features;
}
