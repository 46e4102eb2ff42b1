import { assert, nat, property } from 'fast-check';
import { expect, test } from 'vitest';
import { readRange } from './byte-range.ts';

test('reads the range forms of RFC 9110', () => {
  expect(readRange('bytes=0-499', 1000)).toEqual({ start: 0, end: 499 });
  expect(readRange('bytes=-500', 1000)).toEqual({ start: 500, end: 999 });
  expect(readRange('bytes=9500-', 1000)).toBe('unsatisfiable');
  expect(readRange('bytes=-0', 1000)).toBe('unsatisfiable');
  expect(readRange('bytes=0-0,5-6', 1000)).toBe('whole');
  expect(readRange('lines=0-1', 1000)).toBe('whole');
  expect(readRange('bytes=5-2', 1000)).toBe('whole');
  expect(readRange(undefined, 1000)).toBe('whole');
});

test('a returned range is always inside the file', () => {
  assert(
    property(nat(), nat(), nat({ max: 5000 }), (a, b, size) => {
      const ranges = [`bytes=${a}-${b}`, `bytes=${a}-`, `bytes=-${b}`].map((header) => readRange(header, size));
      const outside = ranges.filter(
        (range) => typeof range !== 'string' && !(range.start >= 0 && range.start <= range.end && range.end < size),
      );
      expect(outside).toEqual([]);
    }),
  );
});
