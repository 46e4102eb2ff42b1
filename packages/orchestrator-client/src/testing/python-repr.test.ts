import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pythonRepr } from './python-repr.ts';
import { parseRepr } from '@headwater/net/python-literal';

describe('parseRepr', () => {
  it.each([
    // Texts by repr() of CPython 3.11.
    [
      String.raw`[('localhost', 'it\'s "quoted" é \\ line\n\x1b[31m\u200b')]`,
      [['localhost', 'it\'s "quoted" é \\ line\n\u001b[31m\u200b']],
    ],
    [`(("host", "it's"),)`, [['host', "it's"]]],
    [`{'a': None, 'b': [True, False, -1.5e-07], 3: ()}`, { a: null, b: [true, false, -1.5e-7], 3: [] }],
    [String.raw`'\U0001f30d \x00'`, '🌍 \0'],
    [`{'inf': inf, 'big': 1e+300}`, { inf: Infinity, big: 1e300 }],
    ['[]', []],
    [`b'bytes'`, 'bytes'],
  ])('reads %s', (source, value) => {
    expect(parseRepr(source)).toEqual({ value });
  });

  it.each([
    '',
    '<object at 0x7f>',
    '[1, 2',
    "'open",
    "{'a' 1}",
    '[1] 2',
    "{'a': datetime(2026, 1, 1)}",
    String.raw`'\q'`,
    '['.repeat(5000),
  ])('%j is not a literal', (source) => {
    expect(parseRepr(source.slice(0, 6000))).toBeUndefined();
  });

  it("reads Python's repr of any data and never throws", () => {
    const json = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    })).value;
    fc.assert(
      fc.property(json, (value) => {
        expect(parseRepr(pythonRepr(value))?.value).toEqual(value);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => parseRepr(text)).not.toThrow();
      }),
    );
  });
});
