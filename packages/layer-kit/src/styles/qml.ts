import { element, type Xml, xmlDocument } from '@headwater/core/xml';
import { ascending } from './ramp.ts';
import { rgb, type StyleClass } from './ramp.ts';
import { isPlain, NO_CLASS, NO_VALUE, stepLabel, type VectorShape, type VectorStyle } from './vector-style.ts';

const DOCTYPE = "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n";
const QGIS_VERSION = '3.28.0';

/** QGIS style (QML) of a paletted raster. */
export function rasterQml(classes: readonly StyleClass[]): string {
  const entries = classes.map((c) =>
    element('paletteEntry', { value: c.value, label: c.label, color: c.color, alpha: c.alpha }),
  );
  const attributes = { type: 'paletted', band: 1, opacity: 1, alphaBand: -1, nodataColor: '' };
  return rasterPipe(attributes, element('colorPalette', {}, ...entries));
}

/** QGIS style (QML) of a raster of measured values, with interpolated colours. */
export function rampQml(stops: readonly StyleClass[]): string {
  const { sorted, first, last } = ascending(stops);
  const items = sorted.map(({ value, label, color, alpha }) => element('item', { value, label, color, alpha }));
  const [minimumValue, maximumValue] = [first.value, last.value];
  const shader = { colorRampType: 'INTERPOLATED', classificationMode: 1, clip: 0, minimumValue, maximumValue };
  const attributes = { type: 'singlebandpseudocolor', band: 1, opacity: 1, alphaBand: -1, nodataColor: '' };
  return rasterPipe(
    { ...attributes, classificationMin: minimumValue, classificationMax: maximumValue },
    element('rastershader', {}, element('colorrampshader', shader, ...items)),
  );
}

function rasterPipe(attributes: Readonly<Record<string, string | number>>, colors: Xml): string {
  return qgis(
    element(
      'pipe',
      {},
      element('rasterrenderer', attributes, element('rasterTransparency'), colors),
      element('brightnesscontrast', { brightness: 0, contrast: 0 }),
      element('rasterresampler', { maxOversampling: 2 }),
    ),
  );
}

/** QGIS style (QML) of features: graduated by one attribute, by the largest of several columns, or plain. */
export function vectorQml(style: VectorStyle): string {
  const { colors, geometry = 'polygon', largestOf } = style;
  const { unknown } = style;
  const rest = largestOf === undefined ? unknown : { color: NO_VALUE, label: NO_CLASS };
  const drawn = rest === undefined ? colors : [...colors, rest.color];
  const symbols = drawn.map((color, i) => symbolOf(i, color, geometry));
  const order = { symbollevels: 0, enableorderby: 0 };
  if (isPlain(style))
    return qgis(element('renderer-v2', { type: 'singleSymbol', ...order }, element('symbols', {}, ...symbols)));
  // Graduated symbols of QGIS cannot draw features without a value, so a rule-based renderer is written.
  if (rest !== undefined) {
    const rules = colors.map((_, i) => {
      const filter = largestOf === undefined ? stepExpression(style, i) : largestExpression(largestOf, i);
      return element('rule', { key: i, symbol: i, label: stepLabel(style, i), filter });
    });
    const other = element('rule', { key: colors.length, symbol: colors.length, label: rest.label, filter: 'ELSE' });
    const content = [element('rules', { key: 'rules' }, ...rules, other), element('symbols', {}, ...symbols)];
    return qgis(element('renderer-v2', { type: 'RuleRenderer', ...order }, ...content));
  }
  const ranges = style.colors.map((_, i) => {
    const [lower, upper] = [style.limits[i] ?? 0, style.limits[i + 1] ?? 0];
    return element('range', { lower, upper, symbol: i, label: stepLabel(style, i), render: 'true' });
  });
  const renderer = element(
    'renderer-v2',
    {
      type: 'graduatedSymbol',
      attr: quoted(style.attribute),
      graduatedMethod: 'GraduatedColor',
      ...order,
    },
    element('ranges', {}, ...ranges),
    element('symbols', {}, ...symbols),
  );
  return qgis(renderer);
}

const quoted = (column: string): string => `"${column.replaceAll('"', '""')}"`;

function stepExpression({ attribute, limits, colors }: VectorStyle, index: number): string {
  const end = index === colors.length - 1 ? '<=' : '<';
  return `${quoted(attribute)} >= ${limits[index] ?? 0} AND ${quoted(attribute)} ${end} ${limits[index + 1] ?? 0}`;
}

/**
 * Expression that selects features whose largest column is the column at `index`. Of equally large columns, the first
 * counts. A null counts as 0, as in `featureColor`.
 */
function largestExpression(columns: readonly string[], index: number): string {
  const own = quoted(columns[index] ?? '');
  const others = columns.flatMap((column, at) =>
    at === index ? [] : [`${own} ${at < index ? '>' : '>='} coalesce(${quoted(column)}, 0)`],
  );
  return [`${own} > 0`, ...others].join(' AND ');
}

/** For each shape: type of the symbol, and class and properties of its symbol layer. */
const SYMBOLS: Readonly<
  Record<
    VectorShape,
    readonly [type: string, drawing: string, options: (color: string) => Readonly<Record<string, string>>]
  >
> = {
  polygon: ['fill', 'SimpleFill', (color) => ({ color, ...OUTLINE, style: 'solid' })],
  point: ['marker', 'SimpleMarker', (color) => ({ color, ...OUTLINE, name: 'circle', size: '9', size_unit: 'Pixel' })],
  line: [
    'line',
    'SimpleLine',
    (color) => ({ line_color: color, line_style: 'solid', line_width: '1.5', line_width_unit: 'Pixel' }),
  ],
};
/** Outline of polygons and points, 1 px wide as in the SLD style. */
const OUTLINE = {
  outline_color: '35,35,35,255',
  outline_style: 'solid',
  outline_width: '1',
  outline_width_unit: 'Pixel',
} as const;

function symbolOf(index: number, color: string, shape: VectorShape): Xml {
  const [type, drawing, options] = SYMBOLS[shape];
  const map = Object.entries(options(`${rgb(color).join(',')},255`)).map(([name, value]) =>
    element('Option', { name, type: 'QString', value }),
  );
  const layer = element(
    'layer',
    { class: drawing, enabled: 1, locked: 0, pass: 0 },
    element('Option', { type: 'Map' }, ...map),
  );
  return element('symbol', { name: index, type, alpha: 1, clip_to_extent: 1 }, layer);
}

const qgis = (content: Xml): string =>
  xmlDocument(element('qgis', { version: QGIS_VERSION, styleCategories: 'AllStyleCategories' }, content), DOCTYPE);
