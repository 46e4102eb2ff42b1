import { expect } from 'vitest';
import { DATELINE_COLLECTION, TIE_COLLECTION, TIES } from '../fixture/search-world.ts';
import type { HttpTarget } from '../targets/target.ts';
import { INVALID_TIMES, VALID_TIMES } from './stac-api-times.ts';
import type { StacClient } from './stac-api-client.ts';
import { defineCase, jsonInit } from './harness.ts';

const POSITION = [100, 0];
const LINE = [POSITION, [101, 1]];
const RING = [POSITION, [101, 0], [101, 1], POSITION];
const POLYGON = { type: 'Polygon', coordinates: [RING] };

/** Geometries of the kinds that STAC API validators send. */
const GEOMETRIES: readonly object[] = [
  { type: 'Point', coordinates: POSITION },
  { type: 'LineString', coordinates: LINE },
  POLYGON,
  {
    type: 'Polygon',
    coordinates: [
      RING,
      [
        [100.8, 0.5],
        [100.9, 0.5],
        [100.9, 0.6],
        [100.8, 0.5],
      ],
    ],
  },
  { type: 'MultiPoint', coordinates: LINE },
  { type: 'MultiLineString', coordinates: [LINE, LINE] },
  { type: 'MultiPolygon', coordinates: [[RING]] },
  { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: POSITION }, POLYGON] },
];

const INVALID_GEOMETRIES: readonly unknown[] = [
  'POINT(0 0)',
  [],
  {},
  { type: 'Circle', coordinates: [] },
  { type: 'Point', coordinates: [] },
  { type: 'Point', coordinates: ['85', '24'] },
  { type: 'Point', coordinates: [85, 95] },
  { type: 'Point', coordinates: [[85, 24]] },
  { type: 'LineString', coordinates: [POSITION] },
  { type: 'Polygon', coordinates: [LINE] },
  { type: 'Polygon', coordinates: [[POSITION, [101, 0], [101, 1], [100, 1]]] },
  { type: 'MultiPolygon', coordinates: [RING] },
  { type: 'GeometryCollection', geometries: [] },
  { type: 'Feature', geometry: POLYGON },
];

