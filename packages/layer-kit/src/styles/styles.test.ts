import { element, escapeXml, xmlText } from '@headwater/core/xml';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rampQml, rasterQml, vectorQml } from './qml.ts';
import { rampLegend, rampStops } from './ramp.ts';
import { rampSld, rasterSld, vectorSld } from './sld.ts';
import { featureColor, stepColor, stepsLegend } from './vector-style.ts';

function tags(xml: string): string[] {
  const stack: string[] = [];
  const seen: string[] = [];
  const body = xml.replace(/^<\?xml[^?]*\?>\s*/, '').replace(/^<!DOCTYPE[^>]*>\s*/, '');
  const token = /<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[A-Za-z_][\w.:-]*="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
  while (token.lastIndex < body.length) {
    const at = token.lastIndex;
    const match = token.exec(body);
    if (match === null) throw new Error(`not well-formed at ${body.slice(at, at + 40)}`);
    if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(match[3] ?? '') || /&(?!(?:amp|lt|gt|quot|apos);)/.test(match[5] ?? ''))
      throw new Error('bare ampersand');
    if (match[2] === undefined) continue;
    if (match[1] === '/') {
      if (stack.pop() !== match[2]) throw new Error(`</${match[2]}> closes nothing`);
    } else {
      seen.push(match[2]);
      if (match[4] !== '/') stack.push(match[2]);
    }
  }
  if (stack.length > 0) throw new Error(`open: ${stack.join()}`);
  return seen;
}

const CLASSES = [
  { value: 0, label: 'Nothing', color: '#000000', alpha: 0 },
  { value: 8, label: 'Crop <&> "field"', color: '#bad93e', alpha: 255 },
];
const VECTOR = {
  attribute: 'doubly_cropped_area_2022',
  title: 'Title & more',
  limits: [0, 10, 20],
  colors: ['#ffffff', '#00441b'],
};

describe('style files', () => {
  it('QML of a raster has a palette entry per class', () => {
    const qml = rasterQml(CLASSES);
    expect(tags(qml).filter((t) => t === 'paletteEntry')).toHaveLength(2);
    expect(qml).toContain(
      '<paletteEntry value="8" label="Crop &lt;&amp;&gt; &quot;field&quot;" color="#bad93e" alpha="255"/>',
    );
  });

  it('QML of a vector has a range and a symbol per colour', () => {
    const names = tags(vectorQml(VECTOR));
    expect(names.filter((t) => t === 'range')).toHaveLength(2);
    expect(names.filter((t) => t === 'symbol')).toHaveLength(2);
  });

  it('label each colour of a vector, with explicit labels if there are any', () => {
    const named = { ...VECTOR, labels: ['little', 'much'] };
    expect(vectorQml(VECTOR)).toContain('label="10 - 20"');
    expect(vectorQml(named)).toContain('label="much"');
    expect(vectorSld('x', named)).toContain('<Title>little</Title>');
    expect(stepsLegend(VECTOR).map(({ value, title }) => [value, title])).toEqual([
      [1, '0 - 10'],
      [2, '10 - 20'],
    ]);
    expect(stepsLegend(named).map(({ title }) => title)).toEqual(['little', 'much']);
    expect(() => stepsLegend({ ...VECTOR, colors: [] })).toThrow(RangeError);
    expect([null, -1, 9.9, 10, 99].map((value) => stepColor(VECTOR, value))).toEqual([
      '#ffffff',
      '#ffffff',
      '#ffffff',
      '#00441b',
      '#00441b',
    ]);
  });

  it('draw points as circles, in QML and SLD', () => {
    const points = { ...VECTOR, geometry: 'point' } as const;
    expect(vectorQml(points)).toMatch(/type="marker".*class="SimpleMarker"/s);
    expect(vectorQml(points)).not.toContain('SimpleFill');
    expect(tags(vectorSld('centres', points)).filter((t) => t === 'PointSymbolizer')).toHaveLength(2);
    expect(tags(vectorSld('areas', VECTOR))).not.toContain('PointSymbolizer');
  });

  it('draw lines as strokes without a fill, in QML and SLD', () => {
    const lines = { ...VECTOR, geometry: 'line' } as const;
    expect(vectorQml(lines)).toMatch(/type="line".*class="SimpleLine".*name="line_color"/s);
    expect(vectorQml(lines)).not.toContain('outline_color');
    expect(tags(vectorSld('streams', lines)).filter((t) => t === 'LineSymbolizer')).toHaveLength(2);
    expect(vectorSld('streams', lines)).not.toContain('<Fill>');
  });

  it('SLD of a raster maps exact values', () => {
    const sld = rasterSld('LULC_20_21_a_b_level_3', 'Land cover', CLASSES);
    expect(tags(sld)).toContain('RasterSymbolizer');
    expect(sld).toContain(
      '<ColorMap type="values"><ColorMapEntry color="#000000" quantity="0" label="Nothing" opacity="0"/>',
    );
    expect(sld).toContain('version="1.0.0"');
  });

  it('SLD of a vector has a rule per colour; only the last rule includes its upper limit', () => {
    const sld = vectorSld('lulc_vector_a_b', VECTOR);
    expect(tags(sld).filter((t) => t === 'Rule')).toHaveLength(2);
    expect(sld).toContain('<Title>Title &amp; more</Title>');
    expect(sld.match(/PropertyIsLessThanOrEqualTo>/g)).toHaveLength(2);
  });
});

