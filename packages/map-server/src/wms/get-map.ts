import type { Rgba } from '@headwater/core';
import type { MapLayer, MapPicture, MapRequest } from '@headwater/core/ports';
import { countOf } from '@headwater/core/values';
import { encodeMap, type PictureFormat } from '../drawing/canvas.ts';
import { compose, drawLayer, inTurn } from '../drawing/drawing.ts';
import type { Protocol } from '../parts.ts';
import { MAP_LIMITS } from '../protocol/map-parameters.ts';
import { ogcError } from '../protocol/ogc-error.ts';
import { checkStyles, gridOfMap, layersOf } from './map-request.ts';

const FORMATS: Readonly<Record<string, PictureFormat>> = {
  'image/png': 'image/png',
  'image/png8': 'image/png',
  'image/png; mode=8bit': 'image/png',
  'image/png;mode=8bit': 'image/png',
  'image/jpeg': 'image/jpeg',
  'image/jpg': 'image/jpeg',
  'image/webp': 'image/webp',
};

/** Reads the parameter `format`. Default: PNG. */
export function pictureFormat({ format = 'image/png' }: MapRequest['query']): PictureFormat {
  const name = format.toLowerCase();
  const known = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  if (known !== undefined) return known;
  throw ogcError(
    'InvalidFormat',
    'format',
    `format: ${JSON.stringify(format.slice(0, 60))} is not offered; send image/png, image/jpeg or image/webp`,
  );
}

/** GetMap: draws layers, the first at the bottom. */
export const getMap: Protocol = async (parts, request) => {
  const { query } = request;
  const format = pictureFormat(query);
  const grid = gridOfMap(query);
  const layers = await layersOf(parts, request, 'layers');
  checkStyles(layers, query['styles']);
  // JPEG has no transparency, so a JPEG always has a background.
  const background = isTransparent(query) && format !== 'image/jpeg' ? null : colorOf(query['bgcolor']);
  if (layers.length * grid.cols * grid.rows > MAP_LIMITS.pixels)
    throw ogcError(
      'InvalidParameterValue',
      'width',
      `width: a map of ${grid.cols} x ${grid.rows} pixels with ${countOf(layers.length, 'layer')} exceeds ${MAP_LIMITS.pixels} pixels; request a smaller map or fewer layers`,
    );
  const body = await inTurn(parts, grid.cols * grid.rows, async () => {
    const turn = parts.turns(request.signal);
    const pictures: MapPicture[] = [];
    for (const layer of layers) {
      request.signal.throwIfAborted();
      pictures.push(await drawLayer(parts, layer, { grid, turn }));
    }
    return await encodeMap(await compose(pictures, { background, turn }), { pixels: parts.pixels, format, turn });
  });
  const [only, ...others] = layers;
  return {
    status: 200,
    headers: { 'content-type': format },
    body,
    ...(only === undefined || others.length > 0 ? {} : { etag: mapTag(only, request), isLasting: only.isLasting }),
  };
};

/** ETag of a map with one layer: its version, and the parameters of the picture. */
function mapTag({ version }: MapLayer, { query }: MapRequest): string {
  const names = ['version', 'crs', 'srs', 'bbox', 'width', 'height', 'transparent', 'bgcolor', 'format', 'time'];
  const parameters = names.map((name) => (query[name] ?? '').replaceAll(/[^\w.,:#-]/g, '')).join('_');
  return `${version}-${parameters}`.slice(0, 200);
}

function isTransparent({ transparent = 'false' }: MapRequest['query']): boolean {
  const text = transparent.toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw ogcError(
    'InvalidParameterValue',
    'transparent',
    `transparent: ${JSON.stringify(transparent.slice(0, 20))} is neither TRUE nor FALSE; send one of them`,
  );
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
