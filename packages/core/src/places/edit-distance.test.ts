import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, similarity } from './edit-distance.ts';

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['cachar', 'cachar', 0],
    ['lakipur', 'lakhipur', 1],
    ['cahcar', 'cachar', 1],
    ['kitten', 'sitting', 3],
  ])('%j to %j is %d', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
  });

  it('is symmetric, and 0 only for equal texts', () => {
    const word = fc.stringMatching(/^[abc]{0,6}$/);
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(similarity(a, b)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
