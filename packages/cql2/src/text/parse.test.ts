import { describe, expect, test } from 'vitest';
import { isCql2Error, parseCql2Json, parseCql2Text, writeCql2Text } from '../index.ts';
import { UNSUPPORTED, STANDARD, VALIDATOR_TEXTS } from './standard.fixture.ts';

function refusal(text: string) {
  try {
    parseCql2Text(text);
  } catch (error) {
    if (isCql2Error(error)) return error.details;
    throw error;
  }
  return undefined;
}

describe('examples of the standard', () => {
  test.each(STANDARD)('$name: $text', ({ text, json }) => {
    expect(parseCql2Text(text)).toEqual(json);
    expect(parseCql2Json(JSON.parse(JSON.stringify(json)))).toEqual(json);
    expect(parseCql2Text(writeCql2Text(json))).toEqual(json);
  });

  test.each([...UNSUPPORTED, 'a DIV 2 = 1', 'a = 4 div b'])('%s is refused as not supported', (text) => {
    expect(refusal(text)).toMatchObject({ code: 'unsupported' });
  });
});

test.each(VALIDATOR_TEXTS)('accepts %s, which a validator of STAC APIs sends', (text) => {
  expect(parseCql2Text(writeCql2Text(parseCql2Text(text)))).toEqual(parseCql2Text(text));
});

test.each([
  ['', 0, 'the end of the text'],
  ['a', 0, 'a property'],
  ['a =', 3, 'the end of the text'],
  ['a = 1 AND', 9, 'the end of the text'],
  ['a != 1', 2, '"!="'],
  ["a = 'open", 4, 'not closed'],
  ["a = 'it's'", 8, '"s"'],
  ['a = "open', 4, 'not closed'],
  ['a == 1', 3, '"="'],
  ['a = NULL', 4, '"NULL"'],
  ['a = -b', 5, '"b"'],
  ['a = 1e999', 4, 'Infinity'],
  ['a IN ()', 6, '")"'],
  ['(a = 1', 6, 'the end'],
  ['a = 1)', 5, '")"'],
  ['a = 1 b = 2', 6, '"b"'],
  ["a LIKE '100\\'", 7, 'one backslash'],
  ['a LIKE b', 7, 'a property'],
  ["a = 'x' + 1", 4, 'a text'],
  ["a = TIMESTAMP('2021-02-29T00:00:00Z')", 4, '2021-02-29'],
  ["a = TIMESTAMP('2021-02-28')", 4, '2021-02-28'],
  ["a = DATE('0000-01-01')", 4, '0000'],
  ["T_AFTER(a, INTERVAL('..'))", 24, '")"'],
  ["a = INTERVAL('2020-01-01', '..')", 4, 'an interval'],
  ['S_INTERSECTS(geometry, POINT EMPTY)', 29, '"EMPTY"'],
  ['S_INTERSECTS(geometry, POINT(181 0))', 23, '181'],
  ['S_INTERSECTS(geometry, POINT(0 91))', 23, '91'],
  ['S_INTERSECTS(geometry, POINT(1e999 0))', 23, 'Infinity'],
  ['S_INTERSECTS(geometry, POLYGON((0 0, 1 0, 1 1, 0 1)))', 23, 'a ring from'],
  ['S_INTERSECTS(geometry, POLYGON((0 0, 1 0, 0 0)))', 23, 'a list of 3'],
  ['S_INTERSECTS(geometry, BBOX(1,2,3))', 23, 'a list of 3'],
  ['S_INTERSECTS(geometry, BBOX(0,10,1,5))', 23, 'the box'],
  ['S_INTERSECTS(geometry)', 0, '1 argument'],
  ["S_INTERSECTS(geometry, 'POINT(1 2)')", 23, 'a text'],
  ['S_INTERSECTS(geometry, GEOMETRYCOLLECTION(GEOMETRYCOLLECTION(POINT(1 2))))', 42, 'GEOMETRYCOLLECTION'],
  ['__proto__ = 1', 0, '__proto__'],
  ['"" = 1', 0, '""'],
  ["a = '\ud800'", 4, 'an invalid character'],
  ["a = '\0'", 4, 'an invalid character'],
  ['a = \ud800', 4, ''],
])('%j is refused at offset %i', (text, position, found) => {
  const details = refusal(text);
  expect(details?.position).toBe(position);
  expect(details?.found).toContain(found);
  expect(details?.remedy).toMatch(/\.$/);
});

test.each([
  ["a = 'it\\'s' AND b = 'x'", ["it's", 'x']],
  ["a = '\\'' OR b LIKE 'it\\'%'", ["'", "it'%"]],
  // If the filter is valid with the backslash as an ordinary character, the backslash is not an escape.
  ["a = 'C:\\' AND b = 'x'", ['C:\\', 'x']],
  ["a = 'C:\\''s' AND b = 'x'", ["C:\\'s", 'x']],
])('%s: a backslash escapes a quotation mark only if the filter would otherwise be invalid', (text, texts) => {
  expect(parseCql2Text(text)).toMatchObject({ args: texts.map((each) => ({ args: [{}, each] })) });
});

test('a message contains the position, the found text, the expected text and the remedy', () => {
  expect(() => parseCql2Text('a != 1')).toThrow(
    'The CQL2 filter is refused at character 3: found "!=", expected a name, a text, a number, an operator or a parenthesis. Write <> for not equal.',
  );
});

