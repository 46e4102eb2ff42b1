import { expect, it } from 'vitest';
import { sampleVector } from '../samples.fixture.ts';
import { validate } from './assert-valid.ts';
import { checkColumns } from './columns.ts';

const POINT = { type: 'Point', coordinates: [0, 0] };
const feature = (properties: object) => ({ geometry: POINT, properties });
const ROW = { uid: '12_100174', area_in_ha: 0, built_up_2023: null };
const rules = (features: readonly { properties?: unknown }[], item: object = sampleVector()) =>
  checkColumns(item, features).map(({ pointer, rule }) => `${pointer} ${rule}`);

it('columns that list every property, with null as a value, have no finding', () => {
  expect(rules([feature(ROW), feature({ ...ROW, built_up_2023: 1.5 })])).toEqual([]);
});

it('a column that no feature has is reported; a column that some features have is not', () => {
  const { uid, area_in_ha } = ROW;
  expect(rules([feature({ uid, area_in_ha })])).toEqual(['/properties/table:columns/2 columns.missing']);
  expect(rules([feature({ uid, area_in_ha }), feature(ROW)])).toEqual([]);
});

it('without features there is no finding', () => {
  expect(rules([])).toEqual([]);
});

it('a property without a column is reported once', () => {
  const findings = checkColumns(sampleVector(), [feature({ ...ROW, stray: 1 }), feature({ ...ROW, stray: 2 })]);
  expect(findings.map(({ rule, got }) => [rule, got])).toEqual([['columns.extra', 'property stray = 1']]);
});

it('a value of another type is reported with the first feature that has it', () => {
  const findings = checkColumns(sampleVector(), [
    feature(ROW),
    feature({ ...ROW, area_in_ha: '12.5' }),
    feature({ ...ROW, uid: 7 }),
  ]);
  expect(findings.map(({ pointer, rule, got }) => [pointer, rule, got])).toEqual([
    ['/properties/table:columns/0', 'columns.type', '7 in feature 2'],
    ['/properties/table:columns/1', 'columns.type', '"12.5" in feature 1'],
  ]);
});

it('checks integers, booleans, times and the geometry column', () => {
  const columns = Object.entries({ n: 'int64', b: 'bool', t: 'datetime64', geom: 'geometry' }).map(([name, type]) => ({
    name,
    type,
    description: name,
  }));
  const item = { properties: { 'table:columns': columns } };
  expect(rules([feature({ n: 1, b: false, t: '2024-07-01' })], item)).toEqual([]);
  expect(rules([{ properties: { n: 1.5, b: 0, t: 'July' } }], item)).toEqual([
    '/properties/table:columns/3 columns.missing',
    '/properties/table:columns/0 columns.type',
    '/properties/table:columns/1 columns.type',
    '/properties/table:columns/2 columns.type',
  ]);
});

it('columns are found on the asset of a foreign Item; they need no type, and table:primary_geometry names the geometry', () => {
  const columns = [{ name: 'uid' }, { name: 'geom', type: 'byte_array' }];
  const data = { 'table:primary_geometry': 'geom', 'table:columns': columns };
  const item = { properties: {}, assets: { style: {}, 'a/b': data } };
  expect(rules([feature({ uid: '1' }), feature({ uid: 2 })], item)).toEqual([]);
  expect(rules([feature({ other: '1' })], item)).toEqual([
    '/assets/a~1b/table:columns/0 columns.missing',
    '/assets/a~1b/table:columns columns.extra',
  ]);
});

it('columns are compared by type names of pandas, Parquet, SQL, Java and XML', () => {
  const types = {
    a: 'datetime64[ns, UTC]',
    b: 'INT32',
    c: 'varchar(80)',
    d: 'java.lang.Long',
    e: 'xsd:date',
    f: 'uint8',
    g: 'uint64',
    h: 'int8',
  };
  const columns = Object.entries(types).map(([name, type]) => ({ name, type, description: name }));
  const item = { properties: { 'table:columns': columns } };
  const right = { a: '2024-07-01T00:00:00Z', b: 7, c: 'x', d: 7, e: '2024-07-01', f: 255, g: 2 ** 53, h: -128 };
  expect(rules([feature(right)], item)).toEqual([]);
  const wrong = { a: 7, b: 3e9, c: 7, d: '7', e: 'July', f: -1, g: -1, h: 128 };
  expect(rules([feature(wrong)], item)).toEqual(
    columns.map((_, index) => `/properties/table:columns/${String(index)} columns.type`),
  );
});

it('values of a column of an unknown type are reported as not compared; the name of the column is still compared', () => {
  const columns = [{ name: 'a', type: 'banana', description: 'A' }];
  const item = { properties: { 'table:columns': columns } };
  expect(checkColumns(item, [feature({ a: 1 })])).toMatchObject([
    { pointer: '/properties/table:columns/0/type', rule: 'columns.type-unchecked', severity: 'info', got: 'a: banana' },
  ]);
  expect(rules([feature({ b: 1 })], item)).toEqual([
    '/properties/table:columns/0 columns.missing',
    '/properties/table:columns columns.extra',
  ]);
});

it('columns of type object allow lists and objects, as columnsOf does', () => {
  const columns = [{ name: 'tags', type: 'object', description: 'Tags' }];
  const item = { properties: { 'table:columns': columns } };
  expect(rules([feature({ tags: ['a'] }), feature({ tags: { a: 1 } }), feature({ tags: 'a' })], item)).toEqual([]);
  expect(rules([feature({ tags: 7 })], item)).toEqual(['/properties/table:columns/0 columns.type']);
});

it('comparing columns with a FeatureCollection gives the same result as comparing them with its features', () => {
  const collection = { type: 'FeatureCollection', features: [feature({ ...ROW, stray: 1 })] };
  expect(checkColumns(sampleVector(), collection)).toEqual(checkColumns(sampleVector(), collection.features));
  expect(validate(sampleVector(), { features: collection }).map(({ rule }) => rule)).toContain('columns.extra');
});

it('an invalid list of features is reported, and not compared', () => {
  for (const features of [null, 7, '{"type":"FeatureCollection","features":[]}', {}, { features: null }])
    expect(Reflect.apply(validate, undefined, [sampleVector(), { features }])).toContainEqual(
      expect.objectContaining({ rule: 'columns.features', severity: 'error', pointer: '' }),
    );
});
