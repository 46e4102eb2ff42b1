import { ConfusionMatrix } from '@headwater/accuracy';
import type { PixelGrid } from '@headwater/core';
import { areaRuns, centreSpans, classBlocks, openRaster } from '@headwater/raster';
import type { MultiPolygon, Polygon } from 'geojson';
import type { ClassArea } from './area-errors.ts';

/** Zone index of a pixel outside of every zone. */
export const NO_ZONE = -1;

/**
 * Index of the zone (lon/lat polygon) that contains each pixel's centre, `[rows * cols]`. If there are several, the
 * last one.
 */
export function zonePixels(grid: PixelGrid, zones: readonly (Polygon | MultiPolygon)[]): Int32Array {
  const found = new Int32Array(grid.rows * grid.cols).fill(NO_ZONE);
  for (const [zone, geometry] of zones.entries()) {
    for (const { row, from, to } of centreSpans(geometry, grid))
      found.fill(zone, row * grid.cols + from, row * grid.cols + to);
  }
  return found;
}

/** A class map to score, and the truth. */
export interface ScoreRequest {
  /** Path of the class COG (uint8, any CRS that `@headwater/raster` supports). */
  readonly map: string;
  /** Path of the true class raster (uint8, UTM). */
  readonly truth: string;
  /** Zones (lon/lat) to score; pixels outside are left out. */
  readonly zones: readonly { readonly uid: string; readonly geometry: Polygon | MultiPolygon }[];
}

/** Agreement of a class map with the truth. */
export interface Score {
  readonly confusion: ConfusionMatrix;
  /** Area of each class that occurs in a zone, in the truth or on the map. */
  readonly areas: readonly ClassArea[];
}

/**
 * Compares the true classes with the map's nearest pixels (0 outside of the map). Areas are ground areas (without the
 * UTM scale). Throws `input_data` for unreadable files.
 */
export async function scoreClassMap({ map, truth, zones }: ScoreRequest): Promise<Score> {
  const actual = await openRaster(truth);
  const mapped = await openRaster(map).catch((error: unknown) => {
    actual.close();
    throw error;
  });
  try {
    const zoneOf = zonePixels(
      actual.grid,
      zones.map(({ geometry }) => geometry),
    );
    const tally = zones.map(() => new ConfusionMatrix());
    const { blocks, ...codes } = classBlocks(actual, mapped);
    for await (const { window, map: trueCodes, reference: mapCodes } of blocks()) {
      for (const [i, code] of trueCodes.entries()) {
        const [row, col] = [window.row + Math.floor(i / window.cols), window.col + (i % window.cols)];
        const zone = zoneOf[row * actual.grid.cols + col] ?? NO_ZONE;
        // No pixel of a zone has the true class 0, so a mapped 0 (unknown) always counts as an error.
        if (zone !== NO_ZONE) tally[zone]?.add(codes.map.values[code] ?? 0, codes.reference.values[mapCodes[i]!] ?? 0);
      }
    }
    const ha = groundHa(actual.grid);
    const areas = zones.flatMap(({ uid }, zone) => zoneAreas(uid, tally[zone]!, ha));
    return { confusion: sum(tally), areas };
  } finally {
    actual.close();
    mapped.close();
  }
}

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
