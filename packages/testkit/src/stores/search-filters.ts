import type { SearchRequest } from '@headwater/core/ports';
import { cql2Predicate, parseCql2Text } from '@headwater/http-service/testing';
import { expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { square } from './sample.ts';
import { COLLECTION, found, pages, publish, type SearchItem } from './search-sample.ts';

const ITEMS: readonly (SearchItem & { readonly id: string })[] = [
  { id: 'a', properties: { 'eo:cloud_cover': 10, gsd: 10, level: 'L2A', ready: true, 'a b"c': 1 } },
  { id: 'b', properties: { 'eo:cloud_cover': 50.5, gsd: 10, level: 'l2a', ready: false } },
  { id: 'c', properties: { 'eo:cloud_cover': '10', gsd: 30, level: null, keywords: ['x'], proj: { code: 1 } } },
  { id: `d'e`, properties: { level: `it's`, created: '2024-02-03T00:00:00Z' }, geometry: square(10, 10) },
  { id: 'f', properties: { start_datetime: '2019-07-01T00:00:00Z', end_datetime: '2020-06-30T23:59:59Z' } },
];

const FILTERS: readonly string[] = [
  `"eo:cloud_cover" < 20 AND gsd = 10`,
  `"eo:cloud_cover" >= 10`,
  `"eo:cloud_cover" = '10'`,
  `level = 'L2A' OR level = 'it''s'`,
  `CASEI(level) = CASEI('L2a')`,
  `level LIKE 'L2%'`,
  `level IS NULL`,
  `level IS NOT NULL AND NOT level = 'L2A'`,
  `keywords IS NOT NULL`,
  `proj IS NULL`,
  `proj = 1`,
  `nowhere = 1`,
  `nowhere IS NULL`,
  `NOT nowhere = 1`,
  `"a b""c" = 1`,
  `ready = TRUE`,
  `gsd IN (30, 40)`,
  `"eo:cloud_cover" BETWEEN 10 AND 50.5`,
  `gsd + "eo:cloud_cover" > 60`,
  `id = 'd''e'`,
  `id > 'b'`,
  `collection = '${COLLECTION}'`,
  `collection <> '${COLLECTION}'`,
  `start_datetime < TIMESTAMP('2020-01-01T00:00:00Z')`,
  `T_INTERSECTS(INTERVAL(start_datetime, end_datetime), INTERVAL('2020-06-01T00:00:00Z', '..'))`,
  `T_AFTER(datetime, DATE('2024-01-01'))`,
  `created > TIMESTAMP('2024-02-02T00:00:00Z')`,
  `created > '2024-02-03T05:29:59+05:30'`,
  `created IN ('2024-02-03T05:30:00+05:30') AND created <> '2024-02-03T05:30:01+05:30'`,
  `start_datetime > '2019-07-01T05:29:59+05:30' AND start_datetime < '2019-06-30T19:00:01-05:00'`,
  `start_datetime > '2019-07-01T05:30:00+05:30' AND start_datetime < '2020-01-01'`,
  `datetime = '2024-05-06T12:38:09+05:30' AND gsd = 30`,
  `S_INTERSECTS(geometry, BBOX(9, 9, 11, 11))`,
  `S_INTERSECTS(geometry, POINT(85.1 22.1)) AND gsd = 30`,
  `S_DISJOINT(geometry, POLYGON((9 9, 11 9, 11 11, 9 11, 9 9)))`,
  `S_INTERSECTS(geometry, LINESTRING(9 9, 11 11))`,
  `S_INTERSECTS(GEOMETRYCOLLECTION(POINT(10.1 10.1), MULTIPOINT((0 0), (1 1))), geometry)`,
  `start_datetime < end_datetime AND gsd = gsd`,
  `gsd BETWEEN 10 AND "eo:cloud_cover"`,
  `level NOT LIKE 'L%'`,
  `T_DURING(INTERVAL(start_datetime, end_datetime), INTERVAL('2019-01-01', '2020-12-31'))`,
  `T_STARTEDBY(INTERVAL(start_datetime, end_datetime), INTERVAL('2019-07-01T00:00:00Z', '2020-01-01T00:00:00Z'))`,
  `TRUE`,
  `FALSE`,
];

/** Test cases of CQL2 filters. A store must find the same Items as a predicate in memory. */
export function searchFilterCases(get: Get): void {
  it('finds with a filter the Items for which the filter is true', async () => {
    const stores = get();
    await publish(stores, ...ITEMS);
    let total = 0;
    for (const text of FILTERS) {
      const filter = parseCql2Text(text);
      const holds = cql2Predicate<SearchItem>(filter, {
        property,
        geometry: ({ geometry = square(85, 22) }) => geometry,
      });
      const expected = ITEMS.filter(holds).map(({ id }) => id);
      const ids = await found(stores, { filter, sort: [{ property: 'id', direction: 'asc' }] });
      expect({ text, ids }).toEqual({ text, ids: expected });
      total += expected.length;
    }
    // On average, a filter must match some of the five Items but not all. Otherwise the comparison proves little.
    expect(total / FILTERS.length).toBeGreaterThan(1);
    expect(total / FILTERS.length).toBeLessThan(4);
  });

  it("reads the name geometry as the Item's geometry, even if a property has that name", async () => {
    const stores = get();
    await publish(stores, { id: 'a', properties: { geometry: 5 } }, { id: 'b' });
    const by = async (text: string): Promise<readonly string[]> =>
      await found(stores, { filter: parseCql2Text(text), sort: [{ property: 'id', direction: 'asc' }] });
    expect(await by('geometry = 5')).toEqual([]);
    expect(await by('NOT geometry = 6')).toEqual([]);
    expect(await by('geometry IS NOT NULL')).toEqual(['a', 'b']);
  });

  it('finds an Item by its own times, even if they have microseconds', async () => {
    const stores = get();
    const [start, end, published] = [
      '2019-01-01T00:00:00.123456Z',
      '2019-06-01T00:00:00.654321Z',
      '2024-05-06T07:08:09.123456Z',
    ];
    const properties = { start_datetime: start, end_datetime: end, datetime: published, created: published };
    await publish(stores, { id: 'fine', properties }, { id: 'later', properties: { ...properties, created: end } });
    const by = async (text: string): Promise<readonly string[]> =>
      await found(stores, { filter: parseCql2Text(text), sort: [{ property: 'id', direction: 'asc' }] });
    for (const text of [
      `datetime = TIMESTAMP('${published}')`,
      `datetime = '${published}'`,
      `'2024-05-06T12:38:09.123456+05:30' = datetime`,
      `datetime IN ('${published}')`,
      `datetime BETWEEN '${published}' AND TIMESTAMP('${published}')`,
      `T_EQUALS(INTERVAL(start_datetime, end_datetime), INTERVAL('${start}', '${end}'))`,
      `start_datetime >= TIMESTAMP('${start}') AND NOT start_datetime > TIMESTAMP('${start}')`,
    ])
      expect([text, await by(text)]).toEqual([text, ['fine', 'later']]);
    // The three times above are compared in milliseconds, but `created` must be compared with all digits.
    expect(await by(`created = '${published}' AND datetime = '${published}'`)).toEqual(['fine']);
    expect(await by(`created = '2024-05-06T07:08:09.123Z'`)).toEqual([]);
  });

  it("truncates an Item's times to milliseconds, and leap seconds to the end of their minute", async () => {
    const stores = get();
    const cut: Readonly<Record<string, string>> = {
      '2024-01-01T00:00:00.1239999Z': '2024-01-01T00:00:00.123Z',
      '2024-01-01T23:59:59.9999999Z': '2024-01-01T23:59:59.999Z',
      '2024-01-02T05:30:00.99999999999+05:30': '2024-01-02T00:00:00.999Z',
      '9999-12-31T23:59:59.9999999Z': '9999-12-31T23:59:59.999Z',
      '2016-12-31T23:59:60Z': '2016-12-31T23:59:59.999Z',
      '2017-01-01T05:29:60.5+05:30': '2016-12-31T23:59:59.999Z',
    };
    const none = { start_datetime: undefined, end_datetime: undefined };
    for (const [index, [datetime, end]] of Object.entries(cut).entries()) {
      const id = `item ${index}`;
      await publish(stores, { id, properties: { ...none, datetime } });
      const filter = parseCql2Text(
        `datetime = TIMESTAMP('${end}') AND start_datetime = datetime AND end_datetime <= TIMESTAMP('${end}')`,
      );
      expect([datetime, await found(stores, { ids: [id], filter })]).toEqual([datetime, [id]]);
      const interval = { start: datetime, end };
      expect([datetime, await found(stores, { ids: [id], interval })]).toEqual([datetime, [id]]);
    }
  });

  it('returns the same pages, order and total for a slow filter as for a simple filter with the same meaning', async () => {
    const stores = get();
    await publish(
      stores,
      ...Array.from({ length: 90 }, (_, at): SearchItem => ({
        id: `item ${at}`,
        path: `a/b/${at % 3 === 0 ? 'c' : 'd'}`,
        geometry: square(80 + (at % 10), 20),
        properties: { ...(at % 5 === 0 ? {} : { gsd: at % 7 }), start_datetime: `20${10 + (at % 11)}-01-01T00:00:00Z` },
      })),
    );
    const small = 'gsd > 3';
    const costly = `${small} AND NOT (${Array.from({ length: 30 }, (_, at) => `CASEI(title) = '${at}'`).join(' OR ')})`;
    const requests: readonly SearchRequest[] = [
      { limit: 7, withMatched: true },
      { limit: 40, withMatched: true, mostMatched: 20 },
      { limit: 1, collections: ['a_b_d'], withMatched: true, maxScannedItems: 80 },
      { limit: 10, collections: ['a_b_c'], withMatched: true, maxScannedItems: 29 },
      { limit: 6, sort: [{ property: 'gsd', direction: 'desc' }], withMatched: true },
      { limit: 9, sort: [{ property: 'id', direction: 'asc' }], bbox: [82, 19, 85, 21] },
      { limit: 100, intersects: { type: 'Point', coordinates: [83.5, 20.5] }, withMatched: true },
      { limit: 3, ids: ['item 4', 'item 6', 'item 9'], interval: { start: '2010-01-01T00:00:00Z', end: null } },
    ];
    for (const request of requests) {
      const [first, second] = [
        await pages(stores, { ...request, filter: parseCql2Text(small) }),
        await pages(stores, { ...request, filter: parseCql2Text(costly) }),
      ];
      expect(second, JSON.stringify(request)).toEqual(first);
      expect(first.flatMap(({ items }) => items).length).toBeGreaterThan(1);
    }
  });

  it('combines a filter with all other conditions, on each page', async () => {
    const stores = get();
    await publish(stores, ...ITEMS);
    const request = {
      filter: parseCql2Text(`gsd = 10`),
      bbox: [85, 22, 86, 23],
      collections: [COLLECTION],
      interval: { start: '2020-12-01T00:00:00Z', end: null },
      limit: 1,
      withMatched: true,
    };
    const form = { name: 'ids', text: ({ id }: { readonly id: string }) => id };
    const first = await stores.search.search(request, form);
    const second = await stores.search.search({ ...request, cursor: first.next ?? '' }, form);
    expect([first.matched, second.matched, second.next]).toEqual([2, 2, undefined]);
    expect([...first.items, ...second.items].map(({ text }) => text)).toEqual(['b', 'a']);
  });
}

const TIMES: Readonly<Record<string, string>> = {
  start_datetime: '2020-07-01T00:00:00Z',
  end_datetime: '2021-06-30T23:59:59Z',
  datetime: '2024-05-06T07:08:09Z',
};

function property({ id, properties = {} }: SearchItem, name: string): unknown {
  if (name === 'id') return id;
  if (name === 'collection') return COLLECTION;
  if (name === 'title') return id;
  const time = TIMES[name];
  const own = properties[name];
  return time === undefined ? own : new Date(typeof own === 'string' ? own : time);
}
