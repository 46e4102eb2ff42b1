import type { MapGrid, MapLayer } from '@headwater/core/ports';
import { readUtm } from './crs.ts';
import { ogcError } from './ogc-error.ts';

type Query = Readonly<Record<string, string>>;

/** Limits of a map or coverage, pixels. */
export const MAP_LIMITS = { side: 4096, pixels: 16_777_216 } as const;

/** Value of a parameter. Throws if it is missing or empty. */
export function demanded(query: Query, name: string): string {
  const value = query[name];
  if (value !== undefined && value !== '') return value;
  throw ogcError('MissingParameterValue', name, `${name}: missing; send it`);
}

/** Parses a whole number within limits. */
export function wholeNumber(query: Query, name: string, [least, most]: readonly [number, number]): number {
  const text = demanded(query, name);
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw ogcError(
    'InvalidParameterValue',
    name,
    `${name}: ${JSON.stringify(text.slice(0, 40))} is not a whole number from ${least} to ${most}; send such a number`,
  );
}

/** Width and height; throws if missing or larger than `MAP_LIMITS.side`. */
export function sizeOf(query: Query): { readonly width: number; readonly height: number } {
  const width = wholeNumber(query, 'width', [1, MAP_LIMITS.side]);
  const height = wholeNumber(query, 'height', [1, MAP_LIMITS.side]);
  return { width, height };
}

/** Parses exactly `count` numbers, separated by commas. */
export function numbersOf(text: string, name: string, count: number): readonly number[] {
  const values = text
    .split(',')
    .map((part) => (/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(part.trim()) ? Number(part) : NaN));
  if (values.length === count && values.every(Number.isFinite)) return values;
  throw ogcError(
    'InvalidParameterValue',
    name,
    `${name}: ${JSON.stringify(text.slice(0, 100))} is not ${count} numbers; send them separated by commas`,
  );
}

/** A box in the order x, y; throws if empty. */
export function boxOf(
  [a = 0, b = 0, c = 0, d = 0]: readonly number[],
  { name, isLatitudeFirst }: { readonly name: string; readonly isLatitudeFirst: boolean },
): readonly [west: number, south: number, east: number, north: number] {
  const [west, south, east, north] = isLatitudeFirst ? [b, a, d, c] : [a, b, c, d];
  if (west < east && south < north) return [west, south, east, north];
  const order = isLatitudeFirst ? 'south,west,north,east' : 'west,south,east,north';
  throw ogcError('InvalidParameterValue', name, `${name}: the box is empty; send ${order}`);
}

/** CRS of a map by the names that clients use. */
const CRS_NAMES: ReadonlyMap<string, MapGrid['crs']> = new Map([
  ['EPSG:4326', 'EPSG:4326'],
  ['CRS:84', 'EPSG:4326'],
  ['EPSG:3857', 'EPSG:3857'],
  ['EPSG:900913', 'EPSG:3857'],
]);

/** CRS of a map by its name. Throws an error with `code` for others. */
export function crsOf(text: string, name: string, code: string): MapGrid['crs'] {
  const crs = CRS_NAMES.get(text.toUpperCase()) ?? readUtm(text);
  if (crs !== undefined) return crs;
  throw ogcError(
    code,
    name,
    `${name}: ${JSON.stringify(text.slice(0, 60))} is not offered; send EPSG:4326, CRS:84, EPSG:3857 or a UTM zone such as EPSG:32644`,
  );
}

/** Grid of a box. */
export function gridOf(
  crs: MapGrid['crs'],
  [west, south, east, north]: readonly [number, number, number, number],
  { width, height }: { readonly width: number; readonly height: number },
): MapGrid {
  const pixel = { pixelWidth: (east - west) / width, pixelHeight: (north - south) / height };
  return { crs, west, north, ...pixel, cols: width, rows: height };
}

/** Throws if the query has one of `names`: parameters that would change the response but are not offered. */
export function refuseParameters(query: Query, names: readonly string[]): void {
  const found = names.find((name) => (query[name] ?? '') !== '');
  if (found !== undefined)
    throw ogcError('OperationNotSupported', found, `${found}: this parameter is not offered; leave it out`);
}

/**
 * Extent of a layer, for documents that require west <= east. A box across the antimeridian gets the longitudes -180 to
 * 180. Without a box, the extent is the whole Earth.
 */
export function plainBox({ box }: Pick<MapLayer, 'box'>): readonly [number, number, number, number] {
  if (box === null) return [-180, -90, 180, 90];
  const [west, south, east, north] = box;
  return west <= east ? box : [-180, south, 180, north];
}

/** Maximum length of a short abstract, characters; some Items describe their whole method. */
const ABSTRACT = 500;

/** Beginning of a layer's abstract, for capabilities and descriptions of coverages. */
export function shortAbstract({ abstract }: Pick<MapLayer, 'abstract'>): string {
  if (abstract.length <= ABSTRACT) return abstract;
  const cut = abstract.slice(0, ABSTRACT);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), ABSTRACT / 2))} …`;
}
