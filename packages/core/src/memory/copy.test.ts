import { expect, it } from 'vitest';
import { copy } from './copy.ts';

it('shares nothing that can be changed', () => {
  const given = {
    text: 'a',
    none: null,
    absent: undefined,
    list: [1, { deep: [2] }],
    at: new Date(0),
    bytes: Uint8Array.of(1, 2),
    known: new Map([['a', { b: 1 }]]),
  };
  const made = copy(given);
  expect(made).toStrictEqual(given);
  made.list.push(3);
  made.bytes[0] = 9;
  made.known.set('c', { b: 2 });
  expect([given.list.length, given.bytes[0], given.known.size]).toEqual([2, 1, 1]);
  expect(made.list[1]).not.toBe(given.list[1]);
});

it('keeps a member of the name __proto__ as a member', () => {
  const given: object = JSON.parse('{"__proto__":{"isAdmin":true},"a":1}');
  const made = copy(given);
  expect(Object.getOwnPropertyNames(made)).toEqual(['__proto__', 'a']);
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
  expect(JSON.stringify(made)).toBe(JSON.stringify(given));
});

it('refuses what cannot be stored', () => {
  expect(() => copy({ run: () => 1 })).toThrow(/could not be cloned/);
});
