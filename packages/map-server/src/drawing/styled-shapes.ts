import type { Rgba } from '@headwater/core';
import { isDomainError } from '@headwater/core/errors';
import type { MapColumn } from '@headwater/core/ports';
import { predicateOf } from '../features/feature-filter.ts';
import type { FeatureTable, MapFeature } from '../features/feature-table.ts';
import { filterOf } from '../features/fes.ts';
import { readCrs } from '../protocol/crs.ts';
import type { LayerStyle, Stroke, StyleRule, StyleSymbol, TextSymbol } from '../styles/style-model.ts';
import type { Shape, Stroke as DrawnStroke, Symbol } from './draw-shapes.ts';
import type { LegendEntry } from './legend.ts';

type Test = (feature: MapFeature) => boolean;

/** Test of a rule's filter. An invalid filter, such as one with an unknown column, selects nothing. */
function testOf({ filter }: StyleRule, columns: readonly MapColumn[]): Test {
  if (filter === null) return () => true;
  const context = {
    columns,
    geometryName: 'geom',
    crs: LON_LAT,
    parameter: 'style',
    fromXmlName: (name: string) => name,
  };
  try {
    return predicateOf(filterOf(filter, context), 'style');
  } catch (error) {
    if (isDomainError(error)) return () => false;
    throw error;
  }
}

const LON_LAT = readCrs('EPSG:4326', 'style');

/** Rules at a scale (denominator); all rules if `scale` is undefined. */
const rulesAt = ({ rules }: LayerStyle, scale: number | undefined): readonly StyleRule[] =>
  scale === undefined ? rules : rules.filter(({ minScale, maxScale }) => scale >= minScale && scale < maxScale);

/**
 * Yields the shapes of features in drawing order of SLD: rule by rule, then feature by feature. Yields null for a
 * feature that is not selected or has no geometry, so that the caller can pause. `scale`: denominator.
 */
export function* styledShapes(
  { features, columns }: Pick<FeatureTable, 'features' | 'columns'>,
  style: LayerStyle,
  scale?: number,
): Generator<Shape | null> {
  const rules = rulesAt(style, scale).map((rule) => ({ rule, test: testOf(rule, columns) }));
  const selecting = rules.filter(({ rule }) => !rule.isElse);
  const isOther: Test = (feature) => !selecting.some(({ test }) => test(feature));
  for (const { rule, test } of rules) {
    const isSelected = rule.isElse ? isOther : test;
    for (const feature of features) {
      const { geometry } = feature;
      if (geometry === null || !isSelected(feature)) {
        yield null;
        continue;
      }
      for (const symbol of rule.symbols) {
        const drawn = drawnSymbol(symbol, feature);
        if (drawn !== undefined) yield { geometry, symbol: drawn };
      }
    }
  }
}

/** Rows of a legend: entries of a raster's colour map, or rules of a vector style. */
export function legendEntries(style: LayerStyle, scale?: number): readonly LegendEntry[] {
  return rulesAt(style, scale).flatMap((rule) => {
    const raster = rule.symbols.find((symbol) => symbol.kind === 'raster');
    if (raster !== undefined)
      return (raster.colors?.entries ?? []).map(({ color, label, value }) => ({
        label: label === '' ? String(value) : label,
        symbol: { fill: cssColor(color), stroke: { color: '#00000040', width: 1 } },
      }));
    return rule.symbols.flatMap((symbol): readonly LegendEntry[] => {
      if (symbol.kind === 'text' || symbol.kind === 'raster') return [];
      const drawn = drawnSymbol(symbol, undefined);
      return drawn === undefined
        ? []
        : [{ label: rule.title === '' ? style.title : rule.title, kind: symbol.kind, symbol: drawn }];
    });
  });
}

function drawnSymbol(symbol: StyleSymbol, feature: MapFeature | undefined): Symbol | undefined {
  switch (symbol.kind) {
    case 'raster':
      return undefined;
    case 'polygon':
      return { ...filled(symbol.fill), ...stroked(symbol.stroke) };
    case 'line':
      return stroked(symbol.stroke);
    case 'point':
      return { ...filled(symbol.fill), ...stroked(symbol.stroke), mark: { shape: symbol.shape, size: symbol.size } };
    case 'text':
      return { label: labelOf(symbol, feature) };
    default:
      return undefined;
  }
}

const filled = (fill: Rgba | null): Pick<Symbol, 'fill'> => (fill === null ? {} : { fill: cssColor(fill) });

const stroked = (stroke: Stroke | null): Pick<Symbol, 'stroke'> =>
  stroke === null ? {} : { stroke: drawnStroke(stroke) };

const drawnStroke = ({ color, width, dashes }: Stroke): DrawnStroke => ({ color: cssColor(color), width, dashes });

function labelOf(
  { label, font, color, halo }: TextSymbol,
  feature: MapFeature | undefined,
): NonNullable<Symbol['label']> {
  const text = label.map((part) => ('text' in part ? part.text : textOf(feature?.properties[part.property]))).join('');
  return { text, size: font.size, color: cssColor(color), ...(halo === null ? {} : { halo: cssColor(halo.color) }) };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** CSS colour; channels 0 to 255. */
export const cssColor = ([red, green, blue, alpha]: Rgba): string =>
  `rgba(${red}, ${green}, ${blue}, ${Number((alpha / 255).toFixed(4))})`;
