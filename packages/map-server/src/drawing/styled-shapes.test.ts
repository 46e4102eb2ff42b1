import { describe, expect, test } from 'vitest';
import { createTable, type MapFeature } from '../features/feature-table.ts';
import { readXml } from '../protocol/read-xml.ts';
import type { LayerStyle, StyleRule } from '../styles/style-model.ts';
import { legendEntries, styledShapes } from './styled-shapes.ts';

const feature = (n: number, properties: MapFeature['properties']): MapFeature => ({
  id: `x.${n}`,
  geometry: { type: 'Point', coordinates: [n, 0] },
  box: [n, 0, n, 0],
  properties,
});
const FEATURES = [feature(0, { area: 5 }), feature(1, { area: 50 }), feature(2, { area: null })];

const TABLE = createTable(FEATURES);
const filterFor = (name: string, column: string) =>
  readXml(`<Filter><${name}><PropertyName>${column}</PropertyName><Literal>10</Literal></${name}></Filter>`);

const ruleOf = (changes: Partial<StyleRule>): StyleRule => ({
  title: '',
  filter: null,
  isElse: false,
  minScale: 0,
  maxScale: Infinity,
  symbols: [],
  ...changes,
});
const fill = (red: number): StyleRule['symbols'] => [{ kind: 'polygon', fill: [red, 0, 0, 255], stroke: null }];
const styleOf = (...rules: readonly StyleRule[]): LayerStyle => ({ title: 'Area', rules });
const shapesOf = (style: LayerStyle, scale?: number) =>
  [...styledShapes(TABLE, style, scale)].filter((shape) => shape !== null);
const drawnOf = (style: LayerStyle, scale?: number): readonly unknown[] =>
  shapesOf(style, scale).map(({ geometry, symbol }) => [
    geometry.type === 'Point' ? geometry.coordinates[0] : undefined,
    symbol.fill,
  ]);

describe('shapes of a style', () => {
  const small = ruleOf({ title: 'Small', filter: filterFor('PropertyIsLessThan', 'area'), symbols: fill(1) });
  const large = ruleOf({
    title: 'Large',
    filter: filterFor('PropertyIsGreaterThanOrEqualTo', 'area'),
    symbols: fill(2),
  });
  const others = ruleOf({ title: 'Unknown', isElse: true, symbols: fill(3) });

  test('each rule selects its features; the ElseFilter rule selects the features that no other rule selects', () => {
    expect(drawnOf(styleOf(small, large, others))).toEqual([
      [0, 'rgba(1, 0, 0, 1)'],
      [1, 'rgba(2, 0, 0, 1)'],
      [2, 'rgba(3, 0, 0, 1)'],
    ]);
  });

  test('a rule with a filter by a column that the layer does not have selects nothing', () => {
    expect(drawnOf(styleOf(ruleOf({ filter: filterFor('PropertyIsLessThan', 'depth'), symbols: fill(1) })))).toEqual(
      [],
    );
  });

  test('a rule may compare columns with each other', () => {
    const table = createTable([
      feature(0, { crops: 5, trees: 4 }),
      feature(1, { crops: 5, trees: 5 }),
      feature(2, { crops: 1, trees: 2 }),
      feature(3, { crops: null, trees: null }),
    ]);
    const compared = (op: string, first: string, second: string) =>
      readXml(
        `<Filter><And><PropertyIsGreaterThan><PropertyName>${first}</PropertyName><Literal>0</Literal></PropertyIsGreaterThan>` +
          `<${op}><PropertyName>${first}</PropertyName><PropertyName>${second}</PropertyName></${op}></And></Filter>`,
      );
    const style = styleOf(
      ruleOf({ filter: compared('PropertyIsGreaterThanOrEqualTo', 'crops', 'trees'), symbols: fill(1) }),
      ruleOf({ filter: compared('PropertyIsGreaterThan', 'trees', 'crops'), symbols: fill(2) }),
      ruleOf({ isElse: true, symbols: fill(3) }),
    );
    const drawn = [...styledShapes(table, style)].flatMap((shape) => (shape === null ? [] : [shape.symbol.fill]));
    expect(drawn).toEqual(['rgba(1, 0, 0, 1)', 'rgba(1, 0, 0, 1)', 'rgba(2, 0, 0, 1)', 'rgba(3, 0, 0, 1)']);
  });

  test('a rule is drawn at its smallest scale denominator, and not at its largest scale denominator', () => {
    const style = styleOf(ruleOf({ minScale: 1000, maxScale: 5000, symbols: fill(1) }));
    expect([999, 1000, 4999, 5000].map((scale) => drawnOf(style, scale).length)).toEqual([0, 3, 3, 0]);
  });

  test('labels join texts and values; a missing value is empty', () => {
    const text: StyleRule['symbols'] = [
      {
        kind: 'text',
        label: [{ text: 'A ' }, { property: 'area' }],
        font: { family: 'x', size: 12, isBold: false, isItalic: false },
        color: [0, 0, 0, 255],
        halo: null,
      },
    ];
    const labels = shapesOf(styleOf(ruleOf({ symbols: text }))).map(({ symbol }) => symbol.label?.text);
    expect(labels).toEqual(['A 5', 'A 50', 'A ']);
  });

  test('legends list rules by their titles, and the entries of a colour map by their labels', () => {
    expect(legendEntries(styleOf(small, large)).map(({ label, symbol }) => [label, symbol.fill])).toEqual([
      ['Small', 'rgba(1, 0, 0, 1)'],
      ['Large', 'rgba(2, 0, 0, 1)'],
    ]);
    const entries = [
      { value: 5, color: [0, 0, 255, 255], label: 'Water' },
      { value: 6, color: [0, 255, 0, 128], label: '' },
    ] as const;
    const raster = ruleOf({ symbols: [{ kind: 'raster', opacity: 1, colors: { type: 'values', entries } }] });
    expect(legendEntries(styleOf(raster)).map(({ label, symbol }) => [label, symbol.fill])).toEqual([
      ['Water', 'rgba(0, 0, 255, 1)'],
      ['6', 'rgba(0, 255, 0, 0.502)'],
    ]);
  });
});
