import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { FeatureScanner } from './feature-scanner.ts';

/** Features and the rest of a text that comes in pieces of so many bytes. */
function scanned(text: string, pieceBytes: number): { readonly features: readonly unknown[]; readonly outer: unknown } {
  const scanner = new FeatureScanner();
  const bytes = Buffer.from(text);
  const features: unknown[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    // A copy: nothing may be held of what a stream reuses beyond its turn but what was told.
    for (const feature of scanner.see(Uint8Array.from(bytes.subarray(at, at + pieceBytes))))
      features.push(JSON.parse(Buffer.from(feature).toString()));
  }
  return { features, outer: scanner.end() };
}

it('finds the features of any collection, wherever its bytes are cut', () => {
  const feature = fc.record({ type: fc.constant('Feature'), geometry: fc.jsonValue(), properties: fc.jsonValue() });
  const members = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(
      members,
      fc.array(feature),
      fc.nat(3),
      fc.integer({ min: 1, max: 40 }),
      (...[rest, features, indent, size]) => {
        const { features: _own, ...before } = rest;
        const text = JSON.stringify(
          { ...before, type: 'features', features, after: { features: ['features'] } },
          null,
          indent,
        );
        const { type: _type, after: _after, ...others } = before;
        expect(scanned(text, size)).toEqual({
          features: JSON.parse(JSON.stringify(features)) as unknown,
          outer: JSON.parse(
            JSON.stringify({ ...others, type: 'features', features: [], after: { features: ['features'] } }),
          ) as unknown,
        });
      },
    ),
  );
});

it.each([
  '',
  '{"type":"FeatureCollection"}',
  '{"features":[{}',
  '{"features":[{}{}]}',
  '{"features":[,{}]}',
  '{"features":[{},1]}',
  '{"features":["a"]}',
  '{"features":[[]]}',
  '{"features":[{}],"features":[{}]}',
  '{"features":[{}]} {}',
  '{"features":[{}]',
  '{"features":{"features":[{}]}}',
  'features',
])('refuses %s', (text) => {
  expect(() => scanned(text, 5)).toThrow(Error);
});
