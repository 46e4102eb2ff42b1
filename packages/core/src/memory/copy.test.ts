import { expect, it } from 'vitest';
import { copy } from './copy.ts';

it('a copy shares no mutable data with its source', () => {
  const original = {
    text: 'a',
    none: null,
    absent: undefined,
    list: [1, { deep: [2] }],
    at: new Date(0),
    bytes: Uint8Array.of(1, 2),
    known: new Map([['a', { b: 1 }]]),
  };
  const copied = copy(original);
  expect(copied).toStrictEqual(original);
  copied.list.push(3);
  copied.bytes[0] = 9;
  copied.known.set('c', { b: 2 });
  expect([original.list.length, original.bytes[0], original.known.size]).toEqual([2, 1, 1]);
  expect(copied.list[1]).not.toBe(original.list[1]);
});

it('a copy has a member with the name __proto__ if its source has one', () => {
  const original: object = JSON.parse('{"__proto__":{"isAdmin":true},"a":1}');
  const copied = copy(original);
  expect(Object.getOwnPropertyNames(copied)).toEqual(['__proto__', 'a']);
  expect(Object.getPrototypeOf(copied)).toBe(Object.prototype);
  expect(JSON.stringify(copied)).toBe(JSON.stringify(original));
});

it('copy refuses data that cannot be stored', () => {
  expect(() => copy({ run: () => 1 })).toThrow(/could not be cloned/);
});
