import { describe, expect, it } from 'vitest';
import { EXTENSIONS, type ExtensionName } from '../extensions.ts';
import { WGS84_PROJJSON } from '../extended.fixture.ts';
import { officialJudge, skipReason } from '../official-schemas.fixture.ts';
import { sampleCollection, sampleRaster } from '../samples.fixture.ts';
import { validate } from './assert-valid.ts';
import { PROFILES } from './profile.ts';

const declaring = (...names: readonly ExtensionName[]) => ({
  stac_extensions: [...new Set([...sampleRaster().stac_extensions, ...names.map((name) => EXTENSIONS[name])])],
});
const property = (key: string, value: unknown) => ({
  ...sampleRaster(),
  ...declaring('projection', 'classification'),
  properties: { ...sampleRaster().properties, [key]: value },
});
const collection = (members: object, ...names: readonly ExtensionName[]) => ({
  ...sampleCollection(),
  stac_extensions: names.map((name) => EXTENSIONS[name]),
  ...members,
});
const processed = { name: 'A', roles: ['producer'], 'processing:level': 'L1' };
const classes = [{ value: 0, name: 'a' }];
const bitfields = (...list: readonly object[]) => property('classification:bitfields', list);
const { datum: _, ...groundless } = WGS84_PROJJSON;

const REFUSED: readonly (readonly [string, object])[] = [
  ['PROJJSON of an unknown type', property('proj:projjson', { type: 'Banana', name: 'x' })],
  ['PROJJSON of an inherited type', property('proj:projjson', { type: 'constructor', name: 'x' })],
  ['PROJJSON without a datum', property('proj:projjson', groundless)],
  ['PROJJSON with an unknown member', property('proj:projjson', { ...WGS84_PROJJSON, colour: 'red' })],
  ['PROJJSON with two ids', property('proj:projjson', { ...WGS84_PROJJSON, ids: [WGS84_PROJJSON.id] })],
  ['a line of one position', property('proj:geometry', { type: 'LineString', coordinates: [[0, 0]] })],
  ['a ring of one position', property('proj:geometry', { type: 'Polygon', coordinates: [[[0, 0]]] })],
  ['an invalid bbox', property('proj:geometry', { type: 'Point', coordinates: [0, 0], bbox: 'x' })],
  ['a level that is a number', collection({ providers: [{ ...processed, 'processing:level': 7 }] }, 'processing')],
  ['an unknown field', collection({ providers: [{ ...processed, 'processing:foo': 1 }] }, 'processing')],
  ['summarized classes', collection({ summaries: { 'classification:classes': [{ value: 'a' }] } }, 'classification')],
  ['a summary of an unknown field', collection({ summaries: { 'classification:foo': ['x'] } }, 'classification')],
  ['summarized samplings', collection({ summaries: { 'raster:sampling': ['banana'] } }, 'raster')],
  ['summarized scales', collection({ summaries: { 'raster:scale': ['x'] } }, 'raster')],
  [
    'summarized bands',
    collection({ summaries: { 'raster:scale': [1], bands: [{ 'raster:sampling': 'x' }] } }, 'raster'),
  ],
  ['a summary of bands in another form', collection({ summaries: { 'raster:scale': [1], bands: { a: 1 } } }, 'raster')],
  ['a length that is a text', collection({ summaries: { x: { minLength: 'x' } } })],
  ['schemas that are a number', collection({ summaries: { x: { type: 'string', allOf: 3 } } })],
  ['a nested schema that is a number', collection({ summaries: { x: { properties: { a: 5 } } } })],
  ['an empty enum', collection({ summaries: { x: { enum: [] } } })],
  ['a pattern that is a number', collection({ summaries: { x: { pattern: 7 } } })],
  [
    'two equal bit fields in another order of members',
    bitfields({ offset: 0, length: 1, classes }, { length: 1, classes, offset: 0 }),
  ],
  ['classes of a model', property('mlm:output', [{ 'classification:classes': [{ value: 'x' }] }])],
  ['a model output that is not an object', property('mlm:output', [7])],
];

const ACCEPTED: readonly (readonly [string, object])[] = [
  ['PROJJSON', property('proj:projjson', WGS84_PROJJSON)],
  [
    'PROJJSON of a CRS that is bound to another',
    property('proj:projjson', {
      type: 'BoundCRS',
      source_crs: WGS84_PROJJSON,
      target_crs: WGS84_PROJJSON,
      transformation: {
        name: 'Shift',
        method: { name: 'Geocentric translations' },
        parameters: [{ name: 'X-axis translation', value: 1.5, unit: 'metre', id: { authority: 'EPSG', code: 8605 } }],
      },
    }),
  ],
  ['providers that process', collection({ providers: [processed, { name: 'B' }] }, 'processing')],
  ['summarized fields', collection({ summaries: { 'raster:sampling': ['area'], bands: [{ name: 'a' }] } }, 'raster')],
  ['a range of a field', collection({ summaries: { 'raster:scale': { minimum: 0, maximum: 1 } } }, 'raster')],
  ['classes', collection({ summaries: { 'classification:classes': classes } }, 'classification')],
  [
    'schemas within schemas',
    collection({ summaries: { x: { properties: { a: true, b: { items: [{ pattern: '^a' }, false] } }, own: 3 } } }),
  ],
  ['two bit fields', bitfields({ offset: 0, length: 1, classes }, { offset: 1, length: 1, classes })],
  ['classes of a model', property('mlm:output', [{ 'classification:classes': classes, name: 'x' }])],
];
const errorsOf = (document: object, profile: (typeof PROFILES)[number]) =>
  validate(document, { profile }).filter(({ severity }) => severity === 'error');

describe('rules of the core and of extensions that are not about fields of assets and properties', () => {
  it.each(REFUSED)('%s is refused', (_name, document) => {
    for (const profile of PROFILES) expect(errorsOf(document, profile)).toHaveLength(1);
  });

  it.each(ACCEPTED)('%s: conforms', (_name, document) => {
    for (const profile of PROFILES) expect(errorsOf(document, profile)).toEqual([]);
  });

  it.skipIf(skipReason !== undefined)('the official schemas refuse and accept the same documents', () => {
    const judge = officialJudge();
    for (const [name, document] of REFUSED) expect([name, judge(document).length]).toEqual([name, 1]);
    for (const [name, document] of ACCEPTED) expect([name, judge(document)]).toEqual([name, []]);
  });
});
