import type { MapLayer, MapReply } from '@headwater/core/ports';
import { isDrawable } from '../drawing/drawing.ts';
import type { EmbeddedParts, Protocol } from '../parts.ts';
import { plainBox } from '../protocol/map-parameters.ts';
import { ogcAbsent } from '../protocol/ogc-error.ts';
import { tileOf, tilesIn, webMercatorQuad } from './matrix.ts';
import { rasterTile, sideOf } from './raster-tile.ts';
import { layerOf, zoomOfLayer } from './xyz.ts';

const MATRIX_SET = 'WebMercatorQuad';
const CONFORMANCE = [
  'http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/tileset',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/tilesets-list',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/geodata-tilesets',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/png',
];

/** OGC API - Tiles, part 1: map tiles of raster layers in WebMercatorQuad. */
export const ogcTiles: Protocol = async (parts, request) => {
  const [first = '', id = '', ...rest] = request.segments.slice(3);
  const base = `${parts.url}/ogc/tiles/v1`;
  const state = async (): Promise<string> => `${await parts.layers.version()}-tiles`;
  if (first === '') return json(landing(parts, base), 'landing');
  if (first === 'conformance' && id === '') return json({ conformsTo: CONFORMANCE }, 'conformance');
  if (first === 'tileMatrixSets' && rest.length === 0) {
    if (id === '') return json({ tileMatrixSets: [matrixSetLink(base)] }, 'matrix-sets');
    if (id === MATRIX_SET) return json(webMercatorQuad(), 'matrix-set');
  }
  if (first === 'collections') {
    if (id === '') return json(await collections(parts, base), await state());
    const layer = await collectionLayer(parts, id, request.query['run']);
    const [map, tiles, set, zoom, row, col] = rest;
    if (map === undefined) return json(collection(layer, base), `${layer.version}-collection`);
    if (map === 'map' && tiles === 'tiles') {
      if (set === undefined) return json(tileSets(layer, base), `${layer.version}-sets`);
      if (set === MATRIX_SET && zoom === undefined)
        return json(await tileSet(parts, layer, base), `${layer.version}-set`);
      if (set === MATRIX_SET && zoom !== undefined && row !== undefined && col !== undefined && rest.length === 6) {
        const tile = tileOf(zoom, col.replace(/\.png$/, ''), row);
        return await rasterTile(parts, { layer, tile, side: sideOf(request.query, false) }, request);
      }
    }
  }
  throw ogcAbsent('NotFound', 'path', 'path: there is no such resource; follow the links of ogc/tiles/v1');
};

function json(document: object, etag: string): MapReply {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { status: 200, headers, body: JSON.stringify(document), etag: etag.replaceAll(/[^\w-]/g, '_') };
}

interface Link {
  readonly rel: string;
  readonly href: string;
  readonly type: string;
  readonly title?: string;
  readonly templated?: true;
}

const jsonLink = (rel: string, href: string): Link => ({ rel, href, type: 'application/json' });

function landing({ title }: EmbeddedParts, base: string): object {
  return {
    title,
    description: `Map tiles of ${title}`,
    links: [
      jsonLink('self', `${base}/`),
      jsonLink('conformance', `${base}/conformance`),
      jsonLink('data', `${base}/collections`),
      jsonLink('http://www.opengis.net/def/rel/ogc/1.0/tiling-schemes', `${base}/tileMatrixSets`),
    ],
  };
}

const matrixSetLink = (base: string): object => ({
  id: MATRIX_SET,
  title: 'Google Maps Compatible for the World',
  uri: 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad',
  links: [jsonLink('self', `${base}/tileMatrixSets/${MATRIX_SET}`)],
});

async function collections(parts: EmbeddedParts, base: string): Promise<object> {
  const found: object[] = [];
  for await (const layer of parts.layers.list()) if (isDrawable(parts, layer)) found.push(collection(layer, base));
  return { links: [jsonLink('self', `${base}/collections`)], collections: found };
}

const idOf = ({ workspace, name }: MapLayer): string => `${workspace}:${name}`;
const placeOf = (layer: MapLayer, base: string): string => `${base}/collections/${encodeURIComponent(idOf(layer))}`;

async function collectionLayer(parts: EmbeddedParts, id: string, run: string | undefined): Promise<MapLayer> {
  const colon = id.indexOf(':');
  return await layerOf(parts, { workspace: id.slice(0, Math.max(0, colon)), name: id.slice(colon + 1), run });
}

function collection(layer: MapLayer, base: string): object {
  const { interval } = layer;
  const place = placeOf(layer, base);
  return {
    id: idOf(layer),
    title: layer.title,
    description: layer.abstract,
    extent: {
      spatial: { bbox: [layer.box ?? plainBox(layer)], crs: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84' },
      ...(interval === null ? {} : { temporal: { interval: [[interval.start, interval.end]] } }),
    },
    links: [
      jsonLink('self', place),
      jsonLink('http://www.opengis.net/def/rel/ogc/1.0/tilesets-map', `${place}/map/tiles`),
      ...(layer.itemHref === null ? [] : [{ rel: 'describedby', href: layer.itemHref, type: 'application/geo+json' }]),
    ],
  };
}

const tileSets = (layer: MapLayer, base: string): object => ({
  links: [jsonLink('self', `${placeOf(layer, base)}/map/tiles`)],
  tilesets: [tileSetSummary(layer, base, [])],
});

function tileSetSummary(layer: MapLayer, base: string, more: readonly Link[]): object {
  const place = `${placeOf(layer, base)}/map/tiles/${MATRIX_SET}`;
  const scheme = jsonLink(
    'http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme',
    `${base}/tileMatrixSets/${MATRIX_SET}`,
  );
  return {
    title: layer.title,
    dataType: 'map',
    crs: 'http://www.opengis.net/def/crs/EPSG/0/3857',
    tileMatrixSetURI: 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad',
    links: [jsonLink('self', place), scheme, ...more],
  };
}

async function tileSet(parts: EmbeddedParts, layer: MapLayer, base: string): Promise<object> {
  const place = `${placeOf(layer, base)}/map/tiles/${MATRIX_SET}`;
  const box = plainBox(layer);
  const most = await zoomOfLayer(parts, layer);
  const tiles: Link = {
    rel: 'item',
    href: `${place}/{tileMatrix}/{tileRow}/{tileCol}?v=${layer.version}`,
    type: 'image/png',
    templated: true,
  };
  const limits = Array.from({ length: most + 1 }, (_, zoom) => {
    const { minCol, maxCol, minRow, maxRow } = tilesIn(box, zoom);
    return { tileMatrix: String(zoom), minTileRow: minRow, maxTileRow: maxRow, minTileCol: minCol, maxTileCol: maxCol };
  });
  return {
    ...tileSetSummary(layer, base, [tiles]),
    boundingBox: {
      lowerLeft: [box[0], box[1]],
      upperRight: [box[2], box[3]],
      crs: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
    },
    tileMatrixSetLimits: limits,
  };
}
