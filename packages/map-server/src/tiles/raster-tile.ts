import type { MapLayer, MapReply, MapRequest } from '@headwater/core/ports';
import { drawLayer } from '../drawing/drawing.ts';
import type { EmbeddedParts } from '../parts.ts';
import { ogcError } from '../protocol/ogc-error.ts';
import { encodeMap, type PictureFormat } from '../drawing/canvas.ts';
import { type Tile, TILE, tileGrid } from './matrix.ts';

/** Version of the drawing. Increase the version if tiles change, so that caches request new tiles. */
const DRAWING = 2;

/** Side of a tile, pixels: parameter `size` (256 or 512), doubled for dense screens. */
export function sideOf({ size }: MapRequest['query'], isDense: boolean): number {
  if (size !== undefined && size !== '256' && size !== '512')
    throw ogcError(
      'InvalidParameterValue',
      'size',
      `size: ${JSON.stringify(size.slice(0, 20))} is not offered; send 256 or 512`,
    );
  return (size === undefined ? TILE : Number(size)) * (isDense ? 2 : 1);
}

interface RasterTile {
  readonly layer: MapLayer;
  readonly tile: Tile;
  readonly side: number;
  readonly format: PictureFormat;
}

/**
 * Draws a tile of a layer. Caches may keep the response (`isLasting`) if the address names a run, or the newest version
 * (`v`). For an older `v`, the newest version is sent.
 */
export async function rasterTile(
  parts: EmbeddedParts,
  { layer, tile, side, format }: RasterTile,
  { query, headers, signal }: MapRequest,
): Promise<MapReply> {
  const etag = `${layer.version}-${DRAWING}-${side}${format.replace('image/', '-')}`;
  const isLasting = layer.isLasting || query['v'] === layer.version;
  const known = headers['if-none-match'];
  // A client that has the tile gets status 304.
  if (typeof known === 'string' && known.includes(`"${etag}"`))
    return { status: 304, headers: { etag: `"${etag}"` }, body: undefined, etag, isLasting };
  const turn = parts.turns(signal);
  const picture = await drawLayer(parts, layer, { grid: tileGrid(tile, side), turn });
  return {
    status: 200,
    headers: { 'content-type': format },
    body: await encodeMap(picture, { pixels: parts.pixels, format, turn }),
    etag,
    isLasting,
  };
}
