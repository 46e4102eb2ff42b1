import { element, type Xml, xmlDocument } from '../xml.ts';
import { ascending } from './ramp.ts';
import { rgb, type StyleClass } from './style-class.ts';
import { stepLabel, type VectorStyle } from './vector-style.ts';

const DOCTYPE = "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n";
const QGIS_VERSION = '3.28.0';

/** QGIS style (QML) of a paletted single-band raster. */
export function rasterQml(classes: readonly StyleClass[]): string {
  const entries = classes.map((c) =>
    element('paletteEntry', { value: c.value, label: c.label, color: c.color, alpha: c.alpha }),
  );
  const attributes = { type: 'paletted', band: 1, opacity: 1, alphaBand: -1, nodataColor: '' };
  return rasterPipe(attributes, element('colorPalette', {}, ...entries));
}

/** QGIS style (QML) of a single-band raster of measured values: colours interpolated between stops, of which it has one or more. */
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

/** QGIS style (QML) of polygons or points, graduated by one attribute. */
export function vectorQml(style: VectorStyle): string {
  const ranges = style.colors.map((_, i) => {
    const [lower, upper] = [style.limits[i] ?? 0, style.limits[i + 1] ?? 0];
    return element('range', { lower, upper, symbol: i, label: stepLabel(style, i), render: 'true' });
  });
  const symbols = style.colors.map((color, i) => symbolOf(i, color, style.geometry ?? 'polygon'));
  const renderer = element(
    'renderer-v2',
    {
      type: 'graduatedSymbol',
      attr: `"${style.attribute.replaceAll('"', '""')}"`,
      graduatedMethod: 'GraduatedColor',
      symbollevels: 0,
      enableorderby: 0,
    },
    element('ranges', {}, ...ranges),
    element('symbols', {}, ...symbols),
  );
  return qgis(renderer);
}

function symbolOf(index: number, color: string, geometry: 'polygon' | 'point'): Xml {
  const options: Readonly<Record<string, string>> = {
    color: `${rgb(color).join(',')},255`,
    outline_color: '35,35,35,255',
    outline_style: 'solid',
    outline_width: '0.26',
    outline_width_unit: 'MM',
    ...(geometry === 'polygon' ? { style: 'solid' } : { name: 'circle', size: '2.4', size_unit: 'MM' }),
  };
  const map = Object.entries(options).map(([name, value]) => element('Option', { name, type: 'QString', value }));
  const [type, drawing] = geometry === 'polygon' ? ['fill', 'SimpleFill'] : ['marker', 'SimpleMarker'];
  const layer = element(
    'layer',
    { class: drawing, enabled: 1, locked: 0, pass: 0 },
    element('Option', { type: 'Map' }, ...map),
  );
  return element('symbol', { name: index, type, alpha: 1, clip_to_extent: 1 }, layer);
}

const qgis = (content: Xml): string =>
  xmlDocument(element('qgis', { version: QGIS_VERSION, styleCategories: 'AllStyleCategories' }, content), DOCTYPE);
