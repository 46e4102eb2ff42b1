import type { SearchBox, SearchInterval } from '@headwater/core/ports';
import type { Geometry, MultiPolygon, Polygon } from 'geojson';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { square } from './sample.ts';
import { searchFilterCases } from './search-filters.ts';
import { searchFormCases } from './search-forms.ts';
import { searchPageCases } from './search-pages.ts';
import { searchShapeCases } from './search-shapes.ts';
import { COLLECTION, FORM, found, PATH, publish } from './search-sample.ts';

/** Test cases of searches for Items and Collections. */
export function searchCases(get: Get): void {
  describe('a search', () => {
    timeCases(get);
    placeCases(get);
    searchShapeCases(get);
    nameCases(get);
    searchPageCases(get);
    searchFilterCases(get);
    searchFormCases(get);
    collectionCases(get);
  });
}

function timeCases(get: Get): void {
  it('by time finds Items whose time span overlaps the interval (ends included), regardless of when they were published', async () => {
    const stores = get();
    await publish(
      stores,
      { id: 'y2019', properties: { start_datetime: '2019-07-01T00:00:00Z', end_datetime: '2020-06-30T23:59:59Z' } },
      { id: 'y2020', properties: { start_datetime: '2020-07-01T00:00:00Z', end_datetime: '2021-06-30T23:59:59Z' } },
      {
        id: 'moment',
        properties: { start_datetime: undefined, end_datetime: undefined, datetime: '2018-01-01T00:00:00.5Z' },
      },
      { id: 'never', properties: { start_datetime: undefined, end_datetime: undefined, datetime: null } },
    );
    const by = async (start: string | null, end: string | null): Promise<readonly string[]> => {
      const interval: SearchInterval = { start, end };
      return await found(stores, { interval, sort: [{ property: 'id', direction: 'asc' }] });
    };
    expect(await by('2019-12-31T00:00:00Z', '2019-12-31T00:00:00Z')).toEqual(['y2019']);
    expect(await by('2020-06-30T23:59:59Z', '2020-07-01T00:00:00Z')).toEqual(['y2019', 'y2020']);
    expect(await by('2020-06-30T23:59:59.001Z', '2020-06-30T23:59:59.999Z')).toEqual([]);
    expect(await by('2020-07-01T00:00:00Z', null)).toEqual(['y2020']);
    expect(await by('2021-07-01T00:00:00Z', null)).toEqual([]);
    expect(await by(null, '2019-07-01T00:00:00Z')).toEqual(['moment', 'y2019']);
    expect(await by('2018-01-01T00:00:00.5Z', '2018-01-01T00:00:00.5Z')).toEqual(['moment']);
    expect(await by('2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z')).toEqual([]);
    expect(await by(null, null)).toEqual(['moment', 'y2019', 'y2020']);
    expect(await by('0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z')).toEqual(['moment', 'y2019', 'y2020']);
    expect(await by('2019-12-31T05:30:00+05:30', '2019-12-31T05:30:00+05:30')).toEqual(['y2019']);
    await expect(by('soon', null)).rejects.toMatchObject({ code: 'validation', fields: { datetime: [{}] } });
  });
}

const fiji: MultiPolygon = {
  type: 'MultiPolygon',
  coordinates: [box(177, -19, 180, -16).coordinates, box(-180, -19, -178, -16).coordinates],
};

