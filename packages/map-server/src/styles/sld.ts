import type { Rgba } from '@headwater/core';
import { childOf, childrenOf, readXml, type XmlElement } from '../protocol/read-xml.ts';
import type {
  ColorEntry,
  ColorMap,
  LayerStyle,
  PointSymbol,
  Stroke,
  StyleRule,
  StyleSymbol,
  TextSymbol,
} from './style-model.ts';

/**
 * Reads the first style of an SLD 1.0 or 1.1 document. Addresses are never fetched. Throws an Error with the reason if
 * the document cannot be read. geostyler-sld-parser is not used: it converts the text `0012` to 12, and drops
 * `ElseFilter`.
 */
export function readSld(text: string): LayerStyle {
  const document = readXml(text);
  if (document.name !== 'StyledLayerDescriptor') throw new Error(`${document.name}: it is not a StyledLayerDescriptor`);
  const layer = childOf(document, 'NamedLayer') ?? childOf(document, 'UserLayer');
  const style = childOf(layer, 'UserStyle');
  if (style === undefined) throw new Error('StyledLayerDescriptor: it has no UserStyle');
  const rules = childrenOf(style, 'FeatureTypeStyle').flatMap((each) => childrenOf(each, 'Rule').map(ruleOf));
  return { title: titleOf(style), rules };
}

/** Title of a style or rule. In SLD 1.1, the title is in `Description`. Without a title, the name is used. */
const titleOf = (element: XmlElement): string =>
  (childOf(element, 'Title') ?? childOf(childOf(element, 'Description'), 'Title') ?? childOf(element, 'Name'))?.text ??
  '';

function ruleOf(rule: XmlElement): StyleRule {
  return {
    title: titleOf(rule),
    filter: childOf(rule, 'Filter') ?? null,
    isElse: childOf(rule, 'ElseFilter') !== undefined,
    minScale: numberIn(rule, 'MinScaleDenominator', 0),
    maxScale: numberIn(rule, 'MaxScaleDenominator', Infinity),
    symbols: rule.children.flatMap(symbolsOf),
  };
}

function symbolsOf(element: XmlElement): readonly StyleSymbol[] {
  switch (element.name) {
    case 'RasterSymbolizer': {
      const colors = colorMapOf(childOf(element, 'ColorMap'));
      return [{ kind: 'raster', opacity: numberIn(element, 'Opacity', 1), colors }];
    }
    case 'PolygonSymbolizer': {
      const [fill, stroke] = [fillOf(childOf(element, 'Fill')), strokeOf(childOf(element, 'Stroke'))];
      return [{ kind: 'polygon', fill, stroke }];
    }
    case 'LineSymbolizer':
      return [{ kind: 'line', stroke: strokeOf(childOf(element, 'Stroke')) ?? DEFAULT_STROKE }];
    case 'PointSymbolizer':
      return [pointOf(element)];
    case 'TextSymbolizer':
      return [textOf(element)];
    default:
      return [];
  }
}

const MAP_TYPES = ['values', 'intervals', 'ramp'] as const satisfies readonly ColorMap['type'][];

function colorMapOf(map: XmlElement | undefined): ColorMap | null {
  if (map === undefined) return null;
  const type = MAP_TYPES.find((each) => each === (map.attributes['type'] ?? 'ramp'));
  if (type === undefined) throw new Error(`ColorMap: the type "${map.attributes['type']}" is not supported`);
  const entries = childrenOf(map, 'ColorMapEntry').map((entry): ColorEntry => {
    const { color = '', quantity = '', label = '', opacity = '1' } = entry.attributes;
    return { value: finite(quantity, 'quantity'), color: colorOf(color, finite(opacity, 'opacity')), label };
  });
  return { type, entries: entries.toSorted((a, b) => a.value - b.value) };
}

const GREY: Rgba = [128, 128, 128, 255];
const BLACK: Rgba = [0, 0, 0, 255];
const DEFAULT_STROKE: Stroke = { color: BLACK, width: 1, dashes: [] };

