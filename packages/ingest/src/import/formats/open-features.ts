import { readGeopackage } from '../geopackage/read-geopackage.ts';
import { readShapefile } from '../shapefile/read-shapefile.ts';
import { readGeojson } from '../features/read-geojson.ts';
import { readGeojsonLines } from '../features/geojson-lines.ts';
import type { FeatureReader } from '../features/raw-feature.ts';

/** Readers by the ends of the names of their files. */
const READERS: ReadonlyMap<string, FeatureReader> = new Map([
  ['.geojson', readGeojson],
  ['.json', readGeojson],
  ['.geojsonl', readGeojsonLines],
  ['.geojsons', readGeojsonLines],
  ['.ndjson', readGeojsonLines],
  ['.gpkg', readGeopackage],
  ['.zip', readShapefile],
]);

/** Ends of names of files that hold features. */
export const FEATURE_ENDINGS: readonly string[] = [...READERS.keys()];

/** The reader of a file of this name; undefined for another ending. */
export function featureReader(fileName: string): FeatureReader | undefined {
  const name = fileName.toLowerCase();
  return [...READERS].find(([ending]) => name.endsWith(ending))?.[1];
}
