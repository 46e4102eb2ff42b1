import { assert, property, string, tuple, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import { isStorable } from '@headwater/core/values';
import { parseQuery } from './query.ts';

const text = string({ unit: 'binary' }).filter(isStorable);

test('parses everything that URLSearchParams writes', () => {
  assert(
    property(uniqueArray(tuple(text, text), { selector: ([name]) => name }), (pairs) => {
      const read = parseQuery(new URLSearchParams(pairs).toString(), false);
      expect(new Map(Object.entries(read))).toEqual(new Map(pairs));
    }),
  );
});

test('joins the values of names that may be repeated, and refuses other repeated names', () => {
  const query = 'subset=Long(1,2)&SUBSET=Lat(3,4)&a=1';
  expect(parseQuery(query, true, ['subset'])).toEqual({ subset: 'Long(1,2),Lat(3,4)', a: '1' });
  expect(() => parseQuery(`${query}&a=2`, true, ['subset'])).toThrow(/a/);
  expect(() => parseQuery(query, true)).toThrow(/subset/);
});

test('parses each text, or refuses it with an error of status 400', () => {
  assert(
    property(string(), (query) => {
      expect(['read', 'parse', 'validation']).toContain(outcome(query));
    }),
  );
});

function outcome(query: string): string {
  try {
    parseQuery(query, true);
    return 'read';
  } catch (error) {
    return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown';
  }
}
