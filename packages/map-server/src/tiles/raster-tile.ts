import type { MapLayer, MapReply, MapRequest } from '@headwater/core/ports';
import { drawLayer } from '../drawing/drawing.ts';
import type { EmbeddedParts } from '../parts.ts';
import { ogcError } from '../protocol/ogc-error.ts';
import { picturePng } from '../wms/get-map.ts';
import { type Tile, TILE, tileGrid } from './matrix.ts';

/** Changes with the drawing of tiles, so that caches get the new ones. */
const DRAWING = 1;

/** Side of a tile by the parameter `size`, 256 or 512, doubled for dense screens. */
export function sideOf({ size }: MapRequest['query'], isDense: boolean): number {
  if (size !== undefined && size !== '256' && size !== '512')
    throw ogcError(
      'InvalidParameterValue',
      'size',
      `size: ${JSON.stringify(size.slice(0, 20))} is not offered; send 256 or 512`,
    );
  return (size === undefined ? TILE : Number(size)) * (isDense ? 2 : 1);
}

/**
 * A tile of a layer as PNG. An address is lasting if it names a run, or the version of the layer (`v`): the newest version is sent even if `v` is an
 * older one, and then checked each time.
 */
export async function rasterTile(
  parts: EmbeddedParts,
  { layer, tile, side }: { readonly layer: MapLayer; readonly tile: Tile; readonly side: number },
  { query, headers }: MapRequest,
): Promise<MapReply> {
  const etag = `${layer.version}-${DRAWING}-${side}`;
  const isLasting = layer.isLasting || query['v'] === layer.version;
  const known = headers['if-none-match'];
  // The tile is not drawn for a client that has it.
  if (typeof known === 'string' && known.includes(`"${etag}"`))
    return { status: 304, headers: { etag: `"${etag}"` }, body: undefined, etag, isLasting };
  const picture = await drawLayer(parts, layer, tileGrid(tile, side));
  return {
    status: 200,
    headers: { 'content-type': 'image/png' },
    body: await picturePng(parts, picture),
    etag,
    isLasting,
  };
}