function placeCases(get: Get): void {
  it('by a box finds Items that touch it, across the antimeridian and at the poles, with or without heights', async () => {
    const stores = get();
    await publish(
      stores,
      { id: 'fiji', geometry: fiji },
      { id: 'india', geometry: square(85, 22) },
      { id: 'north', geometry: box(-180, 85, 180, 90) },
      { id: 'south', geometry: box(-180, -90, 180, -85) },
    );
    const cases: readonly (readonly [SearchBox, readonly string[]])[] = [
      [
        [-180, -90, 180, 90],
        ['fiji', 'india', 'north', 'south'],
      ],
      [[179, -18, -179, -17], ['fiji']],
      [[170, -18, -179.5, -17], ['fiji']],
      [[-179, -18, 179, -17], ['fiji']],
      [[-177, -18, 176, -17], []],
      [
        [170, -90, -170, 90],
        ['fiji', 'north', 'south'],
      ],
      [[180, -18, -179.9, -17], ['fiji']],
      [[10, 90, 20, 90], ['north']],
      [[10, -90, 10, -90], ['south']],
      [[85.5, 22.5, 86, 23], ['india']],
      [[85.500001, 22.5, 86, 23], []],
      [[85.1, 22.1, 85.1, 22.1], ['india']],
      [[84, 21, -500, 85.1, 22.1, 8000], ['india']],
    ];
    for (const [bbox, ids] of cases) {
      const there = await found(stores, { bbox, sort: [{ property: 'id', direction: 'asc' }] });
      expect({ bbox, ids: there }).toEqual({ bbox, ids });
    }
    for (const bbox of [[], [1, 2, 3], [1, 2, 3, 4, 5], [0, 10, 1, 9], [0, 0, NaN, 1], [0, 0, Infinity, 1]])
      await expect(found(stores, { bbox })).rejects.toMatchObject({ code: 'validation', fields: { bbox: [{}] } });
  });

  it('by a geometry finds Items that touch it, for every GeoJSON type', async () => {
    const stores = get();
    await publish(stores, { id: 'ring', geometry: RING }, { id: 'apart', geometry: square(10, 10) });
    for (const [name, geometry, ids] of GEOMETRIES)
      expect({ name, ids: await found(stores, { intersects: geometry }) }).toEqual({ name, ids });
  });
}

const RING: Polygon = {
  type: 'Polygon',
  coordinates: [...box(0, 0, 4, 4).coordinates, ...box(1, 1, 3, 3).coordinates],
};
const INSIDE: Geometry = { type: 'Point', coordinates: [0.5, 0.5, 100] };
const IN_THE_HOLE: Geometry = { type: 'Point', coordinates: [2, 2] };
const GEOMETRIES: readonly (readonly [name: string, geometry: Geometry, ids: readonly string[]])[] = [
  ['a point', INSIDE, ['ring']],
  ['a point on a border', { type: 'Point', coordinates: [1, 2] }, ['ring']],
  ['a point in the hole', IN_THE_HOLE, []],
  [
    'points',
    {
      type: 'MultiPoint',
      coordinates: [
        [50, 50],
        [4, 4],
      ],
    },
    ['ring'],
  ],
  [
    'a line through',
    {
      type: 'LineString',
      coordinates: [
        [-1, 2],
        [5, 2],
      ],
    },
    ['ring'],
  ],
  [
    'a line in the hole',
    {
      type: 'LineString',
      coordinates: [
        [1.5, 2],
        [2.5, 2],
      ],
    },
    [],
  ],
  [
    'lines',
    {
      type: 'MultiLineString',
      coordinates: [
        [
          [50, 50],
          [51, 51],
        ],
        [
          [2, 2],
          [2, 3],
        ],
      ],
    },
    ['ring'],
  ],
  ['an area in the hole', box(1.5, 1.5, 2.5, 2.5), []],
  ['an area around', box(-1, -1, 5, 5), ['ring']],
  ['an area inside', box(0.2, 0.2, 0.4, 0.4), ['ring']],
  [
    'an area with a hole in which the whole Item lies',
    { type: 'Polygon', coordinates: [...box(-9, -9, 9, 9).coordinates, ...box(-5, -5, 5, 5).coordinates] },
    [],
  ],
  [
    'areas',
    { type: 'MultiPolygon', coordinates: [box(30, 30, 31, 31).coordinates, box(3.5, 3.5, 9, 9).coordinates] },
    ['ring'],
  ],
  ['a collection', { type: 'GeometryCollection', geometries: [IN_THE_HOLE, INSIDE] }, ['ring']],
  ['a collection without a match', { type: 'GeometryCollection', geometries: [IN_THE_HOLE] }, []],
];

