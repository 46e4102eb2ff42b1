import { utmZone } from '@headwater/core/geo';
import { ogcError } from './ogc-error.ts';

/** Order of the coordinates; `xy` is longitude, latitude. */
export type AxisOrder = 'xy' | 'yx';

/** A coordinate system of a request. Its name decides the axis order. */
export interface NamedCrs {
  readonly srs: 'EPSG:4326' | 'CRS:84' | 'EPSG:3857';
  readonly axis: AxisOrder;
}

const CRS84 = { srs: 'CRS:84', axis: 'xy' } as const;
const CRS84_NAMES =
  /^(?:CRS:84|urn:(?:x-)?ogc:def:crs:OGC:[\d.]*:CRS84|https?:\/\/www\.opengis\.net\/def\/crs\/OGC\/[\d.]+\/CRS84)$/i;
/** Names that programs use with the longitude first. */
const SHORT = /^(?:EPSG:|https?:\/\/www\.opengis\.net\/gml\/srs\/epsg\.xml#)(\d{4,6})$/i;
/** Names with the axis order of the EPSG register: latitude first. */
const LONG =
  /^(?:urn:(?:x-)?ogc:def:crs:EPSG:[\d.]*:|https?:\/\/www\.opengis\.net\/def\/crs\/EPSG\/[\d.]+\/)(\d{4,6})$/i;

/** Reads the name of a coordinate system. Throws if it is not offered. */
export function readCrs(text: string, parameter: string): NamedCrs {
  if (CRS84_NAMES.test(text)) return CRS84;
  const { short, code } = epsgOf(text);
  if (code === '3857' || code === '900913') return { srs: 'EPSG:3857', axis: 'xy' };
  if (code === '4326') return { srs: 'EPSG:4326', axis: short === undefined ? 'yx' : 'xy' };
  throw ogcError(
    'InvalidParameterValue',
    parameter,
    `${parameter}: ${JSON.stringify(text.slice(0, 80))} is not offered; send EPSG:4326, CRS:84 or EPSG:3857`,
  );
}

function epsgOf(text: string): { readonly short: string | undefined; readonly code: string | undefined } {
  const [, short] = SHORT.exec(text) ?? [];
  const [, long] = LONG.exec(text) ?? [];
  return { short, code: short ?? long };
}

/** UTM zone of a name; undefined for other names. Coordinates are easting, northing. */
export function readUtm(text: string): `EPSG:32${string}` | undefined {
  const { code = '' } = epsgOf(text);
  return utmZone(`EPSG:${code}`) === undefined ? undefined : `EPSG:32${code.slice(2)}`;
}

const RADIUS = 6_378_137;
/**
 * Limits of coordinates. They are larger than the Earth, because maps of the whole world extend a little beyond the
 * Earth.
 */
const MOST = { degrees: 1000, metres: 1e9 } as const;

/** Converts a position to longitude and latitude. Throws for NaN and for coordinates beyond `MOST`. */
export function lonLatOf(
  [first, second]: readonly [number, number],
  { srs, axis }: NamedCrs,
  parameter: string,
): readonly [lon: number, lat: number] {
  const [x, y] = axis === 'yx' ? [second, first] : [first, second];
  const most = srs === 'EPSG:3857' ? MOST.metres : MOST.degrees;
  if (!(Math.abs(x) <= most && Math.abs(y) <= most))
    throw ogcError(
      'InvalidParameterValue',
      parameter,
      `${parameter}: ${String(first)},${String(second)} is not a position on the Earth; send coordinates of ${srs}`,
    );
  if (srs !== 'EPSG:3857') return [x, y];
  const degrees = 180 / Math.PI;
  return [(x / RADIUS) * degrees, (2 * Math.atan(Math.exp(y / RADIUS)) - Math.PI / 2) * degrees];
}

/** Converts two corners to a box in degrees, cut at 180 and 90 degrees. */
export function lonLatBox(
  [a, b, c, d]: readonly [number, number, number, number],
  crs: NamedCrs,
  parameter: string,
): readonly [west: number, south: number, east: number, north: number] {
  const [west, south] = lonLatOf([a, b], crs, parameter);
  const [east, north] = lonLatOf([c, d], crs, parameter);
  const order = crs.axis === 'yx' ? 'south,west,north,east' : 'west,south,east,north';
  if (south > north)
    throw ogcError('InvalidParameterValue', parameter, `${parameter}: south is above north; send ${order}`);
  const lon = (value: number): number => Math.min(180, Math.max(-180, value));
  const lat = (value: number): number => Math.min(90, Math.max(-90, value));
  return [lon(west), lat(south), lon(east), lat(north)];
}
