import { isObject } from '@headwater/stac';

/**
 * Matches names of the CRS longitude/latitude on WGS 84, with or without heights. The name may be a short name, a URN or a URL, with any
 * version.
 */
const LON_LAT =
  /^(urn:(x-)?ogc:def:crs:|https?:\/\/www\.opengis\.net\/def\/crs\/)?((OGC([:/][\d.]*)?[:/])?CRS:{0,2}84h?|EPSG(:|[:/][\d.]*[:/])?(4326|4979))$/i;

/**
 * Searches the `crs` members of GeoJSON objects for a CRS other than longitude/latitude on WGS 84. Returns the name of the first such CRS
 * (at most 60 characters), or `unreadable` if it has no name; undefined if there is no such CRS. RFC 7946 removed the member `crs`, but
 * older programs still write it in collections, and PostGIS in each geometry.
 */
export function otherCrsOf(...objects: readonly unknown[]): string | undefined {
  for (const object of objects) {
    const crs = isObject(object) ? (object['crs'] ?? null) : null;
    if (crs === null) continue;
    const properties = isObject(crs) ? crs['properties'] : undefined;
    const name = isObject(properties) ? properties['name'] : undefined;
    if (typeof name !== 'string') return 'unreadable';
    if (!LON_LAT.test(name.trim())) return name.slice(0, 60);
  }
  return undefined;
}