function nameCases(get: Get): void {
  it('by Collections and ids finds only Items in one of the Collections with one of the ids; two Collections may contain the same id', async () => {
    const stores = get();
    const other = 'jharkhand/west_singhbhum/tantnagar';
    await publish(stores, { id: 'one' }, { id: 'one', path: other }, { id: 'two' });
    const of = async (collections: readonly string[], ids?: readonly string[]): Promise<readonly string[]> => {
      const { items } = await stores.search.search({ collections, ...(ids && { ids }), limit: 10 }, FORM);
      return items.map(({ id, collectionPath }) => `${collectionPath.split('/')[2] ?? ''} ${id}`);
    };
    expect(await of([COLLECTION])).toEqual(['chaibasa two', 'chaibasa one']);
    expect(await of([COLLECTION, 'jharkhand_west_singhbhum_tantnagar', 'nowhere'], ['one'])).toEqual([
      'tantnagar one',
      'chaibasa one',
    ]);
    expect(await of(['nowhere'])).toEqual([]);
    expect(await of([])).toEqual([]);
    expect(await of([COLLECTION], [])).toEqual([]);
    expect(await of(['jharkhand', PATH])).toEqual([]);
    expect(await found(stores, { ids: ['one', 'one', 'two', 'three'] })).toEqual(['two', 'one', 'one']);
    const { next = '', items } = await stores.search.search({ ids: ['one'], limit: 1 }, FORM);
    const second = await stores.search.search({ ids: ['one'], limit: 1, cursor: next }, FORM);
    expect([...items, ...second.items].map(({ collectionPath }) => collectionPath)).toEqual([other, PATH]);
  });

  it('by hostile texts finds no id, Collection or property, and causes no error', async () => {
    const stores = get();
    const hostile = [
      `'; drop table headwater.items; --`,
      '%',
      '\\',
      '\0',
      '\ud800',
      '$1',
      '{"a":1}',
      'x'.repeat(100_000),
    ];
    await publish(stores, { id: 'one' }, { id: `it's "100%" {}, ü 𝄞` });
    for (const text of hostile) {
      expect(await found(stores, { ids: [text] })).toEqual([]);
      expect(await found(stores, { collections: [text] })).toEqual([]);
      expect(await stores.search.pathOf(text)).toBeUndefined();
      expect(await stores.search.item({ collectionId: COLLECTION, id: text }, FORM)).toBeUndefined();
      expect(await stores.search.item({ collectionId: text, id: 'one' }, FORM)).toBeUndefined();
      const sort = [{ property: text, direction: 'desc' as const }];
      expect(await found(stores, { sort })).toHaveLength(2);
    }
    expect(await found(stores, { ids: [`it's "100%" {}, ü 𝄞`] })).toHaveLength(1);
  });
}

function collectionCases(get: Get): void {
  it('for Collections finds the requested Collections, page by page', async () => {
    const stores = get();
    await publish(
      stores,
      { id: 'a', path: 'bihar/gaya/tekari', geometry: fiji },
      { id: 'b', path: 'bihar/gaya/atri' },
      { id: 'c', path: 'goa/north/pernem', properties: { end_datetime: '2022-06-30T00:00:00Z' } },
    );
    const { search, catalog } = stores;
    const ids = async (rest: object): Promise<readonly string[]> =>
      (await search.collections({ limit: 100, ...rest })).collections.map(({ id }) => id);
    const blocks = ['bihar_gaya_atri', 'bihar_gaya_tekari', 'goa_north_pernem'];
    expect(await ids({ holdsItems: true })).toEqual(blocks);
    expect(await ids({})).toEqual(['bihar', 'bihar_gaya', ...blocks.slice(0, 2), 'goa', 'goa_north', blocks[2]]);
    expect(await ids({ parent: '' })).toEqual(['bihar', 'goa']);
    expect(await ids({ parent: 'bihar/gaya' })).toEqual(blocks.slice(0, 2));
    expect(await ids({ parent: '\0' })).toEqual([]);
    expect(await ids({ ids: ['goa', 'nowhere'] })).toEqual(['goa']);
    expect(await ids({ words: ['GAYA', 'tek'] })).toEqual(['bihar_gaya_tekari']);
    expect(await ids({ holdsItems: true, bbox: [85.2, 22.2, 86, 23] })).toEqual([
      'bihar_gaya_atri',
      'goa_north_pernem',
    ]);
    expect(await ids({ interval: { start: '2022-01-01T00:00:00Z', end: null }, holdsItems: true })).toEqual([
      blocks[2],
    ]);
    const first = await search.collections({ holdsItems: true, limit: 2 });
    expect(first.matched).toBe(3);
    const second = await search.collections({ holdsItems: true, limit: 2, cursor: first.next ?? '' });
    expect([...first.collections, ...second.collections].map(({ id }) => id)).toEqual(blocks);
    expect(second.next).toBeUndefined();
    const [atri] = first.collections;
    expect(atri).toEqual({ ...(await catalog.collection('bihar/gaya/atri')), id: blocks[0], itemCount: 1 });
    expect(await search.pathOf('bihar_gaya')).toBe('bihar/gaya');
    expect(await search.pathOf('bihar/gaya')).toBeUndefined();
    await expect(search.collections({ limit: 1, cursor: 'x' })).rejects.toMatchObject({ code: 'validation' });
  });
}

function box(...[west, south, east, north]: readonly [number, number, number, number]): Polygon {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}
