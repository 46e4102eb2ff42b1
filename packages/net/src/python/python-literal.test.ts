import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseCell } from './python-literal.ts';

it.each<[string, unknown]>([
  ['[12, 15]', [12, 15]],
  ['[12, 15,]', [12, 15]],
  [
    "{12: {'area_intersect': 3.1, 'percentage_of_area': 0.4}}",
    { 12: { area_intersect: 3.1, percentage_of_area: 0.4 } },
  ],
  ['(1, None, True)', [1, null, true]],
  ["{'a', 'b'}", ['a', 'b']],
  ['[nan, -inf, 1e3, -.5]', [null, null, 1000, -0.5]],
  [String.raw`['it\'s', "a \"b\"", '\u0915\x41']`, ["it's", 'a "b"', 'कA']],
  ['{}', {}],
  [' "text" ', 'text'],
])('reads %s', (text, value) => expect(parseCell(text)).toEqual(value));

it.each([
  '',
  '[1',
  '[1 2]',
  "['a]",
  '{1: 2, 3}',
  '__import__("os")',
  '[1] + [2]',
  '{[1]: 2}',
  '['.repeat(50),
  String.raw`'\u12'`,
])('refuses %s', (text) => expect(() => parseCell(text)).toThrow(SyntaxError));

it('parseCell never uses the value of the key `__proto__` as a prototype', () => {
  const read = parseCell("{'__proto__': {'polluted': 1}}");
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  expect(JSON.stringify(read)).toBe('{"__proto__":{"polluted":1}}');
});

it('parseCell reads the output of JSON.stringify, and throws only SyntaxError for any other text', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(parseCell(text))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      try {
        parseCell(text);
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError);
      }
    }),
  );
});
