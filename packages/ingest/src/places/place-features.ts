import { isDomainError } from '@headwater/core';
import { otherCrsOf } from '@headwater/core/geo';
import { readLocalText } from '@headwater/net/files';
import type { Position } from 'geojson';
import { z } from 'zod';
import { parseJson } from '../json-text.ts';
import { at, BadPlaceFile, type Report, usable } from './bad-place-file.ts';
import { type GeometryReading, placePolygons } from './place-geometry.ts';
import { PositionBudget } from './place-geometry.ts';

const MAX_BYTES = 128 * 1024 * 1024;
/**
 * Maximum number of values, which `parseJson` counts as commas, colons and opening brackets: three per position, and a
 * million others.
 */
const MAX_VALUES = 16_000_000;
const MAX_FEATURES = 100_000;
const MAX_POSITIONS = 5_000_000;

/** Checked feature: properties by lower-case name, polygons in lon/lat. */
export interface PlaceFeature {
  readonly properties: ReadonlyMap<string, unknown>;
  readonly polygons: Position[][][];
  /** Position in the file, for messages, such as `features[3]`. */
  readonly where: string;
}

/** Schema of a GeoJSON Feature; its geometry is not checked. */
export const FEATURE = z.object({
  type: z.literal('Feature'),
  properties: z.record(z.string(), z.unknown()).nullable(),
  geometry: z.unknown(),
});
const COLLECTION = z.object({ type: z.literal('FeatureCollection'), features: z.array(z.unknown()) });
/**
 * Reads a Feature or FeatureCollection, and reports invalid features. Throws `BadPlaceFile` for other files, for
 * a file without a valid feature, and for a file that is too large or outside of `root` (a path without symbolic
 * links).
 */
export async function readPlaceFeatures(path: string, root: string, report: Report): Promise<PlaceFeature[]> {
  const document = placeJson(await placeText(path, root));
  checkCrs(document);
  const features = featuresOf(document);
  if (features.length === 0) throw new BadPlaceFile('the file has no feature; write it again with at least one');
  if (features.length > MAX_FEATURES) throw new BadPlaceFile('the file has more than 100,000 features; split it');
  const budget = new PositionBudget(MAX_POSITIONS, 'file');
  const read = (value: unknown, i: number): PlaceFeature => {
    const where = `features[${i}]`;
    return at(where, () => placeFeature(value, where, { budget, report: (note) => report(`${where}: ${note}`) }));
  };
  return usable(features, read, report);
}

async function placeText(path: string, root: string): Promise<string> {
  try {
    return await readLocalText(path, { within: [root], maxBytes: MAX_BYTES });
  } catch (error) {
    // The file name is removed, because the report adds it.
    if (isDomainError(error)) throw new BadPlaceFile(error.message.replace(`${path}: `, ''));
    throw error;
  }
}

function placeJson(text: string): unknown {
  try {
    return parseJson(text, MAX_VALUES);
  } catch (error) {
    throw new BadPlaceFile(
      `this is not JSON (${error instanceof Error ? error.message : 'unreadable'}); write the file again`,
    );
  }
}

/** Throws `BadPlaceFile` if `crs` names a CRS other than longitude/latitude. */
export function checkCrs(...objects: readonly unknown[]): void {
  const name = otherCrsOf(...objects);
  if (name === undefined) return;
  throw new BadPlaceFile(
    `crs is ${JSON.stringify(name)}, but places are longitude/latitude; convert with ogr2ogr -t_srs EPSG:4326`,
  );
}

function featuresOf(document: unknown): readonly unknown[] {
  const collection = COLLECTION.safeParse(document);
  if (collection.success) return collection.data.features;
  if (FEATURE.safeParse(document).success) return [document];
  throw new BadPlaceFile(
    'this is not a GeoJSON Feature or FeatureCollection; convert the file: ogr2ogr -f GeoJSON out.geojson IN',
  );
}

function placeFeature(value: unknown, where: string, reading: GeometryReading): PlaceFeature {
  const feature = FEATURE.safeParse(value);
  if (!feature.success)
    throw new BadPlaceFile(
      'this is not a GeoJSON Feature; give it the members type ("Feature"), properties and geometry',
    );
  const { properties, geometry } = feature.data;
  checkCrs(value, geometry);
  return { properties: byLowerName(properties), polygons: placePolygons(geometry, reading), where };
}

/** Properties by lower-case name. */
export function byLowerName(properties: Readonly<Record<string, unknown>> | null): Map<string, unknown> {
  return new Map(Object.entries(properties ?? {}).map(([key, value]) => [key.toLowerCase(), value]));
}