describe('a style by the largest of several columns', () => {
  const LARGEST = {
    attribute: '',
    title: 'Largest',
    limits: [],
    colors: ['#111111', '#222222', '#333333'],
    labels: ['A', 'B', 'C'],
    largestOf: ['a', 'b"', 'c&'],
  };
  it('has a rule for all features, and then a rule for each column that compares the column with all others', () => {
    const sld = vectorSld('x', LARGEST);
    expect(tags(sld).filter((tag) => tag === 'Rule' || tag === 'ogc:Filter')).toEqual([
      'Rule',
      ...LARGEST.colors.flatMap(() => ['Rule', 'ogc:Filter']),
    ]);
    const second = sld.split('<Rule>')[3] ?? '';
    expect(
      [...second.matchAll(/<ogc:PropertyIs(\w+)>(.*?)<\/ogc:PropertyIs/g)].map(([, name, both]) => `${name} ${both}`),
    ).toEqual([
      'GreaterThan <ogc:PropertyName>b&quot;</ogc:PropertyName><ogc:Literal>0</ogc:Literal>',
      'GreaterThan <ogc:PropertyName>b&quot;</ogc:PropertyName><ogc:PropertyName>a</ogc:PropertyName>',
      'Null <ogc:PropertyName>a</ogc:PropertyName>',
      'GreaterThanOrEqualTo <ogc:PropertyName>b&quot;</ogc:PropertyName><ogc:PropertyName>c&amp;</ogc:PropertyName>',
      'Null <ogc:PropertyName>c&amp;</ogc:PropertyName>',
    ]);
    // Each comparison of columns is also true if the other column is null, because a null counts as 0.
    expect(
      second.match(/<ogc:Or><ogc:PropertyIsGreaterThan(?:OrEqualTo)?>.*?<ogc:PropertyIsNull>.*?<\/ogc:Or>/g),
    ).toHaveLength(2);
    const qml = vectorQml(LARGEST);
    expect(qml).toContain('type="RuleRenderer"');
    expect(qml).toContain(
      `label="B" filter="${escapeXml('"b""" > 0 AND "b""" > coalesce("a", 0) AND "b""" >= coalesce("c&", 0)')}"`,
    );
    expect(qml).toMatch(/label="No class" filter="ELSE"/);
    expect(tags(qml).filter((tag) => tag === 'symbol')).toHaveLength(4);
  });
  it('with one column has no element And, because And needs two conditions', () => {
    expect(vectorSld('x', { ...LARGEST, colors: ['#111111'], largestOf: ['a'] })).not.toContain('ogc:And');
  });
  it.each([
    [{ a: 1, 'b"': 2 }, '#222222'],
    [{ a: 2, 'b"': 2, 'c&': 2 }, '#111111'],
    [{ a: null, 'b"': 2, 'c&': 1 }, '#222222'],
    [{ a: 0, 'b"': 0 }, '#ffffff'],
    [{ a: null }, '#ffffff'],
  ])('gives %j the colour %s', (properties, color) => {
    expect(featureColor(LARGEST, properties)).toBe(color);
  });
});

it('outlines, circles and lines have the same size in pixels in QML and SLD', () => {
  const of = (geometry: 'polygon' | 'point' | 'line') => ({ ...VECTOR, geometry });
  expect(vectorSld('x', of('polygon'))).toContain('<CssParameter name="stroke-width">1</CssParameter>');
  expect(vectorQml(of('polygon'))).toContain('name="outline_width" type="QString" value="1"');
  expect(vectorSld('x', of('point'))).toContain('<Size>9</Size>');
  expect(vectorQml(of('point'))).toContain('name="size" type="QString" value="9"');
  expect(vectorQml(of('line'))).toContain('name="line_width" type="QString" value="1.5"');
  for (const shape of ['polygon', 'point', 'line'] as const) expect(vectorQml(of(shape))).not.toContain('"MM"');
});

