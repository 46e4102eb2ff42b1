import { isObject } from '@headwater/stac';

/** Matches names of longitude/latitude on WGS 84, with or without heights: short names, URNs and URLs, with any version. */
const LON_LAT =
  /^(urn:(x-)?ogc:def:crs:|https?:\/\/www\.opengis\.net\/def\/crs\/)?((OGC([:/][\d.]*)?[:/])?CRS:{0,2}84h?|EPSG(:|[:/][\d.]*[:/])?(4326|4979))$/i;

/**
 * Returns the first CRS name in the `crs` members of these GeoJSON objects that is not longitude/latitude on WGS 84; undefined if all are.
 * RFC 7946 removed the member. Older programs write it in collections; PostGIS writes it in each geometry.
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
