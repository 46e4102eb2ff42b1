import type { SearchConditions, SortKey } from '@headwater/core/ports';
import { sortKeys } from '@headwater/core/search';
import { parseCql2Text } from '@headwater/cql2';
import { expect, it } from 'vitest';
import type { SearchSql, Statement } from '../database.ts';
import { rowsNear } from './near.ts';

const form = { name: 'ids', text: () => '' };
const BOX = [77.1, 12.2, 77.4, 12.5] as const;

async function nameOf(
  request: SearchConditions,
  sort?: readonly SortKey[],
  isLater = false,
): Promise<string | undefined> {
  const statements: (string | Statement)[] = [];
  const sql: SearchSql = {
    rows: async (text) => {
      statements.push(text);
      return [];
    },
    first: async () => undefined,
  };
  const after = isLater ? ['2020-01-01T00:00:00Z', 'item 1', 'a_b_c'] : undefined;
  await rowsNear(sql, { request, keys: sortKeys(sort), after, form, limit: 10, maxBytes: 1000 });
  const [statement] = statements;
  return typeof statement === 'object' ? statement.name : undefined;
}

it('searches of small boxes share one prepared statement; each kind of further condition has its own statement', async () => {
  const interval = { start: '2020-01-01T00:00:00Z', end: '2021-01-01T00:00:00Z' };
  const name = await nameOf({ bbox: BOX });
  expect(name).toMatch(/^headwater_near_[0-9a-f]{32}$/);
  expect(await nameOf({ bbox: [0, 0, 0.1, 0.1, 5, 9] })).toBe(await nameOf({ bbox: [-10, 0, 0, -9, 5, 9] }));
  expect(await nameOf({ bbox: [70, 10, 71, 11] })).toBe(name);
  const others = [
    await nameOf({ bbox: BOX, collections: ['a'] }),
    await nameOf({ bbox: BOX, collections: ['a', 'b'] }),
    await nameOf({ bbox: BOX, interval }),
    await nameOf({ bbox: BOX }, undefined, true),
  ];
  expect(new Set([name, ...others]).size).toBe(5);
  expect(await nameOf({ bbox: BOX, collections: ['a', 'b', 'c'] })).toBe(others[1]);
});

it.each<readonly [name: string, request: SearchConditions, sort: readonly SortKey[] | undefined]>([
  ['no box', {}, undefined],
  ['a wide box', { bbox: [70, 10, 72.1, 11] }, undefined],
  ['a high box', { bbox: [70, 10, 71, 12.1] }, undefined],
  ['a box over the antimeridian', { bbox: [179.9, 10, -179.9, 11] }, undefined],
  ['ids', { bbox: BOX, ids: ['a'] }, undefined],
  ['a filter, since filters have unlimited texts', { bbox: BOX, filter: parseCql2Text('gsd = 3') }, undefined],
  ['a shape', { bbox: BOX, intersects: { type: 'Point', coordinates: [77.2, 12.3] } }, undefined],
  ['another order', { bbox: BOX }, [{ property: 'id', direction: 'asc' }]],
])('a search with %s does not use the statement of small boxes', async (_name, request, sort) => {
  expect(await nameOf(request, sort)).toBeUndefined();
});
