import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { JsonPieces } from './json-pieces.ts';

function parse(text: string, length = 7): Promise<unknown> {
  const bytes = new TextEncoder().encode(text);
  const pieces = new JsonPieces();
  for (let at = 0; at < bytes.byteLength; at += length) pieces.see(bytes.subarray(at, at + length));
  return pieces.parse(bytes);
}

it('returns the same value as JSON.parse for chunks of any length', async () => {
  const document = fc.dictionary(fc.string(), fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()), { maxKeys: 5 });
  const length = fc.integer({ min: 1, max: 40 });
  await fc.assert(
    fc.asyncProperty(fc.oneof(document, fc.jsonValue()), length, fc.constantFrom(0, 1), async (value, size, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(await parse(text, size)).toEqual(JSON.parse(text));
    }),
  );
});

it.each([
  ['\uFEFF{"features":[{"a":"€ } ] \\" \\\\"},[{}],3,"x",null],"features ":{"b":[{"c":1}]}}'],
  ['{"links":[{"piece":0},{"piece":1}],"links":[{"piece":5}]}'],
  ['[{"a":1},[2]]'],
  ['[[{"a":1}],{"b":[{}]}]'],
  ['{"a":{"b":1},"c":[{"d":[{"e":2}]}]}'],
  ['7'],
])('returns the same value as JSON.parse for %s', async (text) =>
  expect(await parse(text)).toEqual(JSON.parse(text.replace('\uFEFF', ''))),
);

it.each([
  '',
  '{',
  '{"a":[{]}',
  '{"a":[{}}',
  '{"a":[{}]',
  '{"a":[{"b":}]}',
  '{"a":[{} {}]}',
  ']',
  '{"a":[{}]}}',
  '{"a":["x]}',
])('refuses %s as not JSON', async (text) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
  await expect(parse(text)).rejects.toThrow(SyntaxError);
});

it('lets the event loop continue while it parses a page of a million values', async () => {
  const properties = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`a${i}`, i]));
  const features = Array.from({ length: 800 }, () => ({ type: 'Feature', properties }));
  const bytes = new TextEncoder().encode(JSON.stringify({ type: 'FeatureCollection', features }));
  const pieces = new JsonPieces();
  pieces.see(bytes);
  expect(pieces.values.all).toBeGreaterThan(900_000);
  let turns = 0;
  let isParsing = true;
  const takeTurn = (): void => {
    turns += 1;
    if (isParsing) setImmediate(takeTurn);
  };
  setImmediate(takeTurn);
  // Simulates a slow machine: the clock advances by one second each time it is read. So the parser pauses after each
  // piece.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
  await pieces.parse(bytes);
  clock.mockRestore();
  isParsing = false;
  expect(turns).toBeGreaterThan(bytes.byteLength / 65_536 / 2);
});
