import { JSON_TYPE } from '../wire/wordings/wording.ts';

const MEDIA_TYPES = new Map([
  ['tif', 'image/tiff; application=geotiff; profile=cloud-optimized'],
  ['geojson', 'application/geo+json; charset=utf-8'],
  ['json', JSON_TYPE],
  ['png', 'image/png'],
  ['qml', 'application/xml; charset=utf-8'],
  ['sld', 'application/vnd.ogc.sld+xml; charset=utf-8'],
]);

/** Media type of a stored file by its extension. */
export function mediaTypeOf(name: string): string {
  return MEDIA_TYPES.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase()) ?? 'application/octet-stream';
}

/** Every media type that stored files are served with. */
export const ASSET_MEDIA: readonly string[] = [...new Set(MEDIA_TYPES.values()), 'application/octet-stream'];
