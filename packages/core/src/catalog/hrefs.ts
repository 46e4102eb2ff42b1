/**
 * Stands for the public base address in stored Items, so that a service that moves (port, host name, proxy) does not strand them.
 * `withBase` puts the real address in when an Item is served.
 */
export const BASE_TOKEN = 'https://base.headwater.invalid';

/** A copy of a JSON document with the stored stand-in replaced by the public base address (no trailing slash). */
export function withBase<T>(document: T, base: string): T {
  return JSON.parse(JSON.stringify(document).replaceAll(`${BASE_TOKEN}/`, `${base}/`));
}

/** Builders of every public address that Items and layer records carry. `base` and `mapServer` have no trailing slash. */
export const hrefs = {
  stacRoot: (base: string): string => `${base}/api/v1/stac/`,
  /** `path`: slugs joined by '/', e.g. `assam/cachar/lakhipur` (also one or two levels). */
  stacCollection: (base: string, path: string): string => `${base}/api/v1/stac/${path}/`,
  stacItem: (base: string, path: string, id: string): string => `${base}/api/v1/stac/${path}/items/${id}/`,
  /** `key`: an `AssetStore` key, `{runId}/{token}/{name}`. */
  asset: (base: string, key: string): string => `${base}/api/v1/assets/${key}`,
  /** WFS 1.0.0 GetFeature as GeoJSON, the URL form that clients of the live system know. */
  wfs: (mapServer: string, workspace: string, layer: string): string =>
    `${mapServer}/${workspace}/ows?service=WFS&version=1.0.0&request=GetFeature&typeName=${workspace}:${layer}&outputFormat=application/json`,
  /** WCS 2.0.1 GetCoverage as GeoTIFF. */
  wcs: (mapServer: string, workspace: string, layer: string): string =>
    `${mapServer}/${workspace}/wcs?service=WCS&version=2.0.1&request=GetCoverage&CoverageId=${workspace}:${layer}` +
    '&format=geotiff&compression=LZW&tiling=true&tileheight=256&tilewidth=256',
} as const;
