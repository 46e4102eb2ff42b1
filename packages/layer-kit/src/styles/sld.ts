import { element, type Xml, xmlDocument, xmlText } from '@headwater/core/xml';
import { ascending } from './ramp.ts';
import type { StyleClass } from './ramp.ts';
import { isPlain, stepLabel, type VectorShape, type VectorStyle } from './vector-style.ts';

const NAMESPACES = {
  version: '1.0.0',
  xmlns: 'http://www.opengis.net/sld',
  'xmlns:ogc': 'http://www.opengis.net/ogc',
  'xmlns:xlink': 'http://www.w3.org/1999/xlink',
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
  'xsi:schemaLocation': 'http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd',
};

/** SLD 1.0 of a categorical raster: a colour map of exact values. `layer` is the name of the layer. */
export function rasterSld(layer: string, title: string, classes: readonly StyleClass[]): string {
  return colorMapSld(layer, title, { type: 'values', classes });
}

/** SLD 1.0 of a raster of measured values; colours are interpolated between the stops. */
export function rampSld(layer: string, title: string, stops: readonly StyleClass[]): string {
  return colorMapSld(layer, title, { type: 'ramp', classes: ascending(stops).sorted });
}

function colorMapSld(
  layer: string,
  title: string,
  { type, classes }: { readonly type: 'values' | 'ramp'; readonly classes: readonly StyleClass[] },
): string {
  const entries = classes.map((c) =>
    element('ColorMapEntry', {
      color: c.color,
      quantity: c.value,
      label: c.label,
      opacity: Number((c.alpha / 255).toFixed(3)),
    }),
  );
  const symbolizer = element(
    'RasterSymbolizer',
    {},
    element('Opacity', {}, xmlText(1)),
    element('ColorMap', { type }, ...entries),
  );
  return sld(layer, title, [element('Rule', {}, symbolizer)]);
}

/** SLD 1.0 of polygons, points or lines: graduated by one attribute, or in one colour. `layer` is the name of the layer. */
export function vectorSld(layer: string, style: VectorStyle): string {
  const symbolizer = SYMBOLIZERS[style.geometry ?? 'polygon'];
  if (isPlain(style))
    return sld(
      layer,
      style.title,
      style.colors.map((color) => element('Rule', {}, symbolizer(color))),
    );
  const rules = style.colors.map((color, i) => {
    const [lower, upper] = [style.limits[i] ?? 0, style.limits[i + 1] ?? 0];
    const last = i === style.colors.length - 1;
    const filter = element(
      'ogc:Filter',
      {},
      element(
        'ogc:And',
        {},
        compare('ogc:PropertyIsGreaterThanOrEqualTo', style.attribute, lower),
        compare(last ? 'ogc:PropertyIsLessThanOrEqualTo' : 'ogc:PropertyIsLessThan', style.attribute, upper),
      ),
    );
    const title = element('Title', {}, xmlText(stepLabel(style, i)));
    return element('Rule', {}, title, filter, symbolizer(color));
  });
  return sld(layer, style.title, rules);
}

const paint = (color: string): readonly Xml[] => [
  element('Fill', {}, css('fill', color)),
  element('Stroke', {}, css('stroke', '#232323'), css('stroke-width', '0.5')),
];

/** Symbol of a point: a circle of 9 px. */
const circle = (color: string): Xml =>
  element(
    'PointSymbolizer',
    {},
    element(
      'Graphic',
      {},
      element('Mark', {}, element('WellKnownName', {}, xmlText('circle')), ...paint(color)),
      element('Size', {}, xmlText(9)),
    ),
  );

const SYMBOLIZERS: Readonly<Record<VectorShape, (color: string) => Xml>> = {
  polygon: (color) => element('PolygonSymbolizer', {}, ...paint(color)),
  point: circle,
  line: (color) =>
    element('LineSymbolizer', {}, element('Stroke', {}, css('stroke', color), css('stroke-width', '1.5'))),
};

const css = (name: string, value: string): Xml => element('CssParameter', { name }, xmlText(value));

const compare = (operator: string, attribute: string, value: number): Xml =>
  element(
    operator,
    {},
    element('ogc:PropertyName', {}, xmlText(attribute)),
    element('ogc:Literal', {}, xmlText(value)),
  );

function sld(layer: string, title: string, rules: readonly Xml[]): string {
  const style = element(
    'UserStyle',
    {},
    element('Title', {}, xmlText(title)),
    element('FeatureTypeStyle', {}, ...rules),
  );
  return xmlDocument(
    element('StyledLayerDescriptor', NAMESPACES, element('NamedLayer', {}, element('Name', {}, xmlText(layer)), style)),
  );
}
