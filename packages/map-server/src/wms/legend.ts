import type { Rgba } from '@headwater/core';
import type { Protocol } from '../parts.ts';
import { findLayer } from '../protocol/find-layer.ts';
import { refuseParameters } from '../protocol/map-parameters.ts';
import { ogcError } from '../protocol/ogc-error.ts';
import type { LayerStyle, StyleSymbol } from '../styles/style-model.ts';
import { checkStyles } from './map-request.ts';

/** Formats of legends. */
export const LEGEND_FORMATS = ['application/json'] as const;

/** The legend of a layer in GeoServer's JSON form. */
export const legendGraphic: Protocol = async (parts, request) => {
  const { query } = request;
  refuseParameters(query, ['sld', 'sld_body']);
  const format = (query['format'] ?? 'application/json').toLowerCase();
  const layer = await findLayer(parts, request, {
    parameter: 'layer',
    name: query['layer'] ?? '',
    code: 'LayerNotDefined',
  });
  checkStyles([layer], query['style']);
  if (!LEGEND_FORMATS.some((each) => each === format))
    throw ogcError(
      'InvalidFormat',
      'format',
      `format: ${JSON.stringify(format.slice(0, 60))} is not offered; send application/json`,
    );
  const style = await parts.styles.of(layer);
  const legend = { layerName: layer.name, title: style?.title ?? layer.title, rules: rulesOf(style) };
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ Legend: [legend] }),
    etag: `${layer.version}-legend`,
    isLasting: layer.isLasting,
  };
};

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
