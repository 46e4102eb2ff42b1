import { expect, test } from 'vitest';
import { z } from 'zod';
import { operation } from '../rows/operation.ts';
import { KEY_ROW } from '../features/public-data/rows/public-layers.ts';
import { PlaceQuery } from '../features/public-data/schemas/public-places.ts';
import { planOf } from './row-plan.ts';

const LIMITS = { bodyLimit: 1000 };

function countedRow(): { readonly row: ReturnType<typeof operation>; readonly read: string[] } {
  const read: string[] = [];
  const name = z
    .string()
    .max(3)
    .transform((text) => {
      read.push(text);
      return { text };
    });
  const row = operation({
    id: 'readName',
    method: 'GET',
    path: '/names/',
    auth: 'public',
    tag: 'test',
    summary: 'Reads a name',
    query: z.object({ name }),
    responses: {},
    errors: [],
    examples: [],
    handler: () => ({ status: 200, json: null }),
  });
  return { row, read };
}

test('a row with cached queries parses equal texts once, but checks an invalid text each time', () => {
  const { row, read } = countedRow();
  const { readQuery } = planOf({ ...row, cachesQueries: true }, LIMITS);
  expect(readQuery('name=a')).toEqual({ name: { text: 'a' } });
  expect(readQuery('name=a')).toBe(readQuery('name=a'));
  expect(readQuery('name=b')).toEqual({ name: { text: 'b' } });
  expect(read).toEqual(['a', 'b']);
  const refused = { code: 'validation' };
  for (const bad of ['name=long', 'name=long', 'name=a&name=a', '']) {
    expect(() => readQuery(bad)).toThrow(expect.objectContaining(refused));
  }
});

test('a row without cached queries parses the query of each request', () => {
  const { row, read } = countedRow();
  const { readQuery } = planOf(row, LIMITS);
  expect(readQuery('name=a')).not.toBe(readQuery('name=a'));
  expect(read).toEqual(['a', 'a']);
});

test('rows of the public data cache their queries; each spelling of a place is cached separately', () => {
  const { row } = countedRow();
  const { readQuery } = planOf({ ...row, ...KEY_ROW, query: PlaceQuery }, LIMITS);
  const first = readQuery('state=A+b&district=c&tehsil=d');
  expect(readQuery('state=A+b&district=c&tehsil=d')).toBe(first);
  expect(first).toMatchObject({ parameter: 'tehsil', slugs: { state: 'a_b', district: 'c', tehsil: 'd' } });
  expect(readQuery('state=A+b&district=c&block=d')).toMatchObject({ parameter: 'block' });
  expect(readQuery('state=A%20b&district=c&tehsil=d')).toEqual(first);
});
