import { describe, expect, it } from 'vitest';
import { filterOf } from '../features/fes.ts';
import { readCrs } from '../protocol/crs.ts';
import { readSld } from './sld.ts';

const sld = (rules: string, root = 'StyledLayerDescriptor'): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<${root} version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
<NamedLayer><Name>l</Name><UserStyle><Title>Style &amp; title</Title><FeatureTypeStyle>${rules}</FeatureTypeStyle></UserStyle></NamedLayer>
</${root}>`;

describe('a style', () => {
  it('of a raster has values with colours, labels and opacity', () => {
    const style = readSld(
      sld(`<Rule><RasterSymbolizer><Opacity>0.5</Opacity><ColorMap type="values">
        <ColorMapEntry color="#ff00aa" quantity="2" label="0010" opacity="0.502"/>
        <ColorMapEntry color="#0000ff" quantity="1" label="water &lt;1&gt;"/></ColorMap></RasterSymbolizer></Rule>`),
    );
    const [rule] = style.rules;
    expect(style.title).toBe('Style & title');
    expect(rule).toMatchObject({ title: '', filter: null, isElse: false, minScale: 0, maxScale: Infinity });
    expect(rule?.symbols).toEqual([
      {
        kind: 'raster',
        opacity: 0.5,
        colors: {
          type: 'values',
          entries: [
            { value: 1, color: [0, 0, 255, 255], label: 'water <1>' },
            { value: 2, color: [255, 0, 170, 128], label: '0010' },
          ],
        },
      },
    ]);
  });

  it('of features has filters; texts that look like numbers stay texts', () => {
    const compare = (name: string, literal: string): string =>
      `<ogc:${name}><ogc:PropertyName>2021-07-01</ogc:PropertyName><ogc:Literal>${literal}</ogc:Literal></ogc:${name}>`;
    const { rules } = readSld(
      sld(`<Rule><Title>0010</Title><ogc:Filter><ogc:And>${compare('PropertyIsGreaterThanOrEqualTo', '0')}
        ${compare('PropertyIsLessThan', '1.5')}</ogc:And></ogc:Filter><PolygonSymbolizer><Fill>
        <CssParameter name="fill">#aabbcc</CssParameter></Fill><Stroke><CssParameter name="stroke">#232323</CssParameter>
        <CssParameter name="stroke-width">0.5</CssParameter></Stroke></PolygonSymbolizer></Rule>
        <Rule><ogc:Filter>${compare('PropertyIsEqualTo', '0012')}</ogc:Filter><LineSymbolizer><Stroke>
        <CssParameter name="stroke"><ogc:Literal>#ff0000</ogc:Literal></CssParameter></Stroke></LineSymbolizer></Rule>
        <Rule><ElseFilter/><PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName></Mark><Size>9</Size></Graphic>
        </PointSymbolizer></Rule>`),
    );
    const column = { name: '2021-07-01', type: 'number' } as const;
    const context = { geometryName: 'geom', crs: readCrs('EPSG:4326', 'style'), parameter: 'style' };
    const treeOf = (at: number, type: 'number' | 'string'): unknown => {
      const columns = [{ ...column, type }];
      const filter = rules[at]?.filter ?? null;
      return filter === null ? null : filterOf(filter, { ...context, columns, fromXmlName: (name) => name }).tree;
    };
    const property = { property: '2021-07-01' };
    expect(rules.map(({ title, isElse }) => [title, isElse])).toEqual([
      ['0010', false],
      ['', false],
      ['', true],
    ]);
    expect([treeOf(0, 'number'), treeOf(1, 'string'), treeOf(2, 'number')]).toEqual([
      {
        op: 'and',
        args: [
          { op: '>=', args: [property, 0] },
          { op: '<', args: [property, 1.5] },
        ],
      },
      { op: '=', args: [property, '0012'] },
      null,
    ]);
    expect(rules.map(({ symbols }) => symbols[0])).toEqual([
      { kind: 'polygon', fill: [170, 187, 204, 255], stroke: { color: [35, 35, 35, 255], width: 0.5, dashes: [] } },
      { kind: 'line', stroke: { color: [255, 0, 0, 255], width: 1, dashes: [] } },
      { kind: 'point', shape: 'circle', size: 9, fill: null, stroke: null },
    ]);
  });

  it('has labels of texts and properties', () => {
    const { rules } = readSld(
      sld(`<Rule><TextSymbolizer><Label>Block <ogc:PropertyName>name</ogc:PropertyName></Label><Font>
        <CssParameter name="font-size">12</CssParameter><CssParameter name="font-weight">bold</CssParameter></Font>
        <Halo><Radius>2</Radius></Halo></TextSymbolizer></Rule>`),
    );
    expect(rules[0]?.symbols).toEqual([
      {
        kind: 'text',
        label: [{ text: 'Block' }, { property: 'name' }],
        font: { family: 'sans-serif', size: 12, isBold: true, isItalic: false },
        color: [0, 0, 0, 255],
        halo: { color: [255, 255, 255, 255], radius: 2 },
      },
    ]);
  });

  it.each([
    ['a document type', `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${sld('')}`, /document type/],
    ['another document', sld('', 'qgis'), /not a StyledLayerDescriptor/],
    ['a text that is not XML', '<a><b></a>', /not XML/],
    ['an undefined entity', sld('<Rule><Title>&secret;</Title></Rule>'), /not XML/],
    [
      'a colour that is not hexadecimal',
      sld(
        '<Rule><PolygonSymbolizer><Fill><CssParameter name="fill">red</CssParameter></Fill></PolygonSymbolizer></Rule>',
      ),
      /colour/,
    ],
    ['deep nesting', '<a>'.repeat(60), /nested/],
    ['too many elements', `<a>${'<b/>'.repeat(20_001)}</a>`, /elements/],
    ['a huge document', `<a>${' '.repeat(2 ** 20)}</a>`, /characters/],
  ])('is refused for %s', (_, text, message) => {
    expect(() => readSld(text)).toThrow(message);
  });
});
