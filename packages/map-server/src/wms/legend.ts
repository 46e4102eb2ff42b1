import type { Rgba } from '@headwater/core';
import type { MapLayer, MapRequest } from '@headwater/core/ports';
import { PICTURE_FORMATS } from '../drawing/canvas.ts';
import { PLAIN } from '../drawing/draw-vector.ts';
import { type LegendContent, legendLayout, legendPicture, type LegendSize } from '../drawing/legend.ts';
import { legendEntries } from '../drawing/styled-shapes.ts';
import type { EmbeddedParts, Protocol } from '../parts.ts';
import { findLayer } from '../protocol/find-layer.ts';
import { refuseParameters, wholeNumber } from '../protocol/map-parameters.ts';
import type { LayerStyle, StyleSymbol } from '../styles/style-model.ts';
import { pictureFormat } from './get-map.ts';
import { checkStyles } from './map-request.ts';

/** Formats of legends. */
export const LEGEND_FORMATS: readonly string[] = [...PICTURE_FORMATS, 'application/json'];

/** GetLegendGraphic: a picture, or JSON in the format of GeoServer. */
export const legendGraphic: Protocol = async (parts, request) => {
  const { query } = request;
  refuseParameters(query, ['sld', 'sld_body']);
  const isJson = query['format']?.toLowerCase() === 'application/json';
  const format = isJson ? undefined : pictureFormat(query);
  const layer = await findLayer(parts, request, {
    parameter: 'layer',
    name: query['layer'] ?? '',
    code: 'LayerNotDefined',
  });
  checkStyles([layer], query['style']);
  const size = sizeOf(query);
  const style = await parts.styles.of(layer);
  const common = { status: 200, isLasting: layer.isLasting };
  if (format === undefined) {
    const legend = { layerName: layer.name, title: style?.title ?? layer.title, rules: rulesOf(style) };
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    return { ...common, headers, body: JSON.stringify({ Legend: [legend] }), etag: `${layer.version}-legend` };
  }
  const body = await legendPicture(contentOf(layer, style), size, format);
  const etag = `${layer.version}-legend-${size.width}x${size.height}${format.replace('image/', '-')}-${size.background ?? ''}`;
  return { ...common, headers: { 'content-type': format }, body, etag };
};

function contentOf(layer: MapLayer, style: LayerStyle | null): LegendContent {
  const entries = legendEntries(style ?? { ...PLAIN, title: layer.title });
  // The title of a vector style names the attribute and its unit. Raster classes need no title.
  return layer.kind === 'vector' && style !== null && style.title !== ''
    ? { title: style.title, entries }
    : { entries };
}

/** Sizes are cached by map server, style and version, because capabilities list the legends of all layers. */
const sizes = new WeakMap<object, Map<string, readonly [width: number, height: number]>>();
const MOST_SIZES = 20_000;

/** Width and height of a layer's default legend, pixels. */
export async function legendSizeOf(
  { styles }: Pick<EmbeddedParts, 'styles'>,
  layer: MapLayer,
): Promise<readonly [width: number, height: number]> {
  const known = sizes.get(styles) ?? new Map<string, readonly [number, number]>();
  sizes.set(styles, known);
  const key = `${layer.sldKey}|${layer.version}`;
  const hit = known.get(key);
  if (hit !== undefined) return hit;
  // A layer with an unreadable style is still listed. Its size is not cached, because the next read may succeed.
  const style = await styles.of(layer).catch(() => undefined);
  const { cols, rows } = legendLayout(contentOf(layer, style ?? null), {});
  if (style === undefined) return [cols, rows];
  if (known.size >= MOST_SIZES) known.clear();
  known.set(key, [cols, rows]);
  return [cols, rows];
}

const SYMBOL_PX = 20;
const MOST_SYMBOL_PX = 200;

function sizeOf(query: MapRequest['query']): LegendSize {
  const side = (name: 'width' | 'height'): number =>
    query[name] === undefined ? SYMBOL_PX : wholeNumber(query, name, [1, MOST_SYMBOL_PX]);
  const isTransparent = query['transparent']?.toLowerCase() === 'true';
  return { width: side('width'), height: side('height'), ...(isTransparent ? { background: 'transparent' } : {}) };
}

function rulesOf(style: LayerStyle | null): readonly object[] {
  return (style?.rules ?? []).map(({ title, symbols }) => ({
    ...(title === '' ? {} : { name: title, title }),
    symbolizers: symbols.map(symbolizerOf),
  }));
}

const hex = ([r, g, b]: Rgba): string =>
  `#${[r, g, b]
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()}`;
const share = (alpha: number): string => String(Number((alpha / 255).toFixed(3)));

function symbolizerOf(symbol: StyleSymbol): object {
  if (symbol.kind === 'raster') {
    const entries = symbol.colors?.entries.map(({ value, color, label }) => ({
      label,
      quantity: String(value),
      color: hex(color),
      ...(color[3] === 255 ? {} : { opacity: share(color[3]) }),
    }));
    const map = symbol.colors === null ? {} : { colormap: { entries, type: symbol.colors.type } };
    return { Raster: { ...map, opacity: String(symbol.opacity) } };
  }
  if (symbol.kind === 'text') return { Text: { fill: hex(symbol.color) } };
  const stroke =
    symbol.stroke === null ? {} : { stroke: hex(symbol.stroke.color), 'stroke-width': String(symbol.stroke.width) };
  if (symbol.kind === 'line') return { Line: stroke };
  const fill = symbol.fill === null ? {} : { fill: hex(symbol.fill), 'fill-opacity': share(symbol.fill[3]) };
  if (symbol.kind === 'polygon') return { Polygon: { ...fill, ...stroke } };
  return { Point: { size: String(symbol.size), graphics: [{ mark: symbol.shape, ...fill, ...stroke }] } };
}
