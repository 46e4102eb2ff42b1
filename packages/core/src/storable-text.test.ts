import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isStorable, storableText } from './storable-text.ts';

it('storableText returns text that every store accepts, and keeps valid text unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 50 }), fc.nat(200), (text, times) => {
      const clean = storableText(text.repeat(times));
      expect(clean.isWellFormed()).toBe(true);
      expect(clean).not.toContain('\0');
      expect(isStorable(clean)).toBe(true);
      expect(clean.length).toBeLessThanOrEqual(4000);
      expect(storableText(clean)).toBe(clean);
    }),
  );
  expect(['ab', '🌾', 'a\0', '\ud83c', '\udf3e'].map(isStorable)).toEqual([true, true, false, false, false]);
  expect(storableText('a\0b \ud83c 🌾')).toBe('a\ufffdb \ufffd 🌾');
  expect(storableText('🌾'.repeat(2001)).endsWith('…')).toBe(true);
});