function fillOf(fill: XmlElement | undefined): Rgba | null {
  if (fill === undefined) return null;
  return colorOf(css(fill, 'fill') ?? '#808080', finite(css(fill, 'fill-opacity') ?? '1', 'fill-opacity'));
}

function strokeOf(stroke: XmlElement | undefined): Stroke | null {
  if (stroke === undefined) return null;
  const dashes = (css(stroke, 'stroke-dasharray') ?? '').split(/[\s,]+/).filter((part) => part !== '');
  return {
    color: colorOf(css(stroke, 'stroke') ?? '#000000', finite(css(stroke, 'stroke-opacity') ?? '1', 'stroke-opacity')),
    width: finite(css(stroke, 'stroke-width') ?? '1', 'stroke-width'),
    dashes: dashes.map((part) => finite(part, 'stroke-dasharray')),
  };
}

const SHAPES: ReadonlySet<string> = new Set(['circle', 'square', 'triangle', 'star', 'cross', 'x']);
const isShape = (name: string): name is PointSymbol['shape'] => SHAPES.has(name);

/** Symbol of points. An external picture becomes a square, because pictures are not fetched. */
function pointOf(element: XmlElement): PointSymbol {
  const graphic = childOf(element, 'Graphic');
  const mark = childOf(graphic, 'Mark');
  const shape = childOf(mark, 'WellKnownName')?.text ?? 'square';
  const size = graphic === undefined ? 6 : numberIn(graphic, 'Size', 6);
  if (mark === undefined) return { kind: 'point', shape: 'square', size, fill: GREY, stroke: null };
  return {
    kind: 'point',
    shape: isShape(shape) ? shape : 'square',
    size,
    fill: fillOf(childOf(mark, 'Fill')),
    stroke: strokeOf(childOf(mark, 'Stroke')),
  };
}

function textOf(element: XmlElement): TextSymbol {
  const [font, halo] = [childOf(element, 'Font'), childOf(element, 'Halo')];
  return {
    kind: 'text',
    label: labelOf(childOf(element, 'Label')),
    font: {
      family: css(font, 'font-family') ?? 'sans-serif',
      size: finite(css(font, 'font-size') ?? '10', 'font-size'),
      isBold: css(font, 'font-weight') === 'bold',
      isItalic: css(font, 'font-style') === 'italic',
    },
    color: fillOf(childOf(element, 'Fill')) ?? BLACK,
    halo:
      halo === undefined
        ? null
        : { color: fillOf(childOf(halo, 'Fill')) ?? [255, 255, 255, 255], radius: numberIn(halo, 'Radius', 1) },
  };
}

function labelOf(label: XmlElement | undefined): TextSymbol['label'] {
  if (label === undefined) throw new Error('TextSymbolizer: it has no Label');
  const parts = label.children.map(({ name, text }) => (name === 'PropertyName' ? { property: text } : { text }));
  return label.text === '' ? parts : [{ text: label.text }, ...parts];
}

/** Value of a CSS parameter, such as `stroke-width`. The value may be in `ogc:Literal`. */
function css(element: XmlElement | undefined, name: string): string | undefined {
  const found = element?.children.find(
    (child) => (child.name === 'CssParameter' || child.name === 'SvgParameter') && child.attributes['name'] === name,
  );
  return childOf(found, 'Literal')?.text ?? found?.text;
}

function numberIn(element: XmlElement, name: string, missing: number): number {
  const child = childOf(element, name);
  const text = childOf(child, 'Literal')?.text ?? child?.text;
  return text === undefined || text === '' ? missing : finite(text, name);
}

function finite(text: string, name: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new Error(`${name}: "${text.slice(0, 40)}" is not a number`);
}

function colorOf(text: string, opacity: number): Rgba {
  if (!/^#[0-9a-f]{6}$/i.test(text)) throw new Error(`color: "${text.slice(0, 40)}" is not a colour such as #1f78b4`);
  const value = Number.parseInt(text.slice(1), 16);
  const alpha = Math.round(255 * Math.min(1, Math.max(0, opacity)));
  return [value >> 16, (value >> 8) & 255, value & 255, alpha];
}