describe('a ramp of colours', () => {
  const RAMP = [
    { value: 30, label: '30 % & more', color: '#8b0000', alpha: 255 },
    { value: 0, label: '0 %', color: '#ffffff', alpha: 0 },
    { value: 12.5, label: '12.5 %', color: '#ffa500', alpha: 128 },
  ];

  it('becomes a pseudocolour style in QML, with ascending stops', () => {
    const qml = rampQml(RAMP);
    expect(tags(qml).filter((t) => t === 'item')).toHaveLength(3);
    expect(qml).toContain('type="singlebandpseudocolor"');
    expect(qml).toContain(
      'colorRampType="INTERPOLATED" classificationMode="1" clip="0" minimumValue="0" maximumValue="30"',
    );
    expect(qml).toContain(
      '<item value="0" label="0 %" color="#ffffff" alpha="0"/><item value="12.5" label="12.5 %" color="#ffa500" alpha="128"/>' +
        '<item value="30" label="30 % &amp; more" color="#8b0000" alpha="255"/>',
    );
  });

  it('becomes an interpolated colour map in SLD', () => {
    const sld = rampSld('slope_a_b', 'Slope', RAMP);
    expect(tags(sld).filter((t) => t === 'ColorMapEntry')).toHaveLength(3);
    expect(sld).toContain(
      '<ColorMap type="ramp"><ColorMapEntry color="#ffffff" quantity="0" label="0 %" opacity="0"/>',
    );
  });

  it('gives previews their colours and their legend', () => {
    expect(rampStops(RAMP).map(({ value, color }) => [value, ...color])).toEqual([
      [0, 255, 255, 255, 0],
      [12.5, 255, 165, 0, 128],
      [30, 139, 0, 0, 255],
    ]);
    expect(rampLegend(RAMP)[2]).toEqual({
      value: 3,
      name: 'stop_3',
      title: '30 % & more',
      description: '30 % & more',
      color: '#8b0000',
    });
  });

  it.each([rampQml, rampStops, rampLegend])('needs at least one stop (%o)', (make) => {
    expect(() => make([])).toThrow('at least one stop');
  });
});

describe('element', () => {
  it('escapes all texts, and drops characters that XML forbids', () => {
    const any = fc.string({ unit: 'binary' });
    const safe = fc.property(any, any, (a, b) => {
      expect(tags(element('a', { b: a }, xmlText(b)))).toEqual(['a']);
    });
    fc.assert(safe);
    expect(xmlText('\u0000\ud800a\u{1f33e}')).toBe('a\u{1f33e}');
  });

  it.each(['a b', '<x', '', '1a'])('refuses the name %j', (name) =>
    expect(() => element(name)).toThrow('is not a valid XML name'),
  );
});

it('a style without limits has only one colour, and draws every feature in this colour', () => {
  const plain = { ...VECTOR, limits: [], colors: ['#238b45'], labels: ['Feature'] };
  expect([null, 7].map((value) => stepColor(plain, value))).toEqual(['#238b45', '#238b45']);
  expect(vectorQml(plain)).toContain('type="singleSymbol"');
  expect(tags(vectorQml(plain))).not.toContain('range');
  expect(tags(vectorSld('x', plain)).filter((name) => name === 'Rule' || name === 'ogc:Filter')).toEqual(['Rule']);
  expect(stepsLegend(plain)).toMatchObject([{ title: 'Feature' }]);
});

it('features without a value have the colour and the label of unknown values in QML, SLD and legend, if the style defines `unknown`', () => {
  const style = { ...VECTOR, unknown: { color: '#8c8c8c', label: 'Unknown order' } };
  expect([stepColor(style, null), stepColor(style, 99)]).toEqual(['#8c8c8c', '#00441b']);
  expect(stepsLegend(style).at(-1)).toMatchObject({ value: 3, title: 'Unknown order', color: '#8c8c8c' });
  expect(vectorSld('x', style)).toMatch(/Unknown order<\/Title>\s*<ogc:Filter>\s*<ogc:PropertyIsNull>/);
  expect(vectorQml(style)).toMatch(/label="Unknown order"[^>]*filter="ELSE"/);
});
