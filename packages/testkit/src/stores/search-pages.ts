import type { SearchRequest, SortKey } from '@headwater/core/ports';
import { parseCql2Text } from '@headwater/http-service/testing';
import { expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { COLLECTION, FORM, found, pages, publish, type SearchItem } from './search-sample.ts';

/** Values in the order of a sorted search: values that count as absent, numbers, texts by code points. */
const VALUES: readonly unknown[] = [
  undefined,
  null,
  [1],
  -1e300,
  -1,
  0,
  0.1,
  2,
  10,
  1e300,
  '',
  '10',
  '2',
  'Z',
  'a',
  'a,b',
  'ab',
  'ä',
  '\uffee',
  '𝄞',
];
const DIRECTIONS = ['asc', 'desc'] as const;

/** Test cases of sorting and paging. */
export function searchPageCases(get: Get): void {
  it('returns each Item once and in the same order, for any page size and any sort', async () => {
    const stores = get();
    const items = VALUES.map((value, index): SearchItem => ({
      id: `item ${String(index).padStart(2, '0')}, "ü"`,
      path: `a/b/${'cde'[index % 3] ?? ''}`,
      properties: {
        ...(value === undefined ? {} : { 'eo:value': value }),
        tie: index % 2,
        start_datetime: `20${10 + (index % 4)}-01-01T00:00:00.${index % 3}Z`,
      },
    }));
    await publish(stores, ...items);
    const sorts: readonly (readonly SortKey[])[] = [
      [],
      ...['eo:value', 'id', 'collection', 'start_datetime', 'datetime', 'nowhere'].flatMap((property) =>
        DIRECTIONS.map((direction) => [{ property, direction }]),
      ),
      [
        { property: 'tie', direction: 'asc' },
        { property: 'eo:value', direction: 'desc' },
        { property: 'id', direction: 'asc' },
      ],
      [
        { property: 'collection', direction: 'desc' },
        { property: 'tie', direction: 'asc' },
      ],
    ];
    for (const sort of sorts) {
      const whole = await keys(stores, { sort, limit: 100 });
      expect(new Set(whole).size).toBe(VALUES.length);
      for (const limit of [1, 2, 3, 7, VALUES.length - 1, VALUES.length, VALUES.length + 1])
        expect({ sort, limit, got: await keys(stores, { sort, limit }) }).toEqual({ sort, limit, got: whole });
    }
    const ascending = await found(stores, { sort: [{ property: 'eo:value', direction: 'asc' }] });
    expect(ascending.slice(3)).toEqual(items.slice(3).map(({ id }) => id));
    const descending = await found(stores, { sort: [{ property: 'eo:value', direction: 'desc' }] });
    expect(descending).toEqual(ascending.toReversed());
  });

  it('returns each Item once if a search is sorted by long texts; its cursors are short enough for an address', async () => {
    const stores = get();
    const start = '𝄞'.repeat(199);
    const texts = ['b', 'a', 'c'].map((letter) => `${start}${letter}${'x'.repeat(20_000)}`);
    // Only the beginning of a long text is compared; then ids determine the order.
    const alike = ['z', 'y'].map((letter) => `${start}d${letter}`);
    await publish(
      stores,
      ...[...texts, ...alike].map((text, at): SearchItem => ({ id: `item ${at}`, properties: { text, flag: at > 1 } })),
    );
    for (const [direction, order] of [
      ['asc', [1, 0, 2, 3, 4]],
      ['desc', [4, 3, 2, 0, 1]],
    ] as const)
      for (const limit of [1, 2, 10]) {
        const sort = [{ property: 'text', direction }];
        const all = await pages(stores, { sort, limit });
        expect(all.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(order.map((at) => `item ${at}`));
        for (const { next = '' } of all) expect(next.length).toBeLessThan(2000);
      }
    expect(await found(stores, { filter: parseCql2Text(`text = '${texts[1] ?? ''}'`) })).toEqual(['item 1']);
  });

  it('continues after the last page that was read, even if Items are published or replaced in between', async () => {
    const stores = get();
    await publish(stores, ...['b', 'd', 'f', 'h'].map((id) => ({ id })));
    const sort: readonly SortKey[] = [{ property: 'id', direction: 'asc' }];
    const first = await stores.search.search({ sort, limit: 2 }, FORM);
    expect(first.items.map(({ id }) => id)).toEqual(['b', 'd']);
    await publish(stores, ...['a', 'c', 'e', 'd'].map((id) => ({ id })));
    const rest = await stores.search.search({ sort, limit: 10, cursor: first.next ?? '' }, FORM);
    expect(rest.items.map(({ id }) => id)).toEqual(['e', 'f', 'h']);
    expect(rest.next).toBeUndefined();
  });

  it('refuses an invalid cursor and a cursor of another sort, with a message that names the field', async () => {
    const stores = get();
    await publish(stores, { id: 'a' }, { id: 'b' });
    const sort: readonly SortKey[] = [{ property: 'title', direction: 'asc' }];
    const { next = '' } = await stores.search.search({ sort, limit: 1 }, FORM);
    const write = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const order = JSON.stringify([['title', 'asc']]);
    const byTime = JSON.stringify([['datetime', 'asc']]);
    for (const cursor of [
      '',
      'x',
      '=',
      'é',
      next.slice(1),
      `${next}!`,
      'A'.repeat(20_000),
      write({}),
      write([]),
      write([1]),
      write(null),
      write([order]),
      write([order, 'a', 'b']),
      write([order, 'a', 'b', 'c', 'd']),
      write([order, {}, 'b', 'c']),
      write([order, 'a', 1, 'c']),
      write([order, 'a', null, 'c']),
      write([order, 'a\0', 'b', 'c']),
      write([order, true, 'b', 'c']),
    ])
      await expect(stores.search.search({ sort, limit: 1, cursor }, FORM)).rejects.toMatchObject({
        code: 'validation',
        fields: { cursor: [{}] },
      });
    for (const value of [
      'soon',
      '2020',
      '0000-99-01T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '2023-02-30T00:00:00Z',
      '2020-1-1T0:0:0Z',
      7,
    ])
      await expect(
        stores.search.search(
          { sort: [{ property: 'datetime', direction: 'asc' }], limit: 1, cursor: write([byTime, value, 'b', 'c']) },
          FORM,
        ),
      ).rejects.toMatchObject({ code: 'validation' });
    await expect(stores.search.search({ limit: 1, cursor: next }, FORM)).rejects.toMatchObject({
      fields: { cursor: [{ message: expect.stringContaining('another sort') }] },
    });
    // A client can invent a cursor, which the store must treat only as a position.
    const handmade = write([order, `'; drop table headwater.items; --`, '', '']);
    expect((await stores.search.search({ sort, limit: 5, cursor: handmade }, FORM)).items).toHaveLength(2);
  });

  it('ends a page before it exceeds the byte limit, but always returns at least one Item', async () => {
    const stores = get();
    await publish(
      stores,
      ...[0, 1, 2, 3, 4].map((n) => ({ id: `${n}`, properties: { description: 'ü'.repeat(1000) } })),
    );
    const sort: readonly SortKey[] = [{ property: 'id', direction: 'asc' }];
    const [one] = (await stores.search.search({ sort, limit: 1 }, FORM)).items;
    const size = Buffer.byteLength(one?.text ?? '');
    const sizes = async (maxBytes: number, limit = 10): Promise<readonly number[]> =>
      (await pages(stores, { sort, limit, maxBytes })).map(({ items }) => items.length);
    for (const write of [false, true]) {
      if (write) await stores.search.write(FORM, 100);
      expect(await sizes(size * 2)).toEqual([2, 2, 1]);
      expect(await sizes(size * 3 - 1)).toEqual([2, 2, 1]);
      expect(await sizes(size)).toEqual([1, 1, 1, 1, 1]);
      expect(await sizes(1)).toEqual([1, 1, 1, 1, 1]);
      expect(await sizes(size * 5)).toEqual([5]);
      expect(await sizes(size * 4, 3)).toEqual([3, 2]);
    }
  });

  it('counts all matches if requested, and returns no count above `mostMatched`', async () => {
    const stores = get();
    await publish(stores, ...['a', 'b', 'c'].map((id) => ({ id })));
    const first = await stores.search.search({ limit: 2, withMatched: true }, FORM);
    expect(first.matched).toBe(3);
    const second = await stores.search.search({ limit: 2, withMatched: true, cursor: first.next ?? '' }, FORM);
    expect([second.matched, second.items.length]).toEqual([3, 1]);
    expect((await stores.search.search({ limit: 2 }, FORM)).matched).toBeUndefined();
    const upTo = async (mostMatched: number, limit: number): Promise<number | undefined> =>
      (await stores.search.search({ limit, withMatched: true, mostMatched }, FORM)).matched;
    expect([await upTo(3, 1), await upTo(2, 1), await upTo(2, 3), await upTo(3, 3)]).toEqual([
      3,
      undefined,
      undefined,
      3,
    ]);
    expect((await stores.search.search({ limit: 2, ids: [], withMatched: true }, FORM)).matched).toBe(0);
  });

  it('counts matches only if few Items have the requested ids and Collections, or if the first page contains all matches', async () => {
    const stores = get();
    const gsd = (value: number) => ({ properties: { gsd: value } });
    const ids = ['a', 'b', 'c', 'd'];
    await publish(stores, ...ids.map((id, index) => ({ id, ...gsd(index) })));
    await publish(stores, { id: 'e', path: 'kerala/idukki/devikulam', ...gsd(2) });
    const matched = async (request: Partial<SearchRequest>): Promise<number | undefined> =>
      (await stores.search.search({ limit: 1, withMatched: true, maxScannedItems: 4, ...request }, FORM)).matched;
    expect(await matched({})).toBeUndefined();
    expect(await matched({ maxScannedItems: 5 })).toBe(5);
    expect(await matched({ collections: [COLLECTION] })).toBe(4);
    expect(await matched({ collections: [COLLECTION], maxScannedItems: 3 })).toBeUndefined();
    const filter = parseCql2Text('gsd >= 2');
    expect(await matched({ filter })).toBeUndefined();
    expect(await matched({ filter, collections: [COLLECTION] })).toBe(2);
    expect(await matched({ filter, ids })).toBe(2);
    expect(await matched({ filter, ids, mostMatched: 1 })).toBeUndefined();
    expect(await matched({ filter, limit: 3 })).toBe(3);
  });
}

async function keys(stores: ReturnType<Get>, request: SearchRequest): Promise<readonly string[]> {
  const all = await pages(stores, request);
  return all.flatMap(({ items }) => items.map(({ id, collectionPath }) => `${collectionPath} ${id}`));
}
