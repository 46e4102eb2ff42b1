import type { MapLayer, MapReply } from '@headwater/core/ports';
import { isDrawable, openLayer } from '../drawing/drawing.ts';
import type { EmbeddedParts, Protocol } from '../parts.ts';
import { ogcAbsent } from '../protocol/ogc-error.ts';
import { plainBox } from '../protocol/map-parameters.ts';
import { tileOf, zoomOf } from './matrix.ts';
import { rasterTile, sideOf } from './raster-tile.ts';

/** Tiles at `tiles/{workspace}/{layer}/{z}/{x}/{y}.png`, with `@2x` for dense screens, and TileJSON at `tiles/{workspace}/{layer}.json`. */
export const xyzTiles: Protocol = async (parts, request) => {
  const [, workspace = '', name = '', zoom = '', col = '', file = ''] = request.segments;
  if (request.segments.length === 3 && name.endsWith('.json')) {
    const layer = await layerOf(parts, { workspace, name: name.slice(0, -'.json'.length), run: request.query['run'] });
    return await tileJson(parts, layer);
  }
  const [, row = '', dense] = /^(\d+)(@2x)?\.png$/.exec(file) ?? [];
  if (request.segments.length !== 6 || row === '')
    throw ogcAbsent('NotFound', 'path', 'path: there is no such tile; use tiles/{workspace}/{layer}/{z}/{x}/{y}.png');
  const tile = tileOf(zoom, col, row);
  const layer = await layerOf(parts, { workspace, name, run: request.query['run'] });
  return await rasterTile(parts, { layer, tile, side: sideOf(request.query, dense !== undefined) }, request);
};

/** Finds the layer of tiles. Throws 404 for an unknown layer, and for one without raster tiles. */
export async function layerOf(
  parts: EmbeddedParts,
  { workspace, name, run }: { readonly workspace: string; readonly name: string; readonly run: string | undefined },
): Promise<MapLayer> {
  const layer = await parts.layers.find(workspace, name, run);
  const called = JSON.stringify(`${workspace}:${name}`.slice(0, 100));
  if (layer === undefined)
    throw ogcAbsent(
      'NotFound',
      'layer',
      `layer: no layer ${called} is published; use a name of a capabilities document`,
    );
  if (isDrawable(parts, layer)) return layer;
  throw ogcAbsent('NotFound', 'layer', `layer: ${called} has no raster tiles; request its features with WFS`);
}

/** Greatest zoom of a layer: that of its pixels. */
export async function zoomOfLayer(parts: EmbeddedParts, layer: MapLayer): Promise<number> {
  const { grid } = await openLayer(parts, layer);
  return zoomOf(grid.crs === 'EPSG:4326' ? grid.pixelWidth * METRES_PER_DEGREE : grid.pixelWidth);
}

const METRES_PER_DEGREE = 111_319.490_793;

/** TileJSON 3.0.0 with the versioned address of the tiles. */
async function tileJson(parts: EmbeddedParts, layer: MapLayer): Promise<MapReply> {
  const [west, south, east, north] = plainBox(layer);
  const place = `${encodeURIComponent(layer.workspace)}/${encodeURIComponent(layer.name)}`;
  const document = {
    tilejson: '3.0.0',
    name: layer.title,
    description: layer.abstract,
    version: '1.0.0',
    scheme: 'xyz',
    tiles: [`${parts.url}/tiles/${place}/{z}/{x}/{y}.png?v=${layer.version}`],
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
