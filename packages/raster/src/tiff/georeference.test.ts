import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { openRaster } from './open-raster.ts';
import { refusalOf } from './refusal.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-georeference-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Keys = readonly (readonly [id: number, value: number])[];

/** Replaces the four GeoKeys of a file by `keys`. */
async function withKeys(crs: string, keys: Keys): Promise<string> {
  const [path, geographic] = [join(folder, 'keys.tif'), crs === 'EPSG:4326'];
  const grid = { crs, west: 70, north: 20, pixelWidth: 1, pixelHeight: 1, cols: 16, rows: 16 };
  await writeGeoTiff(path, { grid, overviews: 'none', tileSize: 16, predictor: 1, data: new Uint8Array(256) });
  const bytes = readFileSync(path);
  // The directory of keys begins with versions, number of keys and model type: 2 = geographic, 1 = projected.
  const at = bytes.indexOf(Buffer.from(Uint16Array.of(1, 1, 1, 4, 1024, 0, 1, geographic ? 2 : 1).buffer));
  expect(at).toBeGreaterThan(0);
  keys.forEach(([id, value], i) => bytes.set(Buffer.from(Uint16Array.of(id, 0, 1, value).buffer), at + 8 + 8 * i));
  writeFileSync(path, bytes);
  return path;
}

const [DEGREES, METRES] = [9102, 9001];

describe('the CRS of a file', () => {
  it.each<[string, string, Keys]>([
    [
      'EPSG:4326',
      'ellipsoidal heights',
      [
        [1024, 2],
        [1025, 1],
        [2048, 4979],
        [2054, DEGREES],
      ],
    ],
    [
      'EPSG:32643',
      'an additional key for its base CRS',
      [
        [1024, 1],
        [2048, 4326],
        [3072, 32_643],
        [3076, METRES],
      ],
    ],
    [
      'EPSG:32643',
      'an additional key for its projection method',
      [
        [1024, 1],
        [3072, 32_643],
        [3074, 16_043],
        [3076, METRES],
      ],
    ],
    [
      'EPSG:4146',
      'a datum other than WGS 84',
      [
        [1024, 2],
        [1025, 1],
        [2048, 4146],
        [2054, DEGREES],
      ],
    ],
  ])('is %s with %s', async (crs, _, keys) => {
    const file = await openRaster(await withKeys(crs.startsWith('EPSG:4') ? 'EPSG:4326' : crs, keys));
    file.close();
    expect(file.grid.crs).toBe(crs);
  });

  it.each<[string, string, Keys, RegExp]>([
    [
      'datum',
      'EPSG:32644',
      [
        [1024, 1],
        [2050, 6240],
        [3072, 32_644],
        [3076, METRES],
      ],
      /EPSG:32644, but datum 6240/,
    ],
    [
      'base CRS',
      'EPSG:32644',
      [
        [1024, 1],
        [2048, 4267],
        [3072, 32_644],
        [3076, METRES],
      ],
      /but geodetic CRS 4267/,
    ],
    [
      'ellipsoid',
      'EPSG:4326',
      [
        [1024, 2],
        [2048, 4326],
        [2054, DEGREES],
        [2056, 7015],
      ],
      /but ellipsoid 7015/,
    ],
    [
      'prime meridian',
      'EPSG:4326',
      [
        [1024, 2],
        [2048, 4326],
        [2051, 8903],
        [2054, DEGREES],
      ],
      /but prime meridian 8903/,
    ],
    [
      'unit',
      'EPSG:32644',
      [
        [1024, 1],
        [1025, 1],
        [3072, 32_644],
        [3076, 9003],
      ],
      /but unit of lengths 9003/,
    ],
  ])('is refused if its %s contradicts the EPSG code', async (...[, crs, keys, reason]) => {
    expect(await refusalOf(await withKeys(crs, keys))).toMatch(reason);
  });

  it.each<[string, Keys]>([
    [
      'only its base CRS has a code',
      [
        [1024, 1],
        [2048, 4326],
        [3072, 32_767],
        [3076, METRES],
      ],
    ],
    [
      'only its projection method has a code',
      [
        [1024, 1],
        [1025, 1],
        [3074, 16_043],
        [3076, METRES],
      ],
    ],
  ])('is unknown if %s', async (_, keys) => {
    expect(await refusalOf(await withKeys('EPSG:32643', keys))).toMatch(/name no EPSG code/);
  });
});
