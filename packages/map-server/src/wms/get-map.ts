import type { Rgba } from '@headwater/core';
import type { MapLayer, MapPicture, MapRequest } from '@headwater/core/ports';
import { compose, drawLayer, inTurn } from '../drawing/drawing.ts';
import type { EmbeddedParts, Protocol } from '../parts.ts';
import { MAP_LIMITS } from '../protocol/map-parameters.ts';
import { ogcError } from '../protocol/ogc-error.ts';
import { checkStyles, gridOfMap, layersOf } from './map-request.ts';

/** Names of the format of maps; the palette has at most 256 colours in all of them. */
const FORMATS: ReadonlySet<string> = new Set([
  'image/png',
  'image/png8',
  'image/png; mode=8bit',
  'image/png;mode=8bit',
]);

/** A map of raster layers as PNG. */
export const getMap: Protocol = async (parts, request) => {
  const { query } = request;
  const format = query['format'] ?? 'image/png';
  if (!FORMATS.has(format.toLowerCase()))
    throw ogcError(
      'InvalidFormat',
      'format',
      `format: ${JSON.stringify(format.slice(0, 60))} is not offered; send image/png`,
    );
  const grid = gridOfMap(query);
  const layers = await layersOf(parts, request, 'layers');
  checkStyles(layers, query['styles']);
  const background = isTransparent(query) ? null : colorOf(query['bgcolor']);
  if (layers.length * grid.cols * grid.rows > MAP_LIMITS.pixels)
    throw ogcError(
      'InvalidParameterValue',
      'width',
      `width: ${layers.length} layers of ${grid.cols} x ${grid.rows} pixels are more than ${MAP_LIMITS.pixels} pixels; request a smaller map or fewer layers`,
    );
  const body = await inTurn(parts, grid.cols * grid.rows, async () => {
    const pictures: MapPicture[] = [];
    for (const layer of layers) {
      request.signal.throwIfAborted();
      pictures.push(await drawLayer(parts, layer, grid));
    }
    return await picturePng(parts, compose(pictures, background));
  });
  const [only, ...others] = layers;
  return {
    status: 200,
    headers: { 'content-type': 'image/png' },
    body,
    ...(only === undefined || others.length > 0 ? {} : { etag: mapTag(only, request), isLasting: only.isLasting }),
  };
};

/** Encodes a picture. */
export async function picturePng({ pixels }: Pick<EmbeddedParts, 'pixels'>, picture: MapPicture): Promise<Uint8Array> {
  if (pixels === undefined) throw new Error('a picture without a pixel engine');
  return await pixels.png(picture);
}

/** ETag of a map: the version of its layer and the parameters that change the picture. */
function mapTag({ version }: MapLayer, { query }: MapRequest): string {
  const names = ['version', 'crs', 'srs', 'bbox', 'width', 'height', 'transparent', 'bgcolor'];
  const parameters = names.map((name) => (query[name] ?? '').replaceAll(/[^\w.,:#-]/g, '')).join('_');
  return `${version}-${parameters}`.slice(0, 200);
}

function isTransparent({ transparent = 'false' }: MapRequest['query']): boolean {
  const text = transparent.toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw ogcError('InvalidParameterValue', 'transparent', 'transparent: send TRUE or FALSE');
}

function colorOf(text = '0xFFFFFF'): Rgba {
  const [, digits] = /^(?:0x|#)([0-9a-f]{6})$/i.exec(text) ?? [];
  if (digits === undefined)
    throw ogcError(
      'InvalidParameterValue',
      'bgcolor',
      `bgcolor: ${JSON.stringify(text.slice(0, 20))} is not a colour; send 0xRRGGBB`,
    );
  const value = Number.parseInt(digits, 16);
  return [value >> 16, (value >> 8) & 255, value & 255, 255];
}
