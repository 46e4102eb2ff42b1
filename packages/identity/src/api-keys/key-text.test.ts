import { describe, expect, it } from 'vitest';
import { maskedText, newKeyText, prefixOf, prefixOfMasked } from './key-text.ts';

const TEXT = /^([A-Za-z0-9]{8})\.[A-Za-z0-9]{32}$/;

describe('the text of a key', () => {
  it('has a prefix of 8 letters and digits, a dot, and a secret of 32 letters and digits; each text is different', () => {
    const texts = Array.from({ length: 200 }, () => newKeyText());
    for (const text of texts) expect(text).toMatch(TEXT);
    expect(new Set(texts.map((text) => text.slice(0, 8))).size).toBe(200);
    expect(new Set(texts.map((text) => text.slice(9))).size).toBe(200);
  });

  it('uses four of the 256 values of a byte for each letter and digit, and skips the other values', () => {
    const counts = new Map<string, number>();
    let skipped = 0;
    for (let byte = 0; byte < 256; byte += 1) {
      let fills = 0;
      const text = newKeyText((bytes) => {
        fills += 1;
        bytes.fill(fills === 1 ? byte : 0);
      });
      if (fills > 1) skipped += 1;
      else counts.set(text.charAt(0), (counts.get(text.charAt(0)) ?? 0) + 1);
    }
    // Bytes modulo 62 would make the first eight characters more frequent.
    expect([counts.size, new Set(counts.values()), skipped]).toEqual([62, new Set([4]), 8]);
  });

  it('contains the prefix that prefixOf returns; for other texts prefixOf returns undefined', () => {
    const text = newKeyText();
    expect(prefixOf(text)).toBe(text.slice(0, 8));
    const bad = ['', text.slice(1), `${text}a`, ` ${text.slice(1)}`, text.replace('.', '-'), text.replace(/.$/, '\n')];
    for (const other of [...bad, text.replace(/.$/, 'é'), 'a'.repeat(1e6), maskedText(text.slice(0, 8))]) {
      expect(prefixOf(other)).toBeUndefined();
    }
  });

  it('is masked in lists, and its prefix can be read from the masked text', () => {
    const text = newKeyText();
    const masked = maskedText(text.slice(0, 8));
    expect(masked).toHaveLength(text.length);
    expect(masked).not.toContain(text.slice(9, 13));
    expect(prefixOfMasked(masked)).toBe(text.slice(0, 8));
    for (const other of [text, `${masked}*`, masked.slice(0, -1), '']) expect(prefixOfMasked(other)).toBeUndefined();
  });
});
