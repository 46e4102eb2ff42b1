import type { MapLayer, MapReply, MapRequest } from '@headwater/core/ports';
import { isDrawable, openLayer } from '../drawing/drawing.ts';
import type { PictureFormat } from '../drawing/canvas.ts';
import type { EmbeddedParts, Protocol } from '../parts.ts';
import { ogcAbsent } from '../protocol/ogc-error.ts';
import { plainBox } from '../protocol/map-parameters.ts';
import { tileOf, zoomOf } from './matrix.ts';
import { rasterTile, sideOf } from './raster-tile.ts';
import { VECTOR_ZOOM } from './vector.ts';
import { tileFileReply, vectorTileJsonReply, vectorTileReply, versionQuery } from './vector-tiles.ts';

const PICTURES: Readonly<Record<string, PictureFormat>> = {
  png: 'image/png',
  webp: 'image/webp',
  jpg: 'image/jpeg',
};

/**
 * Tiles at `tiles/{workspace}/{layer}/{z}/{x}/{y}.png`, `.webp` or `.jpg` (`@2x` for dense screens), `.mvt` or `.pbf`
 * for vectors; TileJSON at `tiles/{workspace}/{layer}.json`; files of vector tiles at `.pmtiles` and `.mbtiles`.
 */
export const xyzTiles: Protocol = async (parts, request) => {
  const { segments, query } = request;
  const [, workspace = '', name = '', zoom = '', col = '', file = ''] = segments;
  const [, layerName = '', ending = ''] = /^(.+)\.(json|pmtiles|mbtiles)$/.exec(name) ?? [];
  if (segments.length === 3 && ending !== '') {
    const layer = await publishedLayer(parts, { workspace, name: layerName, run: query['run'] });
    if (ending === 'json')
      return layer.kind === 'vector'
        ? await vectorTileJsonReply(parts, layer, request)
        : await tileJson(parts, drawable(parts, layer), request);
    const kind = ending === 'pmtiles' ? 'pmtiles' : 'mbtiles';
    return await tileFileReply(parts, { layer: vector(layer), kind }, request);
  }
  const [, row = '', dense, form] = /^(\d+)(@2x)?\.(png|webp|jpg|mvt|pbf)$/.exec(file) ?? [];
  const format = form === undefined || !Object.hasOwn(PICTURES, form) ? undefined : PICTURES[form];
  if (segments.length !== 6 || row === '' || (format === undefined && dense !== undefined))
    throw ogcAbsent(
      'NotFound',
      'path',
      'path: there is no such tile; use tiles/{workspace}/{layer}/{z}/{x}/{y}.png, .webp, .jpg, .mvt or .pbf',
    );
  const tile = tileOf(zoom, col, row);
  const layer = await publishedLayer(parts, { workspace, name, run: query['run'] });
  if (format === undefined) return await vectorTileReply(parts, { layer: vector(layer), tile }, request);
  return await rasterTile(
    parts,
    { layer: drawable(parts, layer), tile, side: sideOf(query, dense !== undefined), format },
    request,
  );
};

/** Finds a layer. Throws 404 if unknown. */
export async function publishedLayer(
  { layers }: Pick<EmbeddedParts, 'layers'>,
  { workspace, name, run }: { readonly workspace: string; readonly name: string; readonly run: string | undefined },
): Promise<MapLayer> {
  const layer = await layers.find(workspace, name, run);
  if (layer !== undefined) return layer;
  const called = JSON.stringify(`${workspace}:${name}`.slice(0, 100));
  throw ogcAbsent(
    'NotFound',
    'layer',
    `layer: no layer ${called} is published; use a layer that a capabilities document lists`,
  );
}

/** Returns a layer that maps can show; otherwise throws 404. */
export function drawable(parts: EmbeddedParts, layer: MapLayer): MapLayer {
  if (isDrawable(parts, layer)) return layer;
  throw ogcAbsent(
    'NotFound',
    'layer',
    `layer: ${layer.name} has no tiles, because this server has no pixel engine; download the file from its STAC Item`,
  );
}

/** Returns a layer with vector tiles; otherwise throws 404. */
export function vector(layer: MapLayer): MapLayer {
  if (layer.kind === 'vector') return layer;
  throw ogcAbsent('NotFound', 'layer', `layer: ${layer.name} is a raster, which has no vector tiles; request .png`);
}

/** Greatest zoom of a layer: the zoom of a raster's pixels, or `VECTOR_ZOOM`. */
export async function zoomOfLayer(parts: EmbeddedParts, layer: MapLayer): Promise<number> {
  if (layer.kind === 'vector') return VECTOR_ZOOM;
  const { grid } = await openLayer(parts, layer);
  return zoomOf(grid.crs === 'EPSG:4326' ? grid.pixelWidth * METRES_PER_DEGREE : grid.pixelWidth);
}

const METRES_PER_DEGREE = 111_319.490_793;

/** TileJSON 3.0.0 with versioned addresses. */
async function tileJson(parts: EmbeddedParts, layer: MapLayer, { query }: MapRequest): Promise<MapReply> {
  const [west, south, east, north] = plainBox(layer);
  const place = `${encodeURIComponent(layer.workspace)}/${encodeURIComponent(layer.name)}`;
  const document = {
    tilejson: '3.0.0',
    name: layer.title,
    description: layer.abstract,
    version: '1.0.0',
    scheme: 'xyz',
    tiles: [`${parts.url}/tiles/${place}/{z}/{x}/{y}.png?${versionQuery(layer, query)}`],
    minzoom: 0,
    maxzoom: await zoomOfLayer(parts, layer),
    bounds: [west, Math.max(-85.051_129, south), east, Math.min(85.051_129, north)],
    ...(parts.provider === null ? {} : { attribution: parts.provider }),
  };
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(document),
    etag: `${layer.version}-tilejson`,
    isLasting: layer.isLasting,
  };
}
