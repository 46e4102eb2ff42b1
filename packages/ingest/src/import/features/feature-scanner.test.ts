import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FeatureScanner } from './feature-scanner.ts';

/** The features of a text whose bytes come in parts of these sizes, and what stands around them. */
function scanned(text: string, sizes: readonly number[]): { readonly features: unknown[]; readonly outer: unknown } {
  const bytes = Buffer.from(text);
  const scanner = new FeatureScanner();
  const features: unknown[] = [];
  let [at, turn] = [0, 0];
  while (at < bytes.length) {
    const size = sizes[turn % sizes.length] ?? 1;
    for (const piece of scanner.push(bytes.subarray(at, at + size)))
      features.push(JSON.parse(Buffer.from(piece).toString()));
    [at, turn] = [at + size, turn + 1];
  }
  return { features, outer: JSON.parse(Buffer.from(scanner.end()).toString()) };
}

it('gives each feature of any collection, however its bytes are cut', () => {
  const member = fc.dictionary(fc.string(), fc.jsonValue());
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(
      fc.array(member),
      member,
      fc.record({ cuts: sizes, space: fc.constantFrom(0, 1) }),
      (list, around, how) => {
        const { cuts, space } = how;
        const { features: _none, ...others } = around;
        const text = JSON.stringify({ ...others, features: list, last: '"features":[{' }, undefined, space);
        const { features, outer } = scanned(text, cuts);
        expect(features).toEqual(JSON.parse(JSON.stringify(list)));
        expect(outer).toEqual(JSON.parse(JSON.stringify({ ...others, features: [], last: '"features":[{' })));
      },
    ),
    { numRuns: 300 },
  );
});
