import type { MapLayer, MapReply, MapRequest } from '@headwater/core/ports';
import { isDrawable } from '../drawing/drawing.ts';
import type { EmbeddedParts, Protocol } from '../parts.ts';
import { plainBox } from '../protocol/map-parameters.ts';
import { ogcAbsent } from '../protocol/ogc-error.ts';
import { serviceDescription } from '../features-api/collections.ts';
import { tileOf, tilesIn, webMercatorQuad } from './matrix.ts';
import { rasterTile, sideOf } from './raster-tile.ts';
import { VECTOR_ZOOM } from './vector.ts';
import { MVT, vectorTileReply } from './vector-tiles.ts';
import { drawable, publishedLayer, vector, zoomOfLayer } from './xyz.ts';

const MATRIX_SET = 'WebMercatorQuad';
const CONFORMANCE = [
  'http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/tileset',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/tilesets-list',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/geodata-tilesets',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/png',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/mvt',
];

/** OGC API - Tiles, part 1: map tiles of drawable layers and vector tiles of vector layers, in WebMercatorQuad. */
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
    if (rest.length === 0) return json(collection(parts, layer, base), `${layer.version}-collection`);
    const kind = rest[0] === 'map' && rest[1] === 'tiles' ? 'map' : rest[0] === 'tiles' ? 'vector' : undefined;
    if (kind !== undefined)
      return await tileResource(parts, request, { layer, kind, base, rest: rest.slice(kind === 'map' ? 2 : 1) });
  }
  throw ogcAbsent('NotFound', 'path', 'path: there is no such resource; follow the links of ogc/tiles/v1');
};

/** Tiles of a layer: pictures (`map`) or vector tiles (`vector`). */
interface LayerTiles {
  readonly layer: MapLayer;
  readonly kind: 'map' | 'vector';
  readonly base: string;
}

async function tileResource(
  parts: EmbeddedParts,
  request: MapRequest,
  { rest, ...tiles }: LayerTiles & { readonly rest: readonly string[] },
): Promise<MapReply> {
  const [set, zoom, row, col, more] = rest;
  const { kind } = tiles;
  const layer = kind === 'map' ? drawable(parts, tiles.layer) : vector(tiles.layer);
  if (set === undefined) return json(tileSets(tiles), `${layer.version}-${kind}-sets`);
  if (set === MATRIX_SET && zoom === undefined)
    return json(await tileSet(parts, tiles), `${layer.version}-${kind}-set`);
  if (set !== MATRIX_SET || zoom === undefined || row === undefined || col === undefined || more !== undefined)
    throw ogcAbsent(
      'NotFound',
      'path',
      `path: there is no such tile; use ${MATRIX_SET}/{tileMatrix}/{tileRow}/{tileCol}`,
    );
  const tile = tileOf(zoom, col.replace(kind === 'map' ? /\.png$/ : /\.(?:mvt|pbf)$/, ''), row);
  if (kind === 'vector') return await vectorTileReply(parts, { layer, tile }, request);
  return await rasterTile(parts, { layer, tile, side: sideOf(request.query, false), format: 'image/png' }, request);
}

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

function landing({ title, openApiUrl }: EmbeddedParts, base: string): object {
  return {
    title,
    description: `Map tiles and vector tiles of ${title}`,
    links: [
      jsonLink('self', `${base}/`),
      ...(openApiUrl === undefined ? [] : [serviceDescription(openApiUrl)]),
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
  for await (const layer of parts.layers.list())
    if (layer.kind === 'vector' || isDrawable(parts, layer)) found.push(collection(parts, layer, base));
  return { links: [jsonLink('self', `${base}/collections`)], collections: found };
}

const idOf = ({ workspace, name }: MapLayer): string => `${workspace}:${name}`;
const placeOf = (layer: MapLayer, base: string): string => `${base}/collections/${encodeURIComponent(idOf(layer))}`;

async function collectionLayer(parts: EmbeddedParts, id: string, run: string | undefined): Promise<MapLayer> {
  const colon = id.indexOf(':');
  return await publishedLayer(parts, { workspace: id.slice(0, Math.max(0, colon)), name: id.slice(colon + 1), run });
}

function collection(parts: EmbeddedParts, layer: MapLayer, base: string): object {
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
      ...(isDrawable(parts, layer)
        ? [jsonLink('http://www.opengis.net/def/rel/ogc/1.0/tilesets-map', `${place}/map/tiles`)]
        : []),
      ...(layer.kind === 'vector'
        ? [jsonLink('http://www.opengis.net/def/rel/ogc/1.0/tilesets-vector', `${place}/tiles`)]
        : []),
      ...(layer.itemHref === null ? [] : [{ rel: 'describedby', href: layer.itemHref, type: 'application/geo+json' }]),
    ],
  };
}

const addressOf = ({ layer, kind, base }: LayerTiles): string =>
  `${placeOf(layer, base)}/${kind === 'map' ? 'map/tiles' : 'tiles'}`;

const tileSets = (tiles: LayerTiles): object => ({
  links: [jsonLink('self', addressOf(tiles))],
  tilesets: [tileSetSummary(tiles, [])],
});

function tileSetSummary(tiles: LayerTiles, more: readonly Link[]): object {
  const place = `${addressOf(tiles)}/${MATRIX_SET}`;
  const scheme = jsonLink(
    'http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme',
    `${tiles.base}/tileMatrixSets/${MATRIX_SET}`,
  );
  return {
    title: tiles.layer.title,
    dataType: tiles.kind,
    crs: 'http://www.opengis.net/def/crs/EPSG/0/3857',
    tileMatrixSetURI: 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad',
    links: [jsonLink('self', place), scheme, ...more],
  };
}

async function tileSet(parts: EmbeddedParts, tiles: LayerTiles): Promise<object> {
  const { layer, kind } = tiles;
  const place = `${addressOf(tiles)}/${MATRIX_SET}`;
  const box = plainBox(layer);
  const most = kind === 'map' ? await zoomOfLayer(parts, layer) : VECTOR_ZOOM;
  const link: Link = {
    rel: 'item',
    href: `${place}/{tileMatrix}/{tileRow}/{tileCol}?v=${layer.version}`,
    type: kind === 'map' ? 'image/png' : MVT,
    templated: true,
  };
  const limits = Array.from({ length: most + 1 }, (_, zoom) => {
    const { minCol, maxCol, minRow, maxRow } = tilesIn(box, zoom);
    return { tileMatrix: String(zoom), minTileRow: minRow, maxTileRow: maxRow, minTileCol: minCol, maxTileCol: maxCol };
  });
  return {
    ...tileSetSummary(tiles, [link]),
    boundingBox: {
      lowerLeft: [box[0], box[1]],
      upperRight: [box[2], box[3]],
      crs: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
    },
    tileMatrixSetLimits: limits,
  };
}
