import { describe, expect, it } from 'vitest';
import { isStacError } from '../errors.ts';
import { RASTER_INPUT, TABULAR_INPUT, VECTOR_INPUT } from '../samples.fixture.ts';
import { rasterItem, tabularRasterItem } from './raster-item.ts';
import { vectorItem } from './vector-item.ts';

/** What a builder says of an input from code without types; a member of a path is replaced, or taken out where it is undefined. */
function saidOf(build: string, path: string, value: unknown): string {
  const builders: Readonly<Record<string, readonly [make: unknown, input: object]>> = {
    vectorItem: [vectorItem, VECTOR_INPUT],
    rasterItem: [rasterItem, RASTER_INPUT],
    tabularRasterItem: [tabularRasterItem, TABULAR_INPUT],
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
};

describe.each(Object.entries(MISSING))('%s of code without types', (build, paths) => {
  it.each(paths)('names %s where it is missing or of another kind', (path) => {
    const name = new RegExp(`(^|[./])${path.split('.').at(-1) ?? ''}`);
    for (const value of [undefined, null, 7]) {
      if (value === 7 && ['rowCount', 'grid.gsd'].includes(path)) continue;
      const said = saidOf(build, path, value);
      expect(said).not.toMatch(/^(no StacError|built)/);
      expect(said.replace('links.collection', 'collection.href')).toMatch(name);
    }
  });
});

it('says what to give', () => {
  const said = (path: string, value: unknown): string => saidOf('vectorItem', path, value);
  expect(said('start', new Date())).toBe('start: a Date is given; give a UTC time, as instant() makes it');
  expect(said('start', '2020-07-01')).toBe('start: "2020-07-01" is given; give a UTC time, as instant() makes it');
  expect(said('geometry', undefined)).toBe('geometry: nothing is given; give an object');
  expect(said('keywords', [])).toBe('keywords: [] is given; give a list of one or more');
  expect(said('geometry.coordinates', undefined)).toMatch(/^geometry: its coordinates are no lists/);
  expect(said('geometry.coordinates', [[1, 2]])).toMatch(/^geometry: its coordinates are no lists/);
  expect(said('title', undefined)).toBe('title: it is no text, or blank; give a text');
});
