import type { PixelGrid } from '@headwater/core';
import type { MapLayer, MapRaster, MapRequest } from '@headwater/core/ports';
import { ogcError } from '../protocol/ogc-error.ts';

/** Offered versions, newest first. */
export const WCS_VERSIONS = ['2.0.1', '1.0.0'] as const;
export type WcsVersion = (typeof WCS_VERSIONS)[number];

/** Version of a request other than GetCapabilities. */
export function versionOf({ version = '2.0.1' }: MapRequest['query']): WcsVersion {
  const found = WCS_VERSIONS.find((each) => each === version) ?? (version === '2.0.0' ? '2.0.1' : undefined);
  if (found !== undefined) return found;
  throw ogcError(
    'InvalidParameterValue',
    'version',
    `version: ${JSON.stringify(version.slice(0, 20))} is not offered; send 2.0.1 or 1.0.0`,
  );
}

/** Name of a layer in WCS 2.0.1: two underscores replace the colon, which identifiers must not have. */
export const coverageId = ({ workspace, name }: Pick<MapLayer, 'workspace' | 'name'>): string =>
  `${workspace}__${name}`;

/** A field of a coverage. */
export interface CoverageField {
  readonly name: string;
  readonly description: string;
}

/** Name of the field of a coverage with one band, as in GeoServer. */
const FIELD = 'GRAY_INDEX';

/**
 * Fields of a coverage, one per band. With one band, the name is `FIELD`. With several bands, the names come from the
 * descriptions of the bands, made valid for XML and unique.
 */
export function fieldsOf({ bands }: Pick<MapRaster, 'bands'>): readonly CoverageField[] {
  const [only = null, ...others] = bands;
  if (others.length === 0) return [{ name: FIELD, description: only ?? FIELD }];
  const used = new Set<string>();
  return bands.map((description, at) => {
    const plain = (description ?? '').replaceAll(/[^\w.-]+/g, '_').replace(/^(?=[\d.-])/, '_');
    const number = `Band_${at + 1}`;
    const stem = /[A-Za-z0-9]/.test(plain) ? plain : number;
    let name = stem;
    for (let next = at + 1; used.has(name); next++) name = `${stem}_${next}`;
    used.add(name);
    return { name, description: description ?? number };
  });
}

/** Names of the two axes in requests. Descriptions use the first name of each axis. */
export interface AxisNames {
  readonly x: readonly string[];
  readonly y: readonly string[];
}

/** True for a grid in degrees. In WCS 2.0.1, coordinates of such a grid are latitude, longitude. */
export const isDegrees = ({ crs }: Pick<PixelGrid, 'crs'>): boolean => crs === 'EPSG:4326';

/** Names of the axes in the CRS of the grid. */
export const axisNames = (grid: PixelGrid): AxisNames =>
  isDegrees(grid) ? { x: ['Long', 'Lon', 'x'], y: ['Lat', 'y'] } : { x: ['E', 'x'], y: ['N', 'y'] };

/** Axes of pixel numbers: columns from west, rows from north. */
export const PIXEL_AXES: AxisNames = { x: ['i'], y: ['j'] };

/** Address of a CRS in WCS 2.0.1. */
export const crsAddress = ({ crs }: Pick<PixelGrid, 'crs'>): string =>
  `http://www.opengis.net/def/crs/EPSG/0/${crs.replace('EPSG:', '')}`;

/** East and south edge. */
export function edgesOf({ west, north, cols, rows, pixelWidth, pixelHeight }: PixelGrid): {
  readonly east: number;
  readonly south: number;
} {
  return { east: west + cols * pixelWidth, south: north - rows * pixelHeight };
}
