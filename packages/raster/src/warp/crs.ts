import proj4 from 'proj4';
import type { PixelGrid } from '@headwater/core';
import { DomainError } from '@headwater/core/errors';

interface KnownCrs {
  readonly epsg: number;
  readonly proj: string;
  /** True for longitude/latitude in degrees, false for easting/northing in metres. */
  readonly geographic: boolean;
}

const UTM = /^EPSG:32([67])(0[1-9]|[1-5]\d|60)$/;

/**
 * Looks up 'EPSG:4326' or a WGS 84 / UTM zone ('EPSG:326xx' north, 'EPSG:327xx' south). Throws `input_data` for any
 * other CRS.
 */
export function knownCrs(crs: string): KnownCrs {
  if (crs === 'EPSG:4326') return { epsg: 4326, proj: '+proj=longlat +datum=WGS84 +no_defs', geographic: true };
  const [, side, zone] = UTM.exec(crs) ?? [];
  if (side === undefined || zone === undefined) {
    throw new DomainError(
      'input_data',
      `CRS ${JSON.stringify(crs)} is not supported: only EPSG:4326 and WGS 84 / UTM (EPSG:32601-32660, EPSG:32701-32760) are. ` +
        'Reproject the raster to one of these (for example with gdalwarp -t_srs) and try again.',
    );
  }
  const south = side === '7' ? ' +south' : '';
  const epsg = Number(`32${side}${zone}`);
  return {
    epsg,
    proj: `+proj=utm +zone=${Number(zone)}${south} +datum=WGS84 +units=m +no_defs`,
    geographic: false,
  };
}

/**
 * Transforms one point: x is longitude or easting, y is latitude or northing. The result is not finite outside of the
 * projection.
 */
export type PointTransform = (x: number, y: number) => readonly [number, number];

const NOWHERE = [Number.NaN, Number.NaN] as const;

/** Point transform between two supported CRSs (`knownCrs`), x before y. Throws `input_data` for other CRSs. */
export function pointTransform(from: string, to: string): PointTransform {
  const source = knownCrs(from);
  const target = knownCrs(to);
  if (source.epsg === target.epsg) return (x, y) => [x, y];
  const { forward } = proj4(source.proj, target.proj);
  return (x, y) => {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return NOWHERE;
    const [px = Number.NaN, py = Number.NaN] = forward([x, y]);
    return [px, py];
  };
}

/** Longitude of the middle of a grid, in degrees. */
export function middleLongitude({ crs, west, north, pixelWidth, pixelHeight, cols, rows }: PixelGrid): number {
  const [longitude] = pointTransform(crs, 'EPSG:4326')(
    west + (cols * pixelWidth) / 2,
    north - (rows * pixelHeight) / 2,
  );
  return longitude;
}
