import { isObject } from '@headwater/core/values';
import type { MapServer, MapServerCapabilities } from '@headwater/core/ports';
import { MEDIA } from '@headwater/stac';
import { assetsOf } from '../layers/read-item.ts';
import { mapAddresses, type MapLayerName, mapLayerOf } from '../wire/addresses.ts';

/** Map server of the service that sends an Item. */
export interface ItemMaps {
  readonly mapServer: Pick<MapServer, 'capabilities'> | undefined;
}

/** Links and assets with which map programs draw the layers of an Item. */
export interface MapMembers {
  readonly links: readonly MapLink[];
  readonly assets: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface MapLink {
  readonly rel: string;
  readonly href: string;
  readonly type: string;
  readonly title: string;
  readonly 'wms:layers'?: readonly string[];
  readonly 'wms:transparent'?: true;
}

const TILE_FILES = { pmtiles: 'application/vnd.pmtiles', mbtiles: 'application/vnd.sqlite3' } as const;
const MAP_RELS: readonly string[] = ['wms', 'xyz', 'tilejson'];

/** Layers of an Item on the service's own map server, each once, in the order of the assets. */
export function mapLayersOf(item: Readonly<Record<string, unknown>>, baseUrl: string): readonly MapLayerName[] {
  const layers = assetsOf(item).flatMap(({ href }) => mapLayerOf(href, baseUrl) ?? []);
  return [...new Map(layers.map((layer) => [nameOf(layer), layer])).values()];
}

/**
 * Links and assets of an Item's layers for map programs. The addresses, except `latest`, contain the run, so they
 * return the version that this run published.
 */
export function mapMembers(
  item: Readonly<Record<string, unknown>>,
  runId: string,
  { baseUrl, mapServer }: ItemMaps & { readonly baseUrl: string },
): MapMembers {
  if (mapServer === undefined) return { links: [], assets: {} };
  const { capabilities } = mapServer;
  const layers = mapLayersOf(item, baseUrl);
  const taken = isObject(item['assets']) ? Object.keys(item['assets']) : [];
  const files = layers.filter(({ kind }) => kind === 'vector' && capabilities.tiles);
  const assets = files.map((layer, index) => {
    // The first layer has the short key; the keys of further layers contain the layer's name.
    const key = index === 0 ? 'pmtiles' : `pmtiles_${layer.name}`;
    return [key, pmtiles(layer, runId, baseUrl)] as const;
  });
  return {
    links: layers.flatMap((layer) => linksOf(layer, { capabilities, runId, baseUrl })),
    assets: Object.fromEntries(assets.filter(([key]) => !taken.includes(key))),
  };
}

/** Map service: its name in map programs, such as `WMS`, and its address. */
export interface MapService {
  readonly name: string;
  readonly address: string;
}

/** Addresses of the newest version of an Item's layers, for map programs. */
export function mapServicesOf(
  item: Readonly<Record<string, unknown>>,
  { baseUrl, mapServer }: ItemMaps & { readonly baseUrl: string },
): readonly { readonly layer: string; readonly services: readonly MapService[] }[] {
  if (mapServer === undefined) return [];
  const { wms, wfs, wcs, tiles, features } = mapServer.capabilities;
  const draws = wms.length > 0;
  return mapLayersOf(item, baseUrl).flatMap((layer) => {
    const at = mapAddresses(baseUrl, layer);
    const isVector = layer.kind === 'vector';
    const offered: readonly (readonly [name: string, address: string, isOffered: boolean])[] = [
      ['WMS', at.wms, draws],
      ['WFS', at.wfs, isVector && wfs.length > 0],
      ['WCS', at.wcs, !isVector && wcs.length > 0],
      ['XYZ', at.xyz, draws && tiles],
      ['OGC API - Features', at.ogcFeatures, isVector && features],
    ];
    const services = offered.flatMap(([name, address, isOffered]) => (isOffered ? [{ name, address }] : []));
    return services.length === 0 ? [] : [{ layer: layer.name, services }];
  });
}

/** True if one of the links belongs to the web map links extension. */
export function hasMapLink(links: readonly unknown[]): boolean {
  return links.some((link) => isObject(link) && MAP_RELS.includes(String(link['rel'])));
}

const nameOf = ({ workspace, name }: MapLayerName): string => `${workspace}:${name}`;

interface Sender {
  readonly capabilities: MapServerCapabilities;
  readonly runId: string;
  readonly baseUrl: string;
}

function linksOf(layer: MapLayerName, { capabilities, runId, baseUrl }: Sender): readonly MapLink[] {
  const at = mapAddresses(baseUrl, layer, runId);
  const name = nameOf(layer);
  const isVector = layer.kind === 'vector';
  const draws = capabilities.wms.length > 0;
  const layers = { 'wms:layers': [name], 'wms:transparent': true } as const;
  const offered: readonly (MapLink | false)[] = [
    draws && { rel: 'wms', href: at.wms, type: MEDIA.png, title: `Map service (WMS) of ${name}`, ...layers },
    draws && capabilities.tiles && { rel: 'xyz', href: at.xyz, type: MEDIA.png, title: `Map tiles of ${name}` },
    capabilities.tiles &&
      (draws || isVector) && {
        rel: 'tilejson',
        href: at.tileJson,
        type: MEDIA.json,
        title: `TileJSON of the ${isVector ? 'vector' : 'map'} tiles of ${name}`,
      },
    capabilities.tiles &&
      isVector && {
        rel: 'enclosure',
        href: at.mbtiles,
        type: TILE_FILES.mbtiles,
        title: `All vector tiles of ${name} (MBTiles)`,
      },
  ];
  return offered.filter((link) => link !== false);
}

function pmtiles(layer: MapLayerName, runId: string, baseUrl: string): MapMembers['assets'][string] {
  return {
    href: mapAddresses(baseUrl, layer, runId).pmtiles,
    title: 'Vector tiles (PMTiles)',
    type: TILE_FILES.pmtiles,
    roles: ['tiles'],
    alternate: { latest: { href: mapAddresses(baseUrl, layer).pmtiles, title: 'Newest version' } },
  };
}
