import { describe, expect, it } from 'vitest';
import { sampleNumeric, sampleRaster, sampleVector } from '../samples.fixture.ts';
import { validate } from './assert-valid.ts';
import { checkClasses } from './classes.ts';

const QML = `<qgis><pipe><rasterrenderer type="paletted"><colorPalette>
  <paletteEntry value="0" label="No data" color="#000000" alpha="0"/>
  <paletteEntry alpha="255" color="#ff0000" label="Built up > 1" value="1"/>
</colorPalette></rasterrenderer></pipe></qgis>`;
const SLD = `<sld:ColorMap type="values"><sld:ColorMapEntry color='#FF0000' quantity='1' label='Built up' opacity="1"/></sld:ColorMap>`;
const CLASSES = '/assets/data/classification:classes';
const findingsOf = (evidence: Parameters<typeof checkClasses>[1], item: object = sampleRaster()) =>
  checkClasses(item, evidence).map(({ pointer, rule, got }) => `${pointer} ${rule}: ${got}`);

describe('classes compared with the raster', () => {
  it('have no finding if they cover each value, regardless of no-data pixels', () => {
    expect(
      findingsOf({
        pixels: new Map([
          [0, 5000],
          [1, 12],
          [9, 0],
        ]),
      }),
    ).toEqual([]);
  });

  it('have a finding if a pixel value has no class, or a count is wrong', () => {
    const pixels = new Map([
      [1, 11],
      [7, 3],
    ]);
    expect(findingsOf({ pixels })).toEqual([
      `${CLASSES} classes.missing: "value 7 in 3 pixels"`,
      `${CLASSES}/1/count classes.count: 12`,
    ]);
  });

  it('need no entry for NaN pixels if `nodata` is the text "nan"', () => {
    const { data } = sampleRaster().assets;
    const item = { assets: { data: { ...data, data_type: 'float32', nodata: 'nan' } } };
    const pixels = new Map([
      [Number.NaN, 3],
      [1, 12],
    ]);
    expect(findingsOf({ pixels }, item)).toEqual([]);
    expect(findingsOf({ pixels })).toEqual([`${CLASSES} classes.missing: "value NaN in 3 pixels"`]);
  });

  it('may be on the band', () => {
    const item = sampleRaster();
    const { 'classification:classes': classes, ...data } = item.assets.data;
    const banded = { assets: { data: { ...data, bands: [{ name: 'lulc', 'classification:classes': classes }] } } };
    expect(
      findingsOf(
        {
          pixels: new Map([
            [7, 3],
            [1, 12],
          ]),
        },
        banded,
      ),
    ).toEqual(['/assets/data/bands/0/classification:classes classes.missing: "value 7 in 3 pixels"']);
  });

  it('are not required for measured values or for vectors', () => {
    const pixels = new Map([[7.5, 3]]);
    for (const item of [sampleNumeric(), sampleVector(), {}])
      expect(findingsOf({ pixels, style: QML }, item)).toEqual([]);
  });
});

describe('classes compared with the style', () => {
  it.each([QML, SLD])('have no finding if the style draws each of them', (style) => {
    expect(findingsOf({ style })).toEqual([]);
  });

  it('have a finding if the style does not draw them, uses another colour, or has extra values', () => {
    const style = QML.replace('#ff0000', '#00ff00').replace(
      '</colorPalette>',
      '<paletteEntry value="4" color="#123456" alpha="255"/></colorPalette>',
    );
    expect(findingsOf({ style })).toEqual([
      `${CLASSES}/1/color_hint classes.style-color: "FF0000"`,
      '/assets/style classes.style-extra: "value 4 is drawn"',
    ]);
    expect(findingsOf({ style: style.replace('value="1"', 'value="2"') })).toContain(
      `${CLASSES}/1 classes.style-missing: "value 1 is not drawn"`,
    );
  });

  it('are not compared with comments of the style, or with entries without a value', () => {
    const entry = '<paletteEntry value="4" color="#123456" alpha="255"/>';
    for (const unseen of [`<!-- ${entry} -->`, `<!--${entry}${entry}-->`, entry.replace('4', '')])
      expect(findingsOf({ style: QML.replace('<colorPalette>', `<colorPalette>${unseen}`) })).toEqual([]);
    const hidden = QML.replace('<paletteEntry alpha', '<!-- <paletteEntry alpha');
    expect(findingsOf({ style: hidden })).toContain(
      '/assets/style classes.style-unchecked: "a style without paletteEntry (QML) or ColorMapEntry (SLD)"',
    );
  });

  it.each(['<!--'.repeat(100_000), '<paletteEntry '.repeat(20_000), `<paletteEntry ${'a'.repeat(300_000)}>`])(
    'are compared quickly with a hostile style (%#)',
    (style) => {
      const start = performance.now();
      findingsOf({ style });
      expect(performance.now() - start).toBeLessThan(2000);
    },
  );

  it('are reported as unchecked if the style has no palette', () => {
    expect(findingsOf({ style: '<qgis/>' })).toEqual([
      '/assets/style classes.style-unchecked: "a style without paletteEntry (QML) or ColorMapEntry (SLD)"',
    ]);
  });
});

describe('one call', () => {
  it('reports findings of the document and of features, pixels and style', () => {
    const raster = { ...sampleRaster(), bbox: [0, 0, 1, 1] };
    const rules = validate(raster, { pixels: new Map([[7, 3]]), style: '<qgis/>', profile: 'headwater' }).map(
      ({ rule }) => rule,
    );
    expect(rules).toEqual(
      expect.arrayContaining(['bbox.matches-geometry', 'classes.missing', 'classes.count', 'classes.style-unchecked']),
    );
    const vector = validate(sampleVector(), { features: [{ properties: { stray: 1 } }], profile: 'headwater' });
    expect(vector.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).toEqual([
      'columns.missing',
      'columns.missing',
      'columns.missing',
      'columns.extra',
    ]);
  });
});
