import { expect, test } from 'vitest';
import { cacheQueries } from './query-cache.ts';

function counted(): { readonly read: (text: string) => { readonly text: string }; readonly calls: string[] } {
  const calls: string[] = [];
  const read = (text: string): { readonly text: string } => {
    calls.push(text);
    if (text === 'bad') throw new Error('bad');
    return { text };
  };
  return { read, calls };
}

test('parses a text once and returns the same value again', () => {
  const { read, calls } = counted();
  const cached = cacheQueries(read);
  expect(cached('a=1')).toBe(cached('a=1'));
  expect(cached('a=2')).toEqual({ text: 'a=2' });
  expect(calls).toEqual(['a=1', 'a=2']);
});

test('caches neither errors nor long texts', () => {
  const { read, calls } = counted();
  const cached = cacheQueries(read, { most: 10, longest: 5 });
  for (const text of ['bad', 'bad']) expect(() => cached(text)).toThrow('bad');
  expect(cached('123456')).toEqual(cached('123456'));
  expect(calls).toEqual(['bad', 'bad', '123456', '123456']);
});

test('caches recent texts and drops old ones', () => {
  const { read, calls } = counted();
  const cached = cacheQueries(read, { most: 2, longest: 5 });
  for (const text of ['a', 'b', 'c', 'a', 'd']) cached(text);
  expect(calls).toEqual(['a', 'b', 'c', 'd']);
  // The dropped older half contained `b`; the second `a` had moved `a` to the younger half.
  for (const text of ['a', 'b']) cached(text);
  expect(calls).toEqual(['a', 'b', 'c', 'd', 'b']);
});
