import { element, type Xml, xmlDocument, xmlText } from '@headwater/core/xml';
import { ascending } from './ramp.ts';
import type { StyleClass } from './ramp.ts';
import { isPlain, NO_CLASS, NO_VALUE, stepLabel, type VectorShape, type VectorStyle } from './vector-style.ts';

const NAMESPACES = {
  version: '1.0.0',
  xmlns: 'http://www.opengis.net/sld',
  'xmlns:ogc': 'http://www.opengis.net/ogc',
  'xmlns:xlink': 'http://www.w3.org/1999/xlink',
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
  'xsi:schemaLocation': 'http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd',
};

/** SLD 1.0 of a categorical raster: a colour map of exact values. */
export function rasterSld(layer: string, title: string, classes: readonly StyleClass[]): string {
  return colorMapSld(layer, title, { type: 'values', classes });
}

/** SLD 1.0 of a raster of measured values, with interpolated colours. */
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

/** SLD 1.0 of features: graduated by one attribute, by the largest of several columns, or plain. */
export function vectorSld(layer: string, style: VectorStyle): string {
  const symbolizer = SYMBOLIZERS[style.geometry ?? 'polygon'];
  if (isPlain(style))
    return sld(
      layer,
      style.title,
      style.colors.map((color) => element('Rule', {}, symbolizer(color))),
    );
  const { largestOf } = style;
  const rules = style.colors.map((color, i) => {
    const conditions = largestOf === undefined ? stepConditions(style, i) : largestConditions(largestOf, i);
    const title = element('Title', {}, xmlText(stepLabel(style, i)));
    return element('Rule', {}, title, element('ogc:Filter', {}, all(conditions)), symbolizer(color));
  });
  const title = element('Title', {}, xmlText(NO_CLASS));
  // This rule draws all features, and the other rules draw over them. `ElseFilter` is not used, because QGIS ignores
  // it.
  const below = element('Rule', {}, title, symbolizer(NO_VALUE));
  if (largestOf !== undefined) return sld(layer, style.title, [below, ...rules]);
  const { unknown, attribute } = style;
  if (unknown === undefined) return sld(layer, style.title, rules);
  const name = element('Title', {}, xmlText(unknown.label));
  const last = element('Rule', {}, name, element('ogc:Filter', {}, isNull(attribute)), symbolizer(unknown.color));
  return sld(layer, style.title, [...rules, last]);
}

function stepConditions({ attribute, limits, colors }: VectorStyle, index: number): readonly Xml[] {
  const [lower, upper] = [limits[index] ?? 0, limits[index + 1] ?? 0];
  const last = index === colors.length - 1;
  return [
    compare('ogc:PropertyIsGreaterThanOrEqualTo', attribute, literal(lower)),
    compare(last ? 'ogc:PropertyIsLessThanOrEqualTo' : 'ogc:PropertyIsLessThan', attribute, literal(upper)),
  ];
}

/**
 * Conditions that select features whose largest column is the column at `index`. Of equally large columns, the first
 * counts. A null counts as 0, as in `featureColor`; a comparison with null alone would be false.
 */
function largestConditions(columns: readonly string[], index: number): readonly Xml[] {
  const own = columns[index] ?? '';
  const others = columns.flatMap((column, at) => {
    if (at === index) return [];
    const operator = at < index ? 'ogc:PropertyIsGreaterThan' : 'ogc:PropertyIsGreaterThanOrEqualTo';
    return [element('ogc:Or', {}, compare(operator, own, property(column)), isNull(column))];
  });
  return [compare('ogc:PropertyIsGreaterThan', own, literal(0)), ...others];
}

/** Joins conditions with `ogc:And`. A single condition is returned unchanged, because `ogc:And` needs at least two. */
const all = (conditions: readonly Xml[]): Xml =>
  conditions.length === 1 && conditions[0] !== undefined ? conditions[0] : element('ogc:And', {}, ...conditions);

const paint = (color: string): readonly Xml[] => [
  element('Fill', {}, css('fill', color)),
  element('Stroke', {}, css('stroke', '#232323'), css('stroke-width', '1')),
];

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

const compare = (operator: string, attribute: string, other: Xml): Xml =>
  element(operator, {}, property(attribute), other);

const isNull = (attribute: string): Xml => element('ogc:PropertyIsNull', {}, property(attribute));

const property = (name: string): Xml => element('ogc:PropertyName', {}, xmlText(name));
const literal = (value: number): Xml => element('ogc:Literal', {}, xmlText(value));

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
