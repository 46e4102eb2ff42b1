import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { FeatureScanner, type ScanRules } from './feature-scanner.ts';

const WIDE: ScanRules = {
  feature: 1_000_000,
  outside: 1_000_000,
  refusal: (fault) => new Error(fault),
};

const parsed = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

/** Scans a text in parts of these sizes; each part is then overwritten, because streams reuse their memory. */
function scanned(text: string, sizes: readonly number[], rules = WIDE) {
  const scanner = new FeatureScanner(rules);
  const bytes = new TextEncoder().encode(text);
  const features: unknown[] = [];
  let [at, partCount] = [0, 0];
  while (at < bytes.length) {
    const part = bytes.slice(at, at + (sizes[partCount % sizes.length] ?? 1));
    for (const feature of scanner.push(part)) features.push(parsed(feature));
    at += part.length;
    partCount += 1;
    part.fill(0);
  }
  return { features, outer: parsed(scanner.end()), hasList: scanner.hasList };
}

it('the scanner returns each feature of any collection, for every split of its bytes', () => {
  const members = fc.dictionary(fc.string(), fc.jsonValue());
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(members, fc.array(members), sizes, fc.nat(3), (...[rest, list, cuts, indent]) => {
      const { features: _features, ...before } = rest;
      const collection = (features: unknown): string =>
        JSON.stringify(
          { ...before, type: 'features', features, after: { features: ['features'] }, last: '"features":[{' },
          undefined,
          indent,
        );
      expect(scanned(collection(list), cuts)).toEqual({
        features: JSON.parse(JSON.stringify(list)),
        outer: JSON.parse(collection([])),
        hasList: true,
      });
    }),
    { numRuns: 300 },
  );
});

it('the scanner finds the list of features after any number of blanks', () => {
  const text = `{"features"${' '.repeat(200)}:${'\n'.repeat(200)}[ {"a":1} , {"a":2}\t]}`;
  expect(scanned(text, [7])).toEqual({ features: [{ a: 1 }, { a: 2 }], outer: { features: [] }, hasList: true });
});

it.each(['{"type":"Feature","geometry":null}', '{"features":{"features":[{}]}}', '[]', '{"feature":[{}]}'])(
  'the scanner finds no list of features in %s',
  (text) => {
    expect(scanned(text, [5])).toEqual({ features: [], outer: JSON.parse(text), hasList: false });
  },
);

it.each([
  ['{"features":[{}', 'cut off'],
  ['{"features":[{}]', 'cut off'],
  ['{"features":[{}]}]', 'cut off'],
  ['{"features":[{}],"a":"', 'cut off'],
  ['{"features":[{}{}]}', 'no objects'],
  ['{"features":[,{}]}', 'no objects'],
  ['{"features":[{},]}', 'no objects'],
  ['{"features":[{},1]}', 'no objects'],
  ['{"features":["a"]}', 'no objects'],
  ['{"features":[[]]}', 'no objects'],
  ['{"features":[{}},{}]}', 'no objects'],
  ['{"features":[{}],"features":[{}]}', 'two lists'],
])('the scanner refuses %s: %s', (text, fault) => {
  expect(() => scanned(text, [5])).toThrow(fault);
});

it.each(['', 'features', '{"features":[{}]} {}', '{"features" [{}]}'])(
  'the scanner leaves faults of the JSON outside of the features to JSON.parse: %s',
  (text) => {
    expect(() => scanned(text, [5])).toThrow(SyntaxError);
  },
);

it('the scanner refuses too many bytes in a feature, and too many bytes outside of the features', () => {
  const text = `{"features":[{"a":"${'x'.repeat(100)}"}],"b":"${'y'.repeat(100)}"}`;
  expect(scanned(text, [9], { ...WIDE, feature: 108, outside: 122 }).features).toHaveLength(1);
  expect(() => scanned(text, [9], { ...WIDE, feature: 107 })).toThrow('feature size');
  expect(() => scanned(text, [9], { ...WIDE, outside: 121 })).toThrow('outside size');
});