describe('parseCql2Text with hostile texts', () => {
  test.each([
    ['10,000 parentheses', `${'('.repeat(10_000)}a = 1${')'.repeat(10_000)}`],
    ['10,000 NOT', `${'NOT '.repeat(10_000)}a = 1`],
    ['10,000 calls', `${'CASEI('.repeat(10_000)}a${')'.repeat(10_000)} = 'x'`],
    ['10,000 sums', `a = ${'1 + '.repeat(10_000)}1`],
    ['a megabyte of text', `a = '${'x'.repeat(1_000_000)}'`],
    ['a megabyte of quotation marks', "'".repeat(1_000_000)],
    ['many conditions', `a = 1${' OR a = 1'.repeat(20_000)}`],
    ['many positions', `S_INTERSECTS(geometry, MULTIPOINT(${'1 2,'.repeat(20_000)}1 2))`],
  ])('refuses %s quickly', (_name, text) => {
    const before = process.cpuUsage();
    expect(refusal(text)).toMatchObject({ code: 'limit' });
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });

  test('reports an unclosed quotation mark before other errors', () => {
    expect(refusal(`a = '${"''".repeat(100_000)}`)).toMatchObject({ code: 'syntax' });
  });

  test.each([
    ['a LIKE', "a LIKE '%x%'"],
    ['CASEI', "CASEI(a) = 'x'"],
    ['ACCENTI', "ACCENTI(a) = 'x'"],
    ['S_INTERSECTS', 'S_INTERSECTS(geometry, POINT(1 2))'],
    ['T_AFTER', "T_AFTER(a, DATE('2020-01-01'))"],
  ])('accepts %s 100 times in a filter, and refuses it as too costly if it occurs 101 times', (_name, condition) => {
    const times = (count: number): string => Array.from({ length: count }, () => condition).join(' OR ');
    expect(refusal(times(100))).toBeUndefined();
    const details = refusal(times(101));
    expect(details).toMatchObject({ code: 'limit', found: expect.stringMatching(/^more than 100 text.*like/) });
    expect(details?.position).toBe(times(101).lastIndexOf(condition) + (condition.indexOf(' LIKE') === 1 ? 2 : 0));
    const [, second] = Array.from({ length: 2 }, () => parseCql2Text(times(60)));
    expect(() => parseCql2Json({ op: 'and', args: [parseCql2Text(times(60)), second] })).toThrow('more than 100 text');
  });

  test('does not count the folding of a literal as costly', () => {
    const folded = Array.from({ length: 90 }, () => "a = CASEI(ACCENTI('x'))").join(' OR ');
    expect(refusal(`${folded} OR CASEI(a) LIKE CASEI('x%')`)).toBeUndefined();
  });

  const many = (count: number, each: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => each(at)).join(', ');

  test('counts a property in a list as a node, and ten literals as one node', () => {
    for (const literal of ['7', "'x'", 'TRUE', "DATE('2020-01-01')", "TIMESTAMP('2020-01-01T00:00:00Z')"]) {
      const listed = (count: number): string => `a IN (${many(count, () => literal)})`;
      expect([literal, refusal(listed(4_970))]).toEqual([literal, undefined]);
      expect(refusal(listed(4_971))).toMatchObject({ code: 'limit', found: '501 nodes', position: expect.any(Number) });
    }
    const names = (count: number): string => `a IN (${many(count, (at) => `p${at}`)})`;
    expect(refusal(names(497))).toBeUndefined();
    expect(refusal(names(4_900))).toMatchObject({
      code: 'limit',
      found: '4903 nodes',
      expected: expect.stringMatching(/^500 at most: each operator, property/),
      remedy: expect.stringMatching(/list of texts or numbers with the operator `in`/),
    });
    expect(refusal(names(5_000))?.found).toBe('more than 5000 nodes');
  });

  test('counts the same nodes for a filter as text and as JSON', () => {
    for (const text of [
      "a + 1 IN (2, b * 3) AND NOT CASEI(c) LIKE 'x%' OR T_DURING(INTERVAL(d, '..'), INTERVAL('2020-01-01', e))",
      "S_INTERSECTS(geometry, BBOX(1, 2, 3, 4)) AND f BETWEEN DATE('2020-01-01') AND TIMESTAMP('2020-01-01T00:00:00Z')",
    ]) {
      const count = (read: (nodes: number) => unknown): number => {
        for (let nodes = 1; ; nodes++)
          try {
            read(nodes);
            return nodes;
          } catch {
            // The limit is too small for this filter, so the loop tries a larger limit.
          }
      };
      const tree = parseCql2Text(text);
      expect(count((nodes) => parseCql2Json(tree, { nodes }))).toBe(count((nodes) => parseCql2Text(text, { nodes })));
    }
  });

  test('applies lower limits of the caller', () => {
    expect(() => parseCql2Text("a LIKE 'x' OR CASEI(a) = 'x'", { costly: 1 })).toThrow('more than 1 text, spatial');
    expect(() => parseCql2Text('a = 1', { length: 4 })).toThrow('more than 4 characters');
    expect(() => parseCql2Text('a = 1 AND b = 2', { depth: 1 })).toThrow('more than 1 levels');
    expect(() => parseCql2Text('a = 1', { nodes: 2 })).toThrow('found 3 nodes, expected 2 at most');
  });
});