/** Test cases of valid and invalid parameters, by GET and by POST. */
export function stacParameterCases(target: HttpTarget, client: StacClient): void {
  const { search, post, refused, refusedBody } = client;
  const ids = ({ features }: { readonly features: readonly { readonly id: string }[] }): readonly string[] =>
    features.map(({ id }) => id).toSorted();

  defineCase(target, 'accepts times in every form of RFC 3339, and refuses other times', async () => {
    for (const datetime of VALID_TIMES) {
      await search({ datetime });
      await post({ datetime });
    }
    for (const datetime of INVALID_TIMES) {
      await refused('datetime', { datetime });
      expect(await refusedBody('datetime', { datetime })).toMatch(/Write an RFC 3339 time|swap its start and end/);
    }
  });

  defineCase(target, 'reads an unencoded plus sign in a time as the sign of the offset', async () => {
    const { numberMatched } = await client.read<{ numberMatched: number }>('search?datetime=2019-08-01T00:00:00+05:30');
    expect(numberMatched).toBe(TIES.length);
  });

  defineCase(target, 'accepts boxes of four or six numbers, and refuses other boxes', async () => {
    const found = ids(await search({ bbox: '90,25,90.05,25.05' }));
    expect(found).toHaveLength(TIES.length);
    expect(ids(await search({ bbox: ' 90, 25,-10,90.05 ,25.05,10' }))).toEqual(found);
    expect(ids(await post({ bbox: [90, 25, 90.05, 25.05] }))).toEqual(found);
    expect(ids(await post({ bbox: [90, 25, -10, 90.05, 25.05, 10] }))).toEqual(found);
    const wrong = [
      '0',
      '0,0',
      '0,0,0',
      '0,0,0,1,1',
      '0,0,0,1,1,1,1',
      '[90,25,91,26]',
      '90,26,91,25',
      '90,25,91,95',
      '400,0,401,1',
      'a,b,c,d',
      '0,0,NaN,1',
      '',
      '1,2,3,',
      '0,0,5,1,1,0',
    ];
    for (const bbox of wrong) await refused('bbox', { bbox });
    for (const bbox of [
      '90,25,91,26',
      [0],
      [0, 0],
      [0, 0, 0],
      [0, 0, 0, 1, 1],
      [0, 0, 0, 1, 1, 1, 1],
      [90, 26, 91, 25],
      ['90', '25', '91', '26'],
      null,
      {},
    ])
      await refusedBody('bbox', { bbox });
  });

  defineCase(target, 'a box with west > east, or with longitudes beyond 180, crosses the antimeridian', async () => {
    const only = [DATELINE_COLLECTION];
    for (const bbox of ['179,-18,-179,-15', '179,-18,181,-15', '-181,-18,-179,-15'])
      expect((await search({ bbox })).features.map(({ collection }) => collection)).toEqual(only);
    expect((await search({ bbox: '-179,-18,178,-15' })).features).toHaveLength(1);
    expect((await search({ bbox: '-178,-18,177,-15' })).features).toHaveLength(0);
    expect((await search({ bbox: '-180,-90,180,90' })).numberMatched).toBe(2 + TIES.length + 1);
  });

  defineCase(target, 'accepts geometries of every type, and refuses invalid geometries', async () => {
    for (const geometry of GEOMETRIES) {
      await search({ intersects: JSON.stringify(geometry) });
      await post({ intersects: geometry });
    }
    for (const geometry of INVALID_GEOMETRIES) {
      await refused('intersects', { intersects: JSON.stringify(geometry) });
      const answer = await client.send('search', jsonInit({ intersects: geometry }));
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('intersects')]);
    }
    await refused('intersects', { intersects: '{"type":' });
    const inside = { type: 'Point', coordinates: [85.05, 24.05] };
    expect((await post({ intersects: inside })).features).toHaveLength(2);
  });

  defineCase(target, 'refuses a box together with a geometry', async () => {
    await refused('bbox', { bbox: '0,0,1,1', intersects: JSON.stringify(POLYGON) });
    expect(await refusedBody('bbox', { bbox: [0, 0, 1, 1], intersects: POLYGON })).toMatch(/leave out one of them/);
  });

  defineCase(
    target,
    'refuses limits that are not positive integers, and reduces large limits to the maximum',
    async () => {
      for (const limit of ['-1', '0', 'ten', '1.5', '', ' ', '1e3', '0x10']) await refused('limit', { limit });
      for (const limit of [-1, 0, 'ten', '10', 1.5, null, [1], true]) await refusedBody('limit', { limit });
      for (const limit of ['10000', '1000000', '9'.repeat(40)])
        expect((await search({ limit })).numberReturned).toBe(2 + TIES.length + 1);
      expect((await post({ limit: 1_000_000 })).numberReturned).toBe(2 + TIES.length + 1);
      expect((await search({ limit: '1' })).features).toHaveLength(1);
    },
  );

  defineCase(target, 'ids and collections accept one text or a list, and all conditions must match', async () => {
    const found = ids(await search({ collections: TIE_COLLECTION }));
    expect(found).toHaveLength(TIES.length);
    const [one = '', two = ''] = found;
    expect(ids(await post({ collections: TIE_COLLECTION }))).toEqual(found);
    expect(ids(await post({ collections: [TIE_COLLECTION, DATELINE_COLLECTION, 'nowhere'] }))).toHaveLength(
      TIES.length + 1,
    );
    expect(ids(await search({ ids: `${one},${two}` }))).toEqual([one, two]);
    expect(ids(await post({ ids: [one, two] }))).toEqual([one, two]);
    expect(ids(await post({ ids: one }))).toEqual([one]);
    const all = ids(await search({}));
    expect(all.length).toBeGreaterThan(TIES.length);
    for (const name of ['ids', 'collections']) {
      // An empty list selects nothing. An empty text, as from an empty form field, is ignored.
      expect(ids(await post({ [name]: [] }))).toEqual([]);
      expect(ids(await post({ [name]: '' }))).toEqual(all);
      expect(ids(await search({ [name]: '' }))).toEqual(all);
    }
    expect(ids(await search({ ids: one, bbox: '0,0,1,1' }))).toEqual([]);
    expect(ids(await search({ ids: one, collections: DATELINE_COLLECTION }))).toEqual([]);
    expect(ids(await search({ collections: 'east_state' }))).toEqual([]);
    for (const wrong of [1, [1], null, { a: 'b' }]) await refusedBody('ids', { ids: wrong });
  });

  defineCase(
    target,
    'an empty text: `ids`, `collections` and `sortby` ignore it, `fields` selects only the members that every Item needs, other parameters refuse it',
    async () => {
      const whole = await search({});
      for (const name of ['ids', 'collections', 'sortby'])
        expect([name, (await search({ [name]: '' })).features]).toEqual([name, whole.features]);
      const named = await search({ fields: '' });
      expect(ids(named)).toEqual(ids(whole));
      expect(named.features).toEqual((await post({ fields: { include: [] } })).features);
      expect(named.features).not.toEqual(whole.features);
      for (const name of ['limit', 'token', 'bbox', 'datetime', 'filter', 'intersects', 'query'])
        await refused(name, { [name]: '' });
    },
  );

  defineCase(target, 'sorting by known and unknown fields is accepted; an invalid sortby is refused', async () => {
    const found = ids(await search({ sortby: '-properties.unknown:field,+id' }));
    expect(found).toHaveLength(2 + TIES.length + 1);
    const sorted = await post({
      sortby: [
        { field: 'properties.gsd', direction: 'desc' },
        { field: 'id', direction: 'asc' },
      ],
      collections: TIE_COLLECTION,
    });
    expect(sorted.features.map(({ id }) => id)).toEqual(ids(sorted).toReversed());
    expect((await search({ sortby: '+id', collections: TIE_COLLECTION })).features.map(({ id }) => id)).toEqual(
      ids(sorted),
    );
    await refused('sortby', { sortby: '-' });
    await refusedBody('sortby', {
      sortby: Array.from({ length: 40 }, (_, at) => ({ field: `f${at}`, direction: 'asc' })),
    });
    const answer = await client.send('search', jsonInit({ sortby: [{ field: 'id', direction: 'up' }] }));
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('sortby')]);
  });

  defineCase(target, 'refuses bodies that are not objects, and tokens that no page returned', async () => {
    for (const body of [[], 'text', 7, null]) {
      const answer = await client.send('search', jsonInit(body));
      expect([answer.status, await answer.json()]).toMatchObject([400, { description: expect.any(String) }]);
    }
    for (const token of ['nonsense', '', 'WyJhIl0', '7.WyJhIl0', '7.', '.WyJhIl0', '../..', 'a'.repeat(12_000)]) {
      await refused('token', { token });
      await refusedBody('token', { token });
    }
    const { links } = await search({ limit: '1' });
    const token = new URL(links.find(({ rel }) => rel === 'next')?.href ?? '').searchParams.get('token') ?? '';
    expect(await refused('token', { token, sortby: '+id' })).toMatch(
      /Send the request of the link `next` without changing it/,
    );
    expect(await client.send('search', { method: 'POST' }).then(({ status }) => status)).toBe(200);
  });
}
