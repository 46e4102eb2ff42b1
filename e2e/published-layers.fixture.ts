import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LayerRecord, PixelGrid } from '@headwater/core';
import { toUtm, utmZone } from '@headwater/core/geo';
import { openRaster } from '@headwater/raster';
import { validateItem } from '@headwater/stac';
import type { Feature, MultiLineString, MultiPolygon, Position } from 'geojson';
import { expect } from 'vitest';
import type { Answer, SmallService } from '../packages/server/src/small-service.fixture.ts';

/** Computes and publishes a layer; returns the response. Throws an error with the response if the run fails. */
export async function computed(
  service: SmallService,
  body: Readonly<Record<string, unknown>>,
  route: string,
): Promise<Answer['body']> {
  const answer = await service.compute(body, route);
  if (answer.status !== 200 || answer.body['status'] !== 'success')
    throw new Error(`${route}: ${JSON.stringify(answer)}`);
  return answer.body;
}

/** Returns a published layer, its validated Item and the path of its file. */
export async function publishedLayer(service: SmallService, workspace: string, layerName: string) {
  const { items, layers } = await service.published();
  const layer: LayerRecord | undefined = layers.find((one) => one.layerName === layerName);
  expect(layer).toMatchObject({ workspace });
  const item = items.find(({ id }) => id === layer?.itemId)?.item;
  expect(validateItem(item, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
  return { layer, item, path: join(service.dir, 'assets', layer?.assetKey ?? '') };
}

/** Reads the grid and all pixels of a COG. */
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

/** Reads the features of a published GeoJSON file. */
export async function featuresOf(
  path: string,
): Promise<readonly Feature<MultiPolygon | MultiLineString, Readonly<Record<string, unknown>>>[]> {
  return JSON.parse(await readFile(path, 'utf8')).features;
}

/** Returns the positions of all parts of a geometry. */
export const positionsOf = (geometry: MultiPolygon | MultiLineString): readonly Position[] =>
  geometry.type === 'MultiPolygon' ? geometry.coordinates.flat(2) : geometry.coordinates.flat();

/** Values and grid of a published raster. */
export interface PublishedPixels {
  readonly values: ArrayLike<number>;
  readonly grid: PixelGrid;
}

/** Expected values of a raster that was warped from a DEM in UTM. */
export interface Expected {
  readonly dem: PixelGrid;
  readonly nodata: number;
  /** Returns the value at a row-major index of the DEM. */
  readonly expected: (at: number) => number;
}

/**
 * Returns the share (0-1) of the published pixels that have the expected value. This value is computed from the DEM's
 * pixel at the centre of the published pixel, and rounded to float32.
 */
export function agreementWith({ values, grid }: PublishedPixels, { dem, nodata, expected }: Expected): number {
  const zone = utmZone(dem.crs);
  if (zone === undefined) throw new RangeError(`${dem.crs} is not a UTM zone`);
  let [same, all] = [0, 0];
  for (let at = 0; at < values.length; at += 1) {
    if (values[at] === nodata) continue;
    const lon = grid.west + ((at % grid.cols) + 0.5) * grid.pixelWidth;
    const lat = grid.north - (Math.floor(at / grid.cols) + 0.5) * grid.pixelHeight;
    const [x, y] = toUtm(zone, lon, lat);
    const col = Math.floor((x - dem.west) / dem.pixelWidth);
    const row = Math.floor((dem.north - y) / dem.pixelHeight);
    all += 1;
    if (Math.fround(expected(row * dem.cols + col)) === values[at]) same += 1;
  }
  expect(all).toBeGreaterThan(10_000);
  return same / all;
}
