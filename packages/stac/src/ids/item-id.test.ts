import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectionPath, itemId } from './item-id.ts';
import { isSlug, slug } from './slug.ts';

const sluggable = fc.string().filter((text) => /[a-z0-9_-]/i.test(text) || /[ ,:;]/.test(text));

describe('slug', () => {
  it('lower-cases, drops what is not allowed and makes each blank an underscore', () => {
    expect(slug('Dadra & Nagar Haveli')).toBe('dadra__nagar_haveli');
    expect(slug('West Singhbhum')).toBe('west_singhbhum');
    expect(slug('St. Thomas, a:b;c-d')).toBe('st._thomas,_a:b;c-d');
  });

  it.each(['', '..', '.', '/', 'जयपुर', '\0'])('refuses %j, of which nothing or only dots would be left', (text) => {
    expect(() => slug(text)).toThrow('Latin letters');
  });

  it('is idempotent, and its result is one path part', () => {
    fc.assert(
      fc.property(sluggable, (text) => {
        const once = slug(text);
        expect(slug(once)).toBe(once);
        expect(isSlug(once)).toBe(true);
        expect(once).not.toMatch(/[/\\\s\0]|^\.+$/);
      }),
    );
  });
});

describe('itemId', () => {
  const parts = { state: 'Nadi Pradesh', district: 'Jheel', block: 'Pahari', layer: 'land_use_land_cover_raster' };

  it('joins place, layer and year', () => {
    expect(itemId(parts)).toBe('nadi_pradesh_jheel_pahari_land_use_land_cover_raster');
    expect(itemId({ ...parts, year: 2023 })).toBe('nadi_pradesh_jheel_pahari_land_use_land_cover_raster_2023');
  });

  it.each([0, 999, 10_000, 2023.5, NaN])('refuses the year %d', (year) => {
    expect(() => itemId({ ...parts, year })).toThrow('four digits');
  });
});

describe('collectionPath', () => {
  it('goes as deep as the place is named', () => {
    expect(collectionPath('Nadi Pradesh')).toBe('nadi_pradesh');
    expect(collectionPath('Nadi Pradesh', 'Jheel')).toBe('nadi_pradesh/jheel');
    expect(collectionPath('Nadi Pradesh', 'Jheel', 'Pahari')).toBe('nadi_pradesh/jheel/pahari');
    expect(() => collectionPath('Nadi Pradesh', undefined, 'Pahari')).toThrow('without its district');
  });

  it('cannot climb out of its folder', () => {
    expect(() => collectionPath('..', '..')).toThrow('slug');
    expect(collectionPath('../a', 'b/../c')).toBe('..a/b..c');
  });
});
