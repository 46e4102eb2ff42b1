import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeSlug } from './slug.ts';

describe('placeSlug', () => {
  it.each([
    ['Lakhipur', 'lakhipur'],
    ['West Singhbhum', 'west_singhbhum'],
    ['west_singhbhum', 'west_singhbhum'],
    ['Dadra & Nagar Haveli', 'dadra_nagar_haveli'],
    ['dadra__nagar_haveli', 'dadra_nagar_haveli'],
    ['North 24 Parganas', 'north_24_parganas'],
    ['Janjgir-Champa', 'janjgir-champa'],
    ['S.A.S. Nagar (Mohali)', 'sas_nagar_mohali'],
    ['_Cachar_', 'cachar'],
    ['  Cachar  ', 'cachar'],
    ['', ''],
    ['&', ''],
  ])('%j -> %j', (name, slug) => {
    expect(placeSlug(name)).toBe(slug);
  });

  it('is its own slug, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const slug = placeSlug(text);
        expect(placeSlug(slug)).toBe(slug);
        expect(slug).toMatch(/^[a-z0-9,:;_-]*$/);
        expect(slug).not.toMatch(/^_|_$|__/);
      }),
    );
  });

  it('is the same in any case and with blanks or underscores', () => {
    const words = fc.array(fc.stringMatching(/^[A-Za-z0-9]+$/), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(words, (parts) => {
        const slug = placeSlug(parts.join(' '));
        expect(placeSlug(parts.join('_').toUpperCase())).toBe(slug);
        expect(placeSlug(parts.join(' & '))).toBe(slug);
        expect(slug).toBe(parts.join('_').toLowerCase());
      }),
    );
  });
});
