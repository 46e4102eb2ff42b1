import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idSlug, isSlug, layerSlug, placeSlug } from './slug.ts';

const sluggable = fc.string().filter((text) => /[a-z0-9_-]/i.test(text) || /[ ,:;]/.test(text));

describe('idSlug', () => {
  it('writes lower case, removes forbidden characters and turns each blank into an underscore', () => {
    expect(idSlug('Dadra & Nagar Haveli')).toBe('dadra__nagar_haveli');
    expect(idSlug('West Singhbhum')).toBe('west_singhbhum');
    expect(idSlug('St. Thomas, a:b;c-d')).toBe('st._thomas,_a:b;c-d');
  });

  it.each(['', '..', '.', '/', 'जयपुर', '\0'])('refuses %j, which would become empty or only dots', (text) => {
    expect(() => idSlug(text)).toThrow('Latin letters');
  });

  it('returns a single path segment, and does not change its own result', () => {
    fc.assert(
      fc.property(sluggable, (text) => {
        const once = idSlug(text);
        expect(idSlug(once)).toBe(once);
        expect(isSlug(once)).toBe(true);
        expect(once).not.toMatch(/[/\\\s\0]|^\.+$/);
      }),
    );
  });
});

describe('layerSlug', () => {
  it.each([
    ['Dadra & Nagar Haveli', 'dadra__nagar_haveli'],
    ['S.A.S. Nagar (Mohali)', 'sas_nagar_mohali'],
    ['St. Thomas, a:b;c-d', 'st_thomas,_a:b;c-d'],
    ['_Cachar_', '_cachar_'],
    ['&', ''],
  ])('%j -> %j: removes dots, but no underscores', (name, slug) => {
    expect(layerSlug(name)).toBe(slug);
  });
});

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

  it('does not change its own result, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const slug = placeSlug(text);
        expect(placeSlug(slug)).toBe(slug);
        expect(slug).toMatch(/^[a-z0-9,:;_-]*$/);
        expect(slug).not.toMatch(/^_|_$|__/);
      }),
    );
  });

  it('ignores case, and treats blanks as underscores', () => {
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

describe('idSlug, layerSlug and placeSlug', () => {
  it('agree on names with single blanks and no dots, and differ as specified on others', () => {
    const all = (name: string) => [idSlug(name), layerSlug(name), placeSlug(name)];
    expect(new Set(all('North 24 Parganas'))).toEqual(new Set(['north_24_parganas']));
    expect(all('St. Mary & Co')).toEqual(['st._mary__co', 'st_mary__co', 'st_mary_co']);
  });
});
