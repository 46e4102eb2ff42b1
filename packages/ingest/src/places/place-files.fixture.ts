import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PlaceBundle } from '@headwater/core';
import { afterEach, beforeEach } from 'vitest';
import { boxPolygon } from '../../../../scripts/boxes.mjs';

export const square = (west: number, south: number): { type: 'Polygon'; coordinates: number[][][] } =>
  boxPolygon({ west, south, east: west + 1, north: south + 1 });
export const names = { state: 'Aland', district: 'Bland', tehsil: 'Cland' };
export const bundle: PlaceBundle = {
  ...names,
  geometry: square(78, 17),
  mws: [{ uid: '12_1', geometry: square(78, 17) }],
  villages: [{ id: 7, name: 'Gaon', geometry: square(78, 17) }],
};
export const feature = (properties: object, geometry: unknown = square(78, 17)): object => ({
  type: 'Feature',
  properties,
  geometry,
});
export const collection = (...features: unknown[]): object => ({ type: 'FeatureCollection', features });

export const ring = (...positions: unknown[]): object => ({ type: 'Polygon', coordinates: [positions] });

/** Folder of place files of a test. */
export interface PlaceFiles {
  readonly dir: string;
  /** Writes a file. A string is written unchanged, other values as JSON. */
  readonly put: (path: string, content: unknown) => Promise<void>;
}

export function placeFiles(): PlaceFiles {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'places-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));
  return {
    get dir() {
      return dir;
    },
    put: async (path, content) => {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), typeof content === 'string' ? content : JSON.stringify(content));
    },
  };
}
