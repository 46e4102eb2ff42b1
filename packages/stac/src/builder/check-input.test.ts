import { describe, expect, it } from 'vitest';
import { isStacError } from '../errors.ts';
import { COLLECTION_INPUT, NUMERIC_INPUT, RASTER_INPUT, TABULAR_INPUT, VECTOR_INPUT } from '../samples.fixture.ts';
import { buildCatalog, buildCollection } from './catalog.ts';
import { rasterItem, tabularRasterItem } from './raster-item.ts';
import { vectorItem } from './vector-item.ts';

const PLACE = { root: RASTER_INPUT.root, parent: RASTER_INPUT.root };

function messageOf(build: string, path: string, value: unknown): string {
  const builders: Readonly<Record<string, readonly [make: unknown, input: object]>> = {
    vectorItem: [vectorItem, VECTOR_INPUT],
    rasterItem: [rasterItem, RASTER_INPUT],
    tabularRasterItem: [tabularRasterItem, TABULAR_INPUT],
    numericItem: [rasterItem, NUMERIC_INPUT],
    buildCollection: [buildCollection, COLLECTION_INPUT],
    buildCatalog: [buildCatalog, { ...PLACE, id: 'a', title: 'A', description: 'A', self: 'https://a.b/' }],
  };
  const [make, whole] = builders[build] ?? [];
  const input: unknown = structuredClone(whole);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const holder = names.reduce<unknown>((at, name) => Reflect.get(Object(at), name), input);
  Reflect.set(Object(holder), last, value);
  try {
    if (typeof make === 'function') Reflect.apply(make, undefined, [input]);
  } catch (error) {
    return isStacError(error) ? error.message : `no StacError: ${String(error)}`;
  }
  return 'built';
}

const OF_ALL = ['geometry', 'start', 'end', 'published', 'keywords', 'processing', 'root', 'collection', 'assets'];
const MISSING: Readonly<Record<string, readonly string[]>> = {
  vectorItem: [...OF_ALL, 'assets.data', 'columns', 'rowCount', 'title', 'description', 'id', 'collection.href'],
  rasterItem: [...OF_ALL, 'assets.data', 'grid', 'grid.shape', 'grid.transform', 'grid.gsd', 'grid.code', 'content'],
  tabularRasterItem: [...OF_ALL, 'columns', 'assets.table', 'grid', 'content'],
  buildCollection: 'id title description self root parent keywords license extent'.split(' '),
  buildCatalog: 'id title description self root'.split(' '),
};

describe.each(Object.entries(MISSING))('%s called by code without type check', (build, paths) => {
  it.each(paths)('throws an error that names %s, if this member is missing or has another type', (path) => {
    const name = new RegExp(`(^|[./])${path.split('.').at(-1) ?? ''}`);
    for (const value of [undefined, null, 7]) {
      if (value === 7 && ['rowCount', 'grid.gsd'].includes(path)) continue;
      const message = messageOf(build, path, value);
      expect(message).not.toMatch(/^(no StacError|built)/);
      expect(message.replace('links.collection', 'collection.href')).toMatch(name);
    }
  });
});

it.each<readonly [build: string, path: string, value: unknown]>([
  ['rasterItem', 'content', {}],
  ['rasterItem', 'content', { dataType: 'uint8' }],
  ['rasterItem', 'content', { classes: [{ value: 1, name: 'a' }] }],
  ['rasterItem', 'content.classes', null],
  ['rasterItem', 'content.bands', [{ name: 'a', dataType: 'int16' }]],
  ['rasterItem', 'content.classes.0', null],
  ['rasterItem', 'content.classes.0.color', 7],
  ['rasterItem', 'content.nodata', null],
  ['numericItem', 'content.bands', []],
  ['numericItem', 'content.bands.0', null],
  ['numericItem', 'content.bands.0.dataType', undefined],
  ['numericItem', 'content.bands.0.nodata', null],
  ['numericItem', 'content.bands.0.statistics', null],
  ['numericItem', 'content.bands.0.statistics', {}],
  ['numericItem', 'content.bands.0.statistics.maximum', undefined],
  ['rasterItem', 'assets.cog', null],
  ['rasterItem', 'assets.cog.file', null],
  ['rasterItem', 'assets.cog.file.sha256', undefined],
  ['rasterItem', 'assets.others.quality', undefined],
  ['rasterItem', 'assets.others.quality.roles', 'data'],
  ['rasterItem', 'providers', { name: 'P' }],
  ['rasterItem', 'derivedFrom', { href: 'https://a.b/', title: 'A' }],
  ['rasterItem', 'via', [null]],
  ['vectorItem', 'columns.0', null],
  ['vectorItem', 'geometry.coordinates.0.0.0', null],
  ['vectorItem', 'geometry.coordinates.0.0', ['92.9', '24.7']],
  ['buildCollection', 'keywords', 'water'],
  ['buildCollection', 'providers', 7],
  ['buildCollection', 'providers.0', null],
  ['buildCollection', 'children', [undefined]],
  ['buildCollection', 'links', 7],
  ['buildCatalog', 'conformsTo', [7]],
  ['buildCatalog', 'items', 'x'],
])('%s throws an error that names %s, if code without type check passes %j', (build, path, value) => {
  const [top = ''] = path.split('.');
  const message = messageOf(build, path, value);
  expect(message).not.toMatch(/^(no StacError|built)/);
  expect(message).toContain(top === 'content' && message.startsWith('bands[') ? 'statistics' : top);
});

it('throws an error that names the input, if the whole input is missing', () => {
  expect(() => Reflect.apply(buildCatalog, undefined, [])).toThrow('input: missing; give an object');
});

it('throws an error with the value found and the remedy', () => {
  const message = (path: string, value: unknown): string => messageOf('vectorItem', path, value);
  expect(message('start', new Date())).toBe('start: got a Date; give a UTC time, as instant() makes it');
  expect(message('start', '2020-07-01')).toBe('start: got "2020-07-01"; give a UTC time, as instant() makes it');
  expect(message('geometry', undefined)).toBe('geometry: missing; give an object');
  expect(message('keywords', [])).toBe('keywords: got []; give a list with at least one element');
  expect(message('geometry.coordinates', undefined)).toMatch(/^geometry: its coordinates are not lists/);
  expect(message('geometry.coordinates', [[1, 2]])).toMatch(/^geometry: its coordinates are not lists/);
  expect(message('title', undefined)).toBe('title: it is blank or not a text; give a text');
});
