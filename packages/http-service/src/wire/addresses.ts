import type { Addresses, PublishedItem } from '@headwater/core';
import { fill, ownMapServer, paths } from './paths.ts';

/** Placeholder for the public base address in stored Items (decision 004). */
export const BASE_TOKEN = 'https://base.headwater.invalid';

/** Copies a JSON document, and replaces the placeholder by `base`, which has no trailing slash. */
export function withBase<T>(document: T, base: string): T {
  return JSON.parse(JSON.stringify(document).replaceAll(`${BASE_TOKEN}/`, `${base}/`));
}

/**
 * Public addresses of the service. `base` and `mapServer` have no trailing slash; the default map server is this
 * service.
 */
export function createAddresses(base: string, mapServer = ownMapServer(base)): Addresses {
  const collection = (path: string): string => `${base}${paths.catalog}${path}/`;
  return {
    catalog: () => base + paths.catalog,
    collection,
    item: (path, id) => `${collection(path)}items/${id}/`,
    file: (key) => base + fill(paths.asset, assetParams(key)),
    // WFS 1.0.0 GetFeature, as existing clients send it.
    features: (workspace, layer) =>
      `${mapServer}/${workspace}/ows?service=WFS&version=1.0.0&request=GetFeature&typeName=${workspace}:${layer}&outputFormat=application/json`,
    table: (path, name, form) => {
      const [state = '', district = '', block = ''] = path.split('/');
      const address = base + fill(paths.table, { state, district, block, name });
      return form === 'csv' ? `${address}?format=csv` : address;
    },
    // WCS 2.0.1 GetCoverage.
    coverage: (workspace, layer) =>
      `${mapServer}/${workspace}/wcs?service=WCS&version=2.0.1&request=GetCoverage&CoverageId=${workspace}:${layer}` +
      '&format=geotiff&compression=LZW&tiling=true&tileheight=256&tilewidth=256',
  };
}

/** Addresses in stored Items, which begin with the placeholder. */
export const storedAddresses = (mapServer?: string): Addresses => createAddresses(BASE_TOKEN, mapServer);

function assetParams(key: string): Readonly<Record<string, string>> {
  const [run = '', token = '', ...name] = key.split('/');
  return { run, token, name: name.join('/') };
}

/** Address of the newest version of an Item's asset. */
export function latestAssetAddress(
  base: string,
  { collectionPath, id }: Pick<PublishedItem, 'collectionPath' | 'id'>,
  asset: string,
): string {
  const [state = '', district = '', block = ''] = collectionPath.split('/');
  return base + fill(paths.latestAsset, { state, district, block, item: id, asset: encodeURIComponent(asset) });
}

/**
 * Adds the run to an address with a query at the service's map server. The address then returns the data of this run.
 * Other addresses are unchanged.
 */
export function ofRun(href: string, runId: string, base: string): string {
  return href.startsWith(`${ownMapServer(base)}/`) && href.includes('?') ? `${href}&run=${runId}` : href;
}

/** `AssetStore` key in a file's address; undefined for other addresses. */
export function fileKeyOf(href: string, base: string): string | undefined {
  const [before = ''] = (base + paths.asset).split(':run');
  const key = href.startsWith(before) ? href.slice(before.length) : '';
  return key.split('/').length === 3 ? key : undefined;
}

/** Layer at the service's map server. */
export interface MapLayerName {
  readonly workspace: string;
  readonly name: string;
  readonly kind: 'vector' | 'raster';
}

/** Layer in an address of `createAddresses`; undefined for other addresses. */
export function mapLayerOf(href: string, base: string): MapLayerName | undefined {
  const server = `${ownMapServer(base)}/`;
  if (!href.startsWith(server)) return undefined;
  const [, workspace, service, name] =
    /^([^/?]+)\/(ows|wcs)\?.*&(?:typeName|CoverageId)=[^:&]+:([^&]+)/.exec(href.slice(server.length)) ?? [];
  if (workspace === undefined || name === undefined) return undefined;
  return { workspace, name, kind: service === 'wcs' ? 'raster' : 'vector' };
}

/**
 * Addresses of a layer at the service's map server. Without `runId`, they return the newest version. With `runId`,
 * they return the version of that run, except `wfs`, `wcs` and `ogcFeatures`. `xyz` has the placeholders {z}, {x}
 * and {y}.
 */
export function mapAddresses(base: string, { workspace, name }: Omit<MapLayerName, 'kind'>, runId?: string) {
  const version = runId === undefined ? '' : `?run=${encodeURIComponent(runId)}`;
  const [place, layer] = [encodeURIComponent(workspace), encodeURIComponent(name)];
  const service = (kind: string): string => base + fill(paths.workspaceService, { workspace: place, service: kind });
  const file = (ending: string): string =>
    `${base}${fill(paths.tileJson, { workspace: place, file: `${layer}.${ending}` })}${version}`;
  const tile = { workspace: place, layer, zoom: '{z}', col: '{x}', file: '{y}.png' };
  return {
    wms: service('wms') + version,
    wfs: service('wfs'),
    wcs: service('wcs'),
    ogcFeatures: base + paths.ogcFeatures,
    xyz: base + fill(paths.xyzTile, tile) + version,
    tileJson: file('json'),
    pmtiles: file('pmtiles'),
    mbtiles: file('mbtiles'),
  };
}
