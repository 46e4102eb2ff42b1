import { ConfusionMatrix } from '@headwater/accuracy';
import type { PixelGrid } from '@headwater/core';
import { areaRuns, openRaster, pointTransform } from '@headwater/raster';
import type { MultiPolygon, Polygon } from 'geojson';
import type { ClassArea } from './area-errors.ts';
import { NO_ZONE, zonePixels } from './zone-pixels.ts';

/** A class map to be judged, and the truth to judge it by. */
export interface ScoreRequest {
  /** Path of the class COG (uint8, any CRS that raster knows). */
  readonly map: string;
  /** Path of the true class raster (uint8, UTM). */
  readonly truth: string;
  /** Zones (lon/lat) that are scored; pixels outside of all are left out. */
  readonly zones: readonly { readonly uid: string; readonly geometry: Polygon | MultiPolygon }[];
}

/** How well a class map fits the truth. */
export interface Score {
  readonly confusion: ConfusionMatrix;
  /** Every class of every zone that occurs in the truth or on the map. */
  readonly areas: readonly ClassArea[];
}

/**
 * Compares a class map with the truth at the centre of each true pixel (nearest pixel of the map; 0 outside of it).
 * Areas are true-pixel counts times the pixel's ground area (UTM scale taken off). Throws `input_data` for unreadable files.
 */
export async function scoreClassMap({ map, truth, zones }: ScoreRequest): Promise<Score> {
  const actual = await readClasses(truth);
  const mapped = await readClasses(map);
  const toMap = pointTransform(actual.grid.crs, mapped.grid.crs);
  const zoneOf = zonePixels(
    actual.grid,
    zones.map(({ geometry }) => geometry),
  );
  const tally = zones.map(() => new ConfusionMatrix());
  for (let i = 0; i < zoneOf.length; i += 1) {
    const zone = zoneOf[i] ?? NO_ZONE;
    if (zone === NO_ZONE) continue;
    const x = actual.grid.west + ((i % actual.grid.cols) + 0.5) * actual.grid.pixelWidth;
    const y = actual.grid.north - (Math.floor(i / actual.grid.cols) + 0.5) * actual.grid.pixelHeight;
    tally[zone]?.add(actual.data[i] ?? 0, valueAt(mapped, toMap(x, y)));
  }
  const ha = groundHa(actual.grid);
  const areas = zones.flatMap(({ uid }, zone) => zoneAreas(uid, tally[zone]!, ha));
  return { confusion: sum(tally), areas };
}

interface Classes {
  readonly grid: PixelGrid;
  readonly data: Uint8Array;
}

async function readClasses(path: string): Promise<Classes> {
  const file = await openRaster(path);
  try {
    const { grid } = file;
    const data = new Uint8Array(grid.rows * grid.cols);
    await file.readWindow({ row: 0, col: 0, rows: grid.rows, cols: grid.cols }, data);
    return { grid, data };
  } finally {
    file.close();
  }
}

function valueAt({ grid, data }: Classes, [x, y]: readonly [number, number]): number {
  const col = Math.floor((x - grid.west) / grid.pixelWidth);
  const row = Math.floor((grid.north - y) / grid.pixelHeight);
  return col < 0 || row < 0 || col >= grid.cols || row >= grid.rows ? 0 : (data[row * grid.cols + col] ?? 0);
}

/** Ground area of the pixel in the grid's middle, ha. */
function groundHa({ rows, cols, ...grid }: PixelGrid): number {
  const middle = { row: Math.floor(rows / 2), col: Math.floor(cols / 2), rows: 1, cols: 1 };
  const [run] = areaRuns({ ...grid, rows, cols }, middle);
  return (run?.m2 ?? Number.NaN) / 10_000;
}

function zoneAreas(zone: string, tally: ConfusionMatrix, ha: number): ClassArea[] {
  return tally.classes.map((code) => ({
    zone,
    code,
    trueHa: tally.referenceCount(code) * ha,
    mappedHa: tally.mappedCount(code) * ha,
  }));
}

function sum(parts: readonly ConfusionMatrix[]): ConfusionMatrix {
  const whole = new ConfusionMatrix();
  for (const part of parts) {
    for (const { reference, mapped, count } of part.pairs()) whole.add(reference, mapped, count);
  }
  return whole;
}
