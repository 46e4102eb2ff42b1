import type { MultiPolygon, Polygon } from 'geojson';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import type { ToLonLat } from '../features/coordinates.ts';
import { readWkb } from './wkb.ts';

/** Magic, version, flags, srs_id. */
const HEADER_BYTES = 8;
/** Doubles of the envelope by its code. */
const ENVELOPE = [0, 4, 6, 6, 8] as const;

/** The polygon of a GeoPackage geometry (OGC 12-128r18, 2.1.3): a header, an envelope, WKB. Throws `BadPlaceFile`. */
export function readGpkgGeometry(value: unknown, toLonLat: ToLonLat): Polygon | MultiPolygon {
  if (!(value instanceof Uint8Array)) throw new BadPlaceFile('the geometry is missing, or larger than 64 MB');
  if (value.length < HEADER_BYTES || value[0] !== 0x47 || value[1] !== 0x50)
    throw new BadPlaceFile('the geometry is none of a GeoPackage; write it anew');
  const flags = value[3] ?? 0;
  const doubles = ENVELOPE[(flags >> 1) & 7];
  if (doubles === undefined || (flags & 0x20) !== 0)
    throw new BadPlaceFile('the geometry is of an extended kind that is not read; write Polygons or MultiPolygons');
  if ((flags & 0x10) !== 0) throw new BadPlaceFile('the geometry is empty');
  return readWkb(value, HEADER_BYTES + doubles * 8, toLonLat);
}
