import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isStorable, storableText } from './storable-text.ts';

it('storableText returns at most 4000 characters that every store accepts, and does not change its own result', () => {
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
