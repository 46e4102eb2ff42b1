import { isObject } from '@headwater/stac';

/** Longitude/latitude on WGS 84 as short name, URN or URL, with any version, with or without heights. */
const LON_LAT =
  /^(urn:(x-)?ogc:def:crs:|https?:\/\/www\.opengis\.net\/def\/crs\/)?((OGC([:/][\d.]*)?[:/])?CRS:{0,2}84h?|EPSG(:|[:/][\d.]*[:/])?(4326|4979))$/i;

/**
 * Reads the `crs` members of these objects. Returns the name of the first CRS that is not longitude/latitude on
 * WGS 84; `unreadable` for a CRS without a name. Older programs still write `crs`, which RFC 7946 removed.
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
